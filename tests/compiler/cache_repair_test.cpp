// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intact entries of the disk cache whose code cannot be loaded: the driver compiles again.
#include "../api/fixture.h"
#include "base/wire.h"
#include "cache_fixture.h"
#include "compiler/client/cache_entry.h"

#include <fstream>
#include <iterator>

namespace fs = std::filesystem;

namespace upsweep::compiler::test {
namespace {

/// Set before the driver reads it.
const fs::path kFolder = [] {
  const fs::path folder = fs::temp_directory_path() / ("upsweep-repair-test-" + std::to_string(getpid()));
  setenv("UPSWEEP_CACHE_DIR", folder.c_str(), 1);
  return folder;
}();

class CacheRepair : public tests::Fixture {
protected:
  void TearDown() override {
    Fixture::TearDown();
    std::error_code none;
    fs::remove_all(kFolder, none);
  }

  cl_int build() {
    const char *source = "kernel void k(global int *a) { a[get_global_id(0)] = 7; }";
    cl_int error = CL_SUCCESS;
    cl_program program = clCreateProgramWithSource(context_, 1, &source, nullptr, &error);
    EXPECT_EQ(error, CL_SUCCESS);
    const cl_int result = clBuildProgram(program, 1, &device_, "", nullptr, nullptr);
    EXPECT_EQ(clReleaseProgram(program), CL_SUCCESS);
    return result;
  }
};

Bytes read(const fs::path &path) {
  std::ifstream in(path, std::ios::binary);
  return Bytes(std::istreambuf_iterator<char>(in), {});
}

TEST_F(CacheRepair, GivenAnEntryWithCodeThatCannotBeLoaded_WhenBuilt_ThenItIsCompiledAgainAndReplaced) {
  ASSERT_EQ(build(), CL_SUCCESS);
  ASSERT_EQ(entries_of(kFolder).size(), 1u);
  const fs::path path = entries_of(kFolder)[0];
  const Bytes good = read(path);
  constexpr size_t kHeaderBytes = kEntryMagicBytes + 16;
  WireReader reader(ByteSpan(good).subspan(kHeaderBytes));
  const ByteSpan key = reader.bytes();
  std::optional<Result> result = decode_entry(good, key);
  ASSERT_TRUE(result);
  const Bytes binary = result->reply.binary;
  auto view = open_binary(binary);
  ASSERT_TRUE(view);
  const ByteSpan code = view->shared_object;
  for (const ByteSpan other : {code.first(40), ByteSpan(), view->module}) {
    view->shared_object = other;
    result->reply.binary = make_binary(*view);
    const Bytes bad = encode_entry(key, *result);
    std::ofstream(path, std::ios::binary)
        .write(reinterpret_cast<const char *>(bad.data()), static_cast<std::streamsize>(bad.size()));
    ASSERT_EQ(build(), CL_SUCCESS);
    const Bytes now = read(path);
    ASSERT_TRUE(decode_entry(now, key));
    const auto again = open_binary(decode_entry(now, key)->reply.binary);
    ASSERT_TRUE(again);
    EXPECT_EQ(again->shared_object.size(), code.size());
  }
}

}  // namespace
}  // namespace upsweep::compiler::test
