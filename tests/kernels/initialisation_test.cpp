// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Uninitialised values that decide a branch, an address or an output are found; correct kernels are not reported.
#include "image_checks.h"
#include "kernel_runner.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <unistd.h>

namespace upsweep::tests {
namespace {

using Json = nlohmann::json;
using Ints = std::vector<cl_int>;

std::string init_log() {
  static const std::string path = testing::TempDir() + "upsweep_init_" + std::to_string(getpid()) + ".json";
  return path;
}

// The driver reads its environment when it is loaded.
const bool is_checked = [] {
  if (const char *with = std::getenv("UPSWEEP_TEST_CHECKS"))
    return setenv("UPSWEEP_CHECK", with, 1) == 0 && setenv("UPSWEEP_CHECK_LOG", init_log().c_str(), 1) == 0;
  return setenv("UPSWEEP_CHECK", "init", 1) == 0 && setenv("UPSWEEP_CHECK_LOG", init_log().c_str(), 1) == 0;
}();

constexpr size_t kItems = 256;

class Initialisation : public KernelRunner {
protected:
  void SetUp() override {
    if (tested_device_type() != CL_DEVICE_TYPE_CPU) GTEST_SKIP() << "only the CPU device checks kernels";
    KernelRunner::SetUp();
    std::remove(init_log().c_str());
  }
  void TearDown() override {
    for (cl_mem memory : memory_) clReleaseMemObject(memory);
    std::remove(init_log().c_str());
    KernelRunner::TearDown();
  }

  static Json findings() {
    Json found = Json::array();
    std::ifstream file(init_log());
    for (std::string line; std::getline(file, line);) found.push_back(Json::parse(line));
    std::remove(init_log().c_str());
    return found;
  }

  /// Two ints for each work-item; a new buffer without numbers.
  cl_mem buffer(const Ints *numbers) {
    const cl_mem_flags flags = CL_MEM_READ_WRITE | (numbers ? CL_MEM_COPY_HOST_PTR : 0);
    memory_.push_back(clCreateBuffer(context_, flags, 2 * kItems * sizeof(cl_int),
                                     numbers ? const_cast<cl_int *>(numbers->data()) : nullptr, nullptr));
    return memory_.back();
  }

  Ints contents(cl_mem memory) {
    Ints all(2 * kItems);
    EXPECT_EQ(clEnqueueReadBuffer(queue_, memory, CL_TRUE, 0, all.size() * sizeof(cl_int), all.data(), 0, nullptr, nullptr),
              CL_SUCCESS);
    return all;
  }

  void build_case(const std::string &which) {
    static int number = 0;
    release();
    const std::string name = "kernel_" + std::to_string(number++) + "_" + which;
    build("initialisation.cl", name.c_str(), ("-cl-std=CL3.0 -D " + which + " -D NAME=" + name).c_str());
  }

  void launch() {
    const size_t items = kItems, local = 64;
    ASSERT_EQ(clEnqueueNDRangeKernel(queue_, kernel_, 1, nullptr, &items, &local, 0, nullptr, nullptr), CL_SUCCESS);
    ASSERT_EQ(clFinish(queue_), CL_SUCCESS);
  }

  /// Launches a case of initialisation.cl and reads its output; returns the findings.
  Json run_case(const std::string &which) {
    build_case(which);
    const Ints zeros(2 * kItems);
    Ints numbers(2 * kItems);
    for (size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<cl_int>(i * 37 % 64);
    out_ = buffer(&zeros);
    set(0, out_);
    set(1, buffer(&numbers));
    fresh_ = buffer(nullptr);
    set(2, fresh_);
    set(3, static_cast<cl_int>(kItems));
    launch();
    out_contents_ = contents(out_);
    return findings();
  }

  cl_mem image(size_t layers) { return memory_.emplace_back(int_image(context_, layers)); }

  /// Launches a case of image_checks.cl on new images; returns the findings.
  Json run_images(const std::string &which) {
    static int number = 0;
    release();
    const std::string name = "images_" + std::to_string(number++) + "_" + which;
    build("image_checks.cl", name.c_str(), ("-cl-std=CL3.0 -D " + which + " -D NAME=" + name).c_str());
    set(0, buffer(nullptr));
    picture_ = image(0);
    set(1, picture_);
    set(2, image(2));
    set(3, cl_int{0});
    run_for_texels(queue_, kernel_);
    return findings();
  }

  std::vector<cl_mem> memory_;
  cl_mem out_ = nullptr, fresh_ = nullptr, picture_ = nullptr;
  Ints out_contents_;
};

TEST_F(Initialisation, GivenCorrectKernels_WhenTheyRun_ThenNothingIsFound) {
  for (const char *which :
       {"BRANCHES", "GUARDED",     "LOOP",   "VECTORS",  "SHUFFLES", "PADDING",          "BIT_FIELDS",  "UNIONS",
        "MASKS",    "SELECTS",     "LOCALS", "ARRAYS",   "INACTIVE", "WRITTEN_BUFFER",   "PART_COPIED", "ATOMICS",
        "COPIES",   "COLLECTIVES", "MATHS",  "POINTERS", "SWITCHES", "GROUP_COLLECTIVES"}) {
    SCOPED_TRACE(which);
    const Json found = run_case(which);
    EXPECT_TRUE(found.empty()) << found.dump(1);
  }
}

TEST_F(Initialisation, GivenUninitialisedValues_WhenTheyDecide_ThenTheyAreFound) {
  for (const char *which :
       {"BRANCH_PRIVATE", "BRANCH_BUFFER",    "BRANCH_OF_ONE",     "BRANCH_ELEMENT",    "BRANCH_OF_MANY",   "BRANCH_COMPONENT",
        "BRANCH_MEMBER",  "BRANCH_BIT_FIELD", "BRANCH_UNION",      "BRANCH_LOOP",       "BRANCH_SWITCH",    "BRANCH_HELPER",
        "BRANCH_ATOMIC",  "BRANCH_COPIED",    "BRANCH_SUB_GROUP",  "BRANCH_BROADCAST",  "BRANCH_POINTER",   "ADDRESS_BUFFER",
        "ADDRESS_LOCAL",  "OUTPUT_PRIVATE",   "OUTPUT_SUM",        "OUTPUT_SELECTED",   "OUTPUT_CONVERTED", "OUTPUT_ATOMIC",
        "OUTPUT_PRINTED", "BRANCH_GROUP_SUM", "BRANCH_GROUP_SCAN", "BRANCH_GROUP_ITEM", "BRANCH_GROUP_ANY"}) {
    SCOPED_TRACE(which);
    const Json found = run_case(which);
    ASSERT_GE(found.size(), 1U);
    const std::string kind = std::string(which).substr(0, std::string(which).find('_'));
    EXPECT_EQ(found[0]["kind"], "uninitialised");
    EXPECT_EQ(found[0]["access"], kind == "BRANCH" ? "branch" : kind == "ADDRESS" ? "address" : "output") << found.dump(1);
  }
}

TEST_F(Initialisation, GivenOneWorkItem_WhenItsValueIsUninitialised_ThenTheFindingNamesIt) {
  const Json found = run_case("BRANCH_OF_ONE");
  ASSERT_EQ(found.size(), 1U) << found.dump(1);
  EXPECT_EQ(found[0]["global_id"], (Json{37, 0, 0}));
  EXPECT_EQ(found[0]["group_id"], (Json{0, 0, 0}));
  EXPECT_EQ(found[0]["object"], "variable 'l'");
}

TEST_F(Initialisation, GivenAnOutput_WhenTheHostDoesNotReadIt_ThenNothingIsFound) {
  build_case("OUTPUT_PRIVATE");
  const Ints zeros(2 * kItems);
  out_ = buffer(&zeros);
  set(0, out_);
  set(1, buffer(&zeros));
  set(2, buffer(nullptr));
  set(3, cl_int{1});
  launch();
  EXPECT_TRUE(findings().empty());
  // The host overwrites half of it.
  ASSERT_EQ(clEnqueueWriteBuffer(queue_, out_, CL_TRUE, 0, kItems * 2, zeros.data(), 0, nullptr, nullptr), CL_SUCCESS);
  Ints some(kItems / 2);
  ASSERT_EQ(clEnqueueReadBuffer(queue_, out_, CL_TRUE, 0, kItems * 2, some.data(), 0, nullptr, nullptr), CL_SUCCESS);
  EXPECT_TRUE(findings().empty());
  (void)contents(out_);
  const Json found = findings();
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0]["object"], "variable 'value'");
}

TEST_F(Initialisation, GivenANewBuffer_WhenTheHostWritesIt_ThenItIsInitialised) {
  build_case("BRANCH_BUFFER");
  const Ints zeros(2 * kItems);
  const cl_int seven = 7;
  set(0, buffer(&zeros));
  set(1, buffer(&zeros));
  set(3, cl_int{1});
  const size_t bytes = kItems * sizeof(cl_int);
  const auto run = [&](const char *how, auto &&write) {
    SCOPED_TRACE(how);
    cl_mem fresh = buffer(nullptr);
    set(2, fresh);
    write(fresh);
    launch();
    const Json found = findings();
    EXPECT_TRUE(found.empty()) << found.dump(1);
  };
  run("write", [&](cl_mem fresh) {
    EXPECT_EQ(clEnqueueWriteBuffer(queue_, fresh, CL_TRUE, 0, bytes, zeros.data(), 0, nullptr, nullptr), CL_SUCCESS);
  });
  run("fill", [&](cl_mem fresh) {
    EXPECT_EQ(clEnqueueFillBuffer(queue_, fresh, &seven, sizeof seven, 0, bytes, 0, nullptr, nullptr), CL_SUCCESS);
  });
  run("copy", [&](cl_mem fresh) {
    EXPECT_EQ(clEnqueueCopyBuffer(queue_, memory_[0], fresh, 0, 0, bytes, 0, nullptr, nullptr), CL_SUCCESS);
  });
  run("map", [&](cl_mem fresh) {
    void *mapped = clEnqueueMapBuffer(queue_, fresh, CL_TRUE, CL_MAP_WRITE, 0, bytes, 0, nullptr, nullptr, nullptr);
    ASSERT_NE(mapped, nullptr);
    std::memset(mapped, 0, bytes);
    EXPECT_EQ(clEnqueueUnmapMemObject(queue_, fresh, mapped, 0, nullptr, nullptr), CL_SUCCESS);
  });
  run("rectangle", [&](cl_mem fresh) {
    const size_t origin[3] = {}, region[3] = {bytes / 4, 4, 1};
    EXPECT_EQ(
        clEnqueueWriteBufferRect(queue_, fresh, CL_TRUE, origin, origin, region, 0, 0, 0, 0, zeros.data(), 0, nullptr, nullptr),
        CL_SUCCESS);
  });
  cl_mem copy_of_nothing = buffer(nullptr);
  EXPECT_EQ(clEnqueueCopyBuffer(queue_, buffer(nullptr), copy_of_nothing, 0, 0, bytes, 0, nullptr, nullptr), CL_SUCCESS);
  set(2, copy_of_nothing);
  launch();
  EXPECT_EQ(findings().size(), 1U);
}

TEST_F(Initialisation, GivenImages_WhenATexelWasNotWritten_ThenItsReadIsFound) {
  for (const char *which : {"WRITTEN", "CONSTANT_CHANNELS"}) {
    const Json found = run_images(which);
    EXPECT_TRUE(found.empty()) << which << found.dump(1);
  }
  Json found = run_images("UNWRITTEN");
  ASSERT_EQ(found.size(), 1U) << found.dump(1);
  EXPECT_EQ(found[0]["access"], "branch");
  EXPECT_EQ(found[0]["object"], "argument 'picture'");
  EXPECT_EQ(found[0]["global_id"][0], 5);
  found = run_images("UNWRITTEN_COORDINATE");
  ASSERT_EQ(found.size(), 1U) << found.dump(1);
  EXPECT_EQ(found[0]["access"], "address");
}

TEST_F(Initialisation, GivenTexelsOfUnwrittenValues_WhenTheHostReadsThem_ThenTheyAreFound) {
  EXPECT_TRUE(run_images("UNWRITTEN_VALUE").empty());
  const size_t origin[3] = {}, region[3] = {16, 16, 1};
  Ints texels(256);
  ASSERT_EQ(clEnqueueReadImage(queue_, picture_, CL_TRUE, origin, region, 0, 0, texels.data(), 0, nullptr, nullptr),
            CL_SUCCESS);
  const Json found = findings();
  ASSERT_EQ(found.size(), 1U) << found.dump(1);
  EXPECT_EQ(found[0]["access"], "output");
  EXPECT_TRUE(run_images("WRITTEN").empty());
  ASSERT_EQ(clEnqueueReadImage(queue_, picture_, CL_TRUE, origin, region, 0, 0, texels.data(), 0, nullptr, nullptr),
            CL_SUCCESS);
  EXPECT_TRUE(findings().empty());
}

TEST_F(Initialisation, GivenAPipe_WhenAReservedPacketWasNotWritten_ThenItsReadIsFound) {
  for (const cl_int written : {4, 3}) {
    static int number = 0;
    const std::string define = " -D NAME_OF(x)=x##_" + std::to_string(number);
    memory_.push_back(clCreatePipe(context_, CL_MEM_HOST_NO_ACCESS, sizeof(cl_int), 8, nullptr, nullptr));
    cl_mem packets = memory_.back();
    for (const char *kernel : {"write_packets_", "read_packets_"}) {
      release();
      build("pipe_checks.cl", (kernel + std::to_string(number)).c_str(), ("-cl-std=CL3.0" + define).c_str());
      set(0, buffer(nullptr));
      set(1, packets);
      set(2, written);
      const size_t one = 1;
      ASSERT_EQ(clEnqueueNDRangeKernel(queue_, kernel_, 1, nullptr, &one, nullptr, 0, nullptr, nullptr), CL_SUCCESS);
      ASSERT_EQ(clFinish(queue_), CL_SUCCESS);
    }
    ++number;
    const Json found = findings();
    ASSERT_EQ(found.size(), written == 4 ? 0U : 1U) << found.dump(1);
    if (written == 3) EXPECT_EQ(found[0]["access"], "branch");
  }
}

TEST_F(Initialisation, GivenCheckedKernels_WhenTheyRun_ThenTheirResultsAreRight) {
  (void)run_case("LOCALS");
  EXPECT_EQ(out_contents_[64], 63 * 64 / 2);
  (void)run_case("ARRAYS");
  EXPECT_EQ(out_contents_[0], 0);
  (void)run_case("SWITCHES");
  EXPECT_EQ(out_contents_[1], 7);  // in[1] is 37
}

}  // namespace
}  // namespace upsweep::tests
