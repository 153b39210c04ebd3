// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels that leave their objects are found with their place, object and work-item; other kernels are not reported, and both
// give the results of the accesses that are inside.
#include "kernel_runner.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <random>
#include <unistd.h>

namespace upsweep::tests {
namespace {

using Json = nlohmann::json;
using Ints = std::vector<cl_int>;

std::string log_path() {
  static const std::string path = testing::TempDir() + "upsweep_checks_" + std::to_string(getpid()) + ".json";
  return path;
}

// The driver reads its environment when it is loaded.
const bool is_checked = [] {
  return setenv("UPSWEEP_CHECK", "memory", 1) == 0 && setenv("UPSWEEP_CHECK_LOG", log_path().c_str(), 1) == 0;
}();

constexpr cl_int kGuard = 0x5a5a5a5a;
constexpr size_t kAlignInts = 1024;  ///< a multiple of every sub-buffer's alignment

class Checks : public KernelRunner {
protected:
  void SetUp() override {
    if (tested_device_type() != CL_DEVICE_TYPE_CPU) GTEST_SKIP() << "only the CPU device checks kernels";
    KernelRunner::SetUp();
    std::remove(log_path().c_str());
  }
  void TearDown() override {
    for (cl_mem memory : memory_) clReleaseMemObject(memory);
    std::remove(log_path().c_str());
    KernelRunner::TearDown();
  }

  static Json findings() {
    Json found = Json::array();
    std::ifstream file(log_path());
    for (std::string line; std::getline(file, line);) found.push_back(Json::parse(line));
    std::remove(log_path().c_str());
    return found;
  }

  void build_case(const std::string &which) {
    static int number = 0;
    release();
    name_ = "kernel_" + std::to_string(number++) + "_" + which;
    build("checks.cl", name_.c_str(), ("-cl-std=CL3.0 -D " + which + " -D NAME=" + name_).c_str());
  }

  /// A part of a larger buffer, so that neighbours in memory could hide an access.
  cl_mem part(const Ints &contents, cl_mem_flags flags = CL_MEM_READ_WRITE) {
    const size_t whole = contents.size() + 2 * kAlignInts;
    Ints all(whole, kGuard);
    std::ranges::copy(contents, all.begin() + kAlignInts);
    memory_.push_back(
        clCreateBuffer(context_, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, whole * sizeof(cl_int), all.data(), nullptr));
    whole_.push_back(memory_.back());
    const cl_buffer_region region{kAlignInts * sizeof(cl_int), contents.size() * sizeof(cl_int)};
    memory_.push_back(clCreateSubBuffer(memory_.back(), flags, CL_BUFFER_CREATE_TYPE_REGION, &region, nullptr));
    return memory_.back();
  }

  /// The contents of the newest output, whose neighbours must be unchanged.
  Ints contents(cl_mem whole, size_t count) {
    Ints all(count + 2 * kAlignInts);
    EXPECT_EQ(clEnqueueReadBuffer(queue_, whole, CL_TRUE, 0, all.size() * sizeof(cl_int), all.data(), 0, nullptr, nullptr),
              CL_SUCCESS);
    for (size_t i = 0; i < kAlignInts; ++i) {
      EXPECT_EQ(all[i], kGuard);
      EXPECT_EQ(all[kAlignInts + count + i], kGuard);
    }
    return {all.begin() + kAlignInts, all.end() - kAlignInts};
  }

  void launch(size_t items, size_t local) {
    const size_t *group = local ? &local : nullptr;
    ASSERT_EQ(clEnqueueNDRangeKernel(queue_, kernel_, 1, nullptr, &items, group, 0, nullptr, nullptr), CL_SUCCESS);
    ASSERT_EQ(clFinish(queue_), CL_SUCCESS);
  }

  /// Launches a kernel with an output of `outs` ints, an input and a number; returns the output.
  Ints run_case(const std::string &which, size_t items, size_t outs, const Ints &in, cl_int n, size_t local = 0) {
    build_case(which);
    cl_mem out = part(Ints(outs, -1)), input = part(in);
    const cl_mem whole = whole_[whole_.size() - 2];
    set(0, out);
    set(1, input);
    set(2, n);
    launch(items, local);
    return contents(whole, outs);
  }

  /// The only finding.
  Json only(const char *kind) {
    Json found = findings();
    EXPECT_EQ(found.size(), 1U) << found.dump(1);
    if (found.size() != 1) return {{"global_id", {0, 0, 0}}};
    EXPECT_EQ(found[0]["kind"], kind);
    EXPECT_EQ(found[0]["kernel"], name_);
    EXPECT_GT(found[0]["line"], 0);
    return found[0];
  }
  void expect_none() {
    const Json found = findings();
    EXPECT_TRUE(found.empty()) << found.dump(1);
  }

  static Ints random_ints(size_t count, cl_int least = -1000, cl_int most = 1000) {
    static std::minstd_rand generator(7);
    Ints ints(count);
    std::uniform_int_distribution<cl_int> next(least, most);
    for (cl_int &value : ints) value = next(generator);
    return ints;
  }

  std::string name_;
  std::vector<cl_mem> memory_, whole_;
};

/// Sizes around the edges of sub-groups and work-groups.
constexpr size_t kSizes[] = {1, 3, 7, 8, 15, 16, 17, 31, 33, 64, 100, 257};

TEST_F(Checks, GivenRows_WhenTheLaunchIsLarger_ThenTheFirstWriteBehindTheEndIsFound) {
  for (const size_t n : kSizes)
    for (const size_t more : {size_t{0}, size_t{1}, size_t{5}, size_t{40}}) {
      SCOPED_TRACE(testing::Message() << n << " + " << more);
      const Ints in = random_ints(n + more);
      const Ints out = run_case("ROW", n + more, n, in, 0);
      for (size_t i = 0; i < n; ++i) ASSERT_EQ(out[i], in[i] + 1);
      if (more == 0) {
        expect_none();
        continue;
      }
      const Json found = only("out-of-bounds");
      EXPECT_EQ(found["access"], "write");
      EXPECT_EQ(found["object"], "out");
      EXPECT_EQ(found["bytes"], n * 4);
      const size_t item = found["global_id"][0];
      EXPECT_GE(item, n);
      EXPECT_EQ(found["offset"], item * 4);
      EXPECT_EQ(found["value"], std::to_string(in[item] + 1));
    }
}

TEST_F(Checks, GivenReversedRows_WhenItemsReadBeforeTheBeginning_ThenZerosAreReadAndFound) {
  for (const size_t n : kSizes)
    for (const size_t more : {size_t{0}, size_t{1}, size_t{9}}) {
      SCOPED_TRACE(testing::Message() << n << " + " << more);
      const Ints in = random_ints(n);
      const Ints out = run_case("REVERSED", n + more, n + more, in, static_cast<cl_int>(n));
      for (size_t i = 0; i < n + more; ++i) ASSERT_EQ(out[i], i < n ? in[n - 1 - i] + 1 : 1);
      if (more == 0) {
        expect_none();
        continue;
      }
      const Json found = only("out-of-bounds");
      EXPECT_EQ(found["access"], "read");
      EXPECT_LT(found["offset"], 0);
      EXPECT_GE(found["global_id"][0], n);
    }
}

TEST_F(Checks, GivenGuardedRows_WhenTheGuardIsRight_ThenNothingIsFound) {
  for (const size_t n : kSizes) {
    const Ints in = random_ints(n);
    const Ints out = run_case("GUARDED", n + 50, n, in, static_cast<cl_int>(n));
    for (size_t i = 0; i < n; ++i) ASSERT_EQ(out[i], in[i] + 1);
    expect_none();
  }
}

TEST_F(Checks, GivenStrides_WhenTheLastItemIsOutside_ThenItIsFound) {
  for (const size_t n : kSizes) {
    const Ints in = random_ints(3 * n - 2);
    Ints out = run_case("STRIDED", n, n, in, 0);
    for (size_t i = 0; i < n; ++i) ASSERT_EQ(out[i], in[3 * i] + 1);
    expect_none();
    const Ints shorter(in.begin(), in.end() - (n == 1 ? 0 : 1));
    if (n == 1) continue;
    out = run_case("STRIDED", n, n, shorter, 0);
    for (size_t i = 0; i < n; ++i) ASSERT_EQ(out[i], i + 1 < n ? in[3 * i] + 1 : 1);
    EXPECT_EQ(only("out-of-bounds")["global_id"][0], n - 1);
  }
}

TEST_F(Checks, GivenIndices_WhenOneIsOutside_ThenItsItemIsFound) {
  for (const size_t n : kSizes) {
    Ints in = random_ints(n, 0, 5000);
    const auto value = [&](size_t i) {
      const auto at = static_cast<size_t>(in[i] % static_cast<cl_int>(n));
      return in[i] < 0 ? 1 : in[at] + 1;
    };
    Ints out = run_case("INDIRECT", n, n, in, static_cast<cl_int>(n));
    for (size_t i = 0; i < n; ++i) ASSERT_EQ(out[i], value(i));
    expect_none();
    const size_t bad = n / 2;
    in[bad] = -static_cast<cl_int>(n);  // the remainder is 0, so the index is n
    out = run_case("INDIRECT", n, n, in, static_cast<cl_int>(n));
    for (size_t i = 0; i < n; ++i) ASSERT_EQ(out[i], value(i));
    const Json found = only("out-of-bounds");
    EXPECT_EQ(found["global_id"][0], bad);
    EXPECT_EQ(found["offset"], n * 4);
  }
}

TEST_F(Checks, GivenAUniformAddress_WhenItIsOutside_ThenItIsFoundOnce) {
  const Ints in = random_ints(20);
  Ints out = run_case("UNIFORM", 40, 40, in, 19);
  for (const cl_int value : out) ASSERT_EQ(value, in[19] + 1);
  expect_none();
  out = run_case("UNIFORM", 40, 40, in, 20);
  for (const cl_int value : out) ASSERT_EQ(value, 1);
  EXPECT_EQ(only("out-of-bounds")["object"], "in");
}

TEST_F(Checks, GivenAPointerThatMoves_WhenItLeavesItsObject_ThenItIsFound) {
  const Ints in(19, 1);
  EXPECT_EQ(run_case("LOOP", 20, 20, in, 10), Ints(20, 10));
  expect_none();
  EXPECT_EQ(run_case("LOOP", 20, 20, in, 13), Ints(20, 10));
  EXPECT_EQ(only("out-of-bounds")["offset"], 80);
}

TEST_F(Checks, GivenASelectedPointer_WhenItIsOutsideOfItsOwnObject_ThenItIsFound) {
  const Ints in = random_ints(100);
  run_case("SELECTED", 50, 80, in, 30);
  expect_none();
  run_case("SELECTED", 50, 80, in, 31);  // item 49 reads in[80], and item 48 out[79]
  expect_none();
  run_case("SELECTED", 50, 80, in, 33);  // item 48 reads out[81]
  const Json found = only("out-of-bounds");
  EXPECT_EQ(found["global_id"][0], 48);
  EXPECT_EQ(found["bytes"], 320);
}

TEST_F(Checks, GivenBytes_WhenALaneIsOutside_ThenItIsFound) {
  run_case("BYTES", 63, 16, Ints(16, 0), 1);
  expect_none();
  run_case("BYTES", 64, 16, Ints(16, 0), 1);
  EXPECT_EQ(only("out-of-bounds")["offset"], 64);
}

TEST_F(Checks, GivenBuiltIns_WhenTheyLeaveTheirObject_ThenTheCallIsFound) {
  const Ints in = random_ints(60);
  Ints out = run_case("VECTORS", 20, 60, in, 0);
  EXPECT_EQ(out, in);
  expect_none();
  run_case("VECTORS", 20, 60, in, 1);
  EXPECT_EQ(only("out-of-bounds")["object"], "in");
  run_case("ATOMICS", 20, 20, in, 1);
  expect_none();
  run_case("ATOMICS", 20, 20, in, 2);
  EXPECT_EQ(only("out-of-bounds")["access"], "update");
  out = run_case("COPY", 60, 60, in, 0, 60);
  EXPECT_EQ(out, in);
  expect_none();
  run_case("COPY", 60, 60, in, 1, 60);
  EXPECT_EQ(only("out-of-bounds")["object"], "in");
}

TEST_F(Checks, GivenLocalMemory_WhenAnItemIsOutside_ThenItIsFound) {
  const Ints in = random_ints(64);
  EXPECT_EQ(run_case("LOCAL", 64, 64, in, 0, 32), in);
  expect_none();
  run_case("LOCAL", 64, 64, in, 3, 32);
  const Json found = only("out-of-bounds");
  EXPECT_EQ(found["object"], "tile");
  EXPECT_GE(found["local_id"][0], 29);
  build_case("LOCAL_ARGUMENT");
  for (const cl_int n : {0, 2}) {
    set(0, part(Ints(64, -1)));
    set(1, part(in));
    set(2, n);
    set_local(3, 32 * sizeof(cl_int));
    launch(64, 32);
    if (n == 0) expect_none();
  }
  const Json all = findings();
  ASSERT_EQ(all.size(), 2U) << all.dump(1);  // the write and the read
  EXPECT_EQ(all[0]["object"], "tile");
  EXPECT_EQ(all[0]["bytes"], 128);
}

TEST_F(Checks, GivenPrivateVariables_WhenAnIndexIsOutside_ThenItIsFound) {
  const Ints in = random_ints(50);
  Ints out = run_case("PRIVATE", 50, 50, in, 1);
  for (size_t i = 0; i < 50; ++i) ASSERT_EQ(out[i], in[i] * static_cast<cl_int>((i & 3) + 1));
  expect_none();
  out = run_case("PRIVATE", 50, 50, in, 2);
  for (size_t i = 0; i < 50; ++i)
    if ((i & 3) != 3) ASSERT_EQ(out[i], in[i] * static_cast<cl_int>((i & 3) + 2));
  const Json found = only("out-of-bounds");
  EXPECT_EQ(found["object"], "values");
  EXPECT_EQ(found["global_id"][0].get<int>() % 4, 3);
  out = run_case("UNROLLED", 50, 50, in, 0);
  for (size_t i = 0; i < 50; ++i) ASSERT_EQ(out[i], 2 * in[i] + 5);
  EXPECT_EQ(only("out-of-bounds")["offset"], 20);
  run_case("PRIVATE_POINTER", 50, 50, Ints(50, 0), 1);
  expect_none();
  run_case("PRIVATE_POINTER", 50, 50, Ints(50, 0), 2);
  EXPECT_EQ(only("out-of-bounds")["object"], "whole");
}

TEST_F(Checks, GivenAnArrayInAStruct_WhenAnIndexReachesTheNextMember_ThenItIsFound) {
  const Ints in = random_ints(10);
  run_case("MEMBER", 10, 60, in, 2);
  expect_none();
  run_case("MEMBER", 10, 60, in, 3);
  const Json found = only("out-of-bounds");
  EXPECT_NE(found["message"].get<std::string>().find("index 4 of 4 elements"), std::string::npos) << found;
}

TEST_F(Checks, GivenAnArrayAtTheBeginningOfAStruct_WhenAnIndexReachesTheNextMember_ThenItIsFound) {
  const Ints in = random_ints(10);
  const Ints out = run_case("FIRST_MEMBER", 10, 10, in, 2);
  for (size_t i = 0; i < 10; ++i) ASSERT_EQ(out[i], in[i] + static_cast<cl_int>(i & 1) + 2);
  expect_none();
  run_case("FIRST_MEMBER", 10, 10, in, 3);
  EXPECT_NE(only("out-of-bounds")["message"].get<std::string>().find("index 4 of 4 elements"), std::string::npos);
}

TEST_F(Checks, GivenComponentsOfVectors_WhenTheyAreWritten_ThenTheOthersAreNotRead) {
  const Ints in = random_ints(1);
  for (const cl_int n : {0, 1})
    for (const size_t items : {20, 21}) {
      build_case("COMPONENTS");
      cl_mem out = part(Ints(80, 5), CL_MEM_WRITE_ONLY), input = part(in);
      set(0, out);
      set(1, input);
      set(2, n);
      launch(items, 0);
      const Ints written = contents(whole_[whole_.size() - 2], 80);
      for (size_t i = 0; i < 80; ++i) {
        const bool is_written = n ? i % 4 == 0 || i % 4 == 3 : i % 4 == 1;
        ASSERT_EQ(written[i], is_written ? in[0] + (i % 4 == 3) : 5) << n << ", " << i;
      }
      if (items == 20)
        expect_none();
      else
        EXPECT_EQ(only("out-of-bounds")["global_id"][0], 20);
    }
}

TEST_F(Checks, GivenAConstantTable_WhenAnIndexIsOutside_ThenItIsFound) {
  run_case("TABLE", 20, 20, Ints(1, 0), 2);
  expect_none();
  run_case("TABLE", 20, 20, Ints(1, 0), 3);
  EXPECT_EQ(only("out-of-bounds")["object"], "table");
}

TEST_F(Checks, GivenVectors_WhenTheyAreMisaligned_ThenTheyAreFound) {
  const Ints in = random_ints(84);
  Ints out = run_case("MISALIGNED", 20, 20, in, 4);
  for (size_t i = 0; i < 20; ++i) ASSERT_EQ(out[i], in[4 * i + 6]);
  expect_none();
  run_case("MISALIGNED", 20, 20, in, 2);
  EXPECT_EQ(only("misaligned")["object"], "in");
}

TEST_F(Checks, GivenRights_WhenAKernelIgnoresThem_ThenItIsFound) {
  const Ints in = random_ints(30);
  for (const cl_mem_flags flags : {CL_MEM_READ_ONLY, CL_MEM_WRITE_ONLY}) {
    build_case("ROW");
    const bool writes = flags == CL_MEM_READ_ONLY;
    cl_mem out = part(Ints(30, 5), writes ? flags : CL_MEM_READ_WRITE), input = part(in, writes ? CL_MEM_READ_WRITE : flags);
    set(0, out);
    set(1, input);
    set(2, 0);
    launch(30, 0);
    EXPECT_EQ(contents(whole_[whole_.size() - 2], 30), Ints(30, writes ? 5 : 1));
    EXPECT_EQ(only(writes ? "read-only" : "write-only")["object"], writes ? "out" : "in");
  }
}

TEST_F(Checks, GivenANullArgument_WhenItIsUsed_ThenItIsFound) {
  build_case("ROW");
  cl_mem none = nullptr;
  set(0, part(Ints(9, 5)));
  set(1, none);
  set(2, 0);
  launch(9, 0);
  EXPECT_EQ(contents(whole_.back(), 9), Ints(9, 1));
  EXPECT_EQ(only("null-pointer")["object"], "in");
}

TEST_F(Checks, GivenAPointerInAStruct_WhenItsMemoryIsTooSmallOrFreed_ThenItIsFound) {
  struct List {
    cl_int *values;
    cl_int count;
  };
  auto *list = static_cast<List *>(clSVMAlloc(context_, CL_MEM_READ_WRITE, sizeof(List), 0));
  auto *values = static_cast<cl_int *>(clSVMAlloc(context_, CL_MEM_READ_WRITE, 40 * sizeof(cl_int), 0));
  std::fill_n(values, 40, 6);
  list->values = values;
  const auto run_list = [&](cl_int n) {
    build_case("POINTERS");
    set(0, part(Ints(40, -1)));
    ASSERT_EQ(clSetKernelArgSVMPointer(kernel_, 1, list), CL_SUCCESS);
    set(2, n);
    launch(40, 0);
  };
  run_list(0);
  EXPECT_EQ(contents(whole_.back(), 40), Ints(40, 6));
  expect_none();
  run_list(2);
  EXPECT_EQ(only("out-of-bounds")["bytes"], 160);
  clSVMFree(context_, values);
  run_list(0);
  (void)only("freed-memory");
  list->values = nullptr;
  run_list(0);
  (void)only("null-pointer");
  clSVMFree(context_, list);
}

}  // namespace
}  // namespace upsweep::tests
