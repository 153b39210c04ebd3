// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Races of kernels are found with both accesses; correct kernels are not reported.
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

std::string race_log() {
  static const std::string path = testing::TempDir() + "upsweep_races_" + std::to_string(getpid()) + ".json";
  return path;
}

// The driver reads its environment when it is loaded.
const bool is_checked = [] {
  return setenv("UPSWEEP_CHECK", "race", 1) == 0 && setenv("UPSWEEP_CHECK_LOG", race_log().c_str(), 1) == 0;
}();

constexpr size_t kItems = 256, kInts = 8192;

class Races : public KernelRunner {
protected:
  void SetUp() override {
    if (tested_device_type() != CL_DEVICE_TYPE_CPU) GTEST_SKIP() << "only the CPU device checks kernels";
    KernelRunner::SetUp();
    std::remove(race_log().c_str());
  }
  void TearDown() override {
    for (cl_mem memory : memory_) clReleaseMemObject(memory);
    std::remove(race_log().c_str());
    KernelRunner::TearDown();
  }

  static Json findings() {
    Json found = Json::array();
    std::ifstream file(race_log());
    for (std::string line; std::getline(file, line);) found.push_back(Json::parse(line));
    std::remove(race_log().c_str());
    return found;
  }

  cl_mem zeros() {
    const Ints all(kInts);
    memory_.push_back(clCreateBuffer(context_, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, kInts * sizeof(cl_int),
                                     const_cast<cl_int *>(all.data()), nullptr));
    return memory_.back();
  }

  Ints contents(cl_mem memory) {
    Ints all(kInts);
    EXPECT_EQ(clEnqueueReadBuffer(queue_, memory, CL_TRUE, 0, kInts * sizeof(cl_int), all.data(), 0, nullptr, nullptr),
              CL_SUCCESS);
    return all;
  }

  void launch(size_t items = kItems) {
    const size_t local = 64;
    ASSERT_EQ(clEnqueueNDRangeKernel(queue_, kernel_, 1, nullptr, &items, &local, 0, nullptr, nullptr), CL_SUCCESS);
    ASSERT_EQ(clFinish(queue_), CL_SUCCESS);
  }

  /// Builds a case of races.cl under a name of its own, and launches it; returns the findings.
  Json run_case(const std::string &which) {
    static int number = 0;
    release();
    name_ = "kernel_" + std::to_string(number++) + "_" + which;
    build("races.cl", name_.c_str(), ("-cl-std=CL3.0 -D " + which + " -D NAME=" + name_).c_str());
    out_ = zeros();
    in_ = zeros();
    set(0, out_);
    set(1, in_);
    set(2, cl_int{kItems});
    launch();
    return findings();
  }

  cl_mem image(size_t layers) { return memory_.emplace_back(int_image(context_, layers)); }

  /// Launches a case of image_checks.cl on new images; returns the findings.
  Json run_images(const std::string &which) {
    static int number = 0;
    release();
    const std::string name = "images_" + std::to_string(number++) + "_" + which;
    build("image_checks.cl", name.c_str(), ("-cl-std=CL3.0 -D " + which + " -D NAME=" + name).c_str());
    set(0, zeros());
    picture_ = image(0);
    set(1, picture_);
    set(2, image(2));
    set(3, cl_int{0});
    run_for_texels(queue_, kernel_);
    return findings();
  }

  static size_t count(const Json &found, const std::string &kind) {
    return static_cast<size_t>(std::ranges::count_if(found, [&](const Json &each) { return each["kind"] == kind; }));
  }

  std::string name_;
  std::vector<cl_mem> memory_;
  cl_mem out_ = nullptr, in_ = nullptr, picture_ = nullptr;
};

TEST_F(Races, GivenCorrectKernels_WhenTheyRun_ThenNothingIsFound) {
  for (const char *which : {"OWN",
                            "NEIGHBOUR_BARRIER",
                            "REDUCTION",
                            "LOOP_BARRIER",
                            "LEADER",
                            "BYTES",
                            "UNALIGNED",
                            "VECTORS",
                            "COMPONENTS",
                            "ATOMICS",
                            "ATOMIC_HALVES",
                            "EXCHANGE",
                            "ATOMIC_INITIALISED",
                            "ATOMIC_SCOPE_IN_GROUP",
                            "LAST_GROUP",
                            "LAST_GROUP_FENCES",
                            "CHAIN",
                            "LOCK",
                            "SUB_GROUP",
                            "COPY",
                            "COPY_AFTER_BARRIER",
                            "COLLECTIVE",
                            "CONDITION",
                            "STRUCTS"}) {
    SCOPED_TRACE(which);
    const Json found = run_case(which);
    EXPECT_TRUE(found.empty()) << found.dump(1);
  }
}

TEST_F(Races, GivenKernelsWithRaces_WhenTheyRun_ThenTheyAreFound) {
  for (const char *which : {"ONE_PLACE",
                            "ONE_PLACE_OF_TWO",
                            "NEIGHBOUR",
                            "NEIGHBOUR_WRONG_BARRIER",
                            "NEXT_GROUP",
                            "REDUCTION_WITHOUT_BARRIER",
                            "WRITE_AFTER_READ",
                            "LOOP",
                            "LEADER_WITHOUT_BARRIER",
                            "BYTE_OF_NEIGHBOUR",
                            "WORD_OVER_BYTE",
                            "VECTORS_OVERLAP",
                            "COMPONENTS_OVERLAP",
                            "GATHER",
                            "ATOMIC_HALF_AND_WRITE",
                            "ATOMIC_AND_WRITE",
                            "ATOMIC_AND_READ",
                            "ATOMIC_BEFORE_READ",
                            "EXCHANGE_AND_WRITE",
                            "ATOMIC_UNINITIALISED",
                            "ATOMIC_SCOPE",
                            "LAST_GROUP_RELAXED",
                            "LAST_GROUP_NARROW",
                            "LAST_GROUP_WITHOUT_BARRIER",
                            "CHAIN_RELAXED",
                            "SUB_GROUP_BEYOND",
                            "COPY_WITHOUT_WAIT",
                            "COPY_BEFORE_BARRIER",
                            "PROGRAM_SCOPE"}) {
    SCOPED_TRACE(which);
    const Json found = run_case(which);
    EXPECT_GT(count(found, "race"), 0U) << found.dump(1);
    for (const Json &each : found) {
      EXPECT_EQ(each["kernel"], name_);
      EXPECT_GT(each["line"], 0);
      EXPECT_GT(each["other"]["line"], 0);
    }
  }
}

TEST_F(Races, GivenWritesOfOneValue_WhenTheyRun_ThenTheyAreAKindOfTheirOwn) {
  const Json found = run_case("ONE_PLACE_EQUAL");
  ASSERT_EQ(found.size(), 1U) << found.dump(1);
  EXPECT_EQ(found[0]["kind"], "race-of-equal-values");
  EXPECT_EQ(found[0]["value"], std::to_string(kItems));
  EXPECT_EQ(contents(out_)[0], static_cast<cl_int>(kItems));
}

TEST_F(Races, GivenTwoWriters_WhenTheyRace_ThenTheFindingNamesBoth) {
  const Json found = run_case("ONE_PLACE_OF_TWO");
  ASSERT_EQ(found.size(), 1U) << found.dump(1);
  const Json &race = found[0];
  EXPECT_EQ(race["object"], "out");
  EXPECT_EQ(race["offset"], 28);
  EXPECT_EQ(race["width"], 4);
  EXPECT_EQ(race["global_id"], (Json{5, 0, 0}));
  EXPECT_EQ(race["local_id"], (Json{5, 0, 0}));
  EXPECT_EQ(race["group_id"], (Json{0, 0, 0}));
  EXPECT_EQ(race["other"]["global_id"], (Json{3, 0, 0}));
  EXPECT_EQ(race["other"]["line"], race["line"]);
  EXPECT_EQ(race["other"]["access"], "write");
  EXPECT_EQ(race["value"], "5");
}

TEST_F(Races, GivenALocalVariable_WhenItsLeaderRaces_ThenOneFindingHasBothPlaces) {
  const Json found = run_case("LEADER_WITHOUT_BARRIER");
  ASSERT_EQ(found.size(), 1U) << found.dump(1);
  const Json &race = found[0];
  EXPECT_EQ(race["object"], "one");
  EXPECT_EQ(race["access"], "read");
  EXPECT_EQ(race["other"]["access"], "write");
  EXPECT_EQ(race["other"]["local_id"], (Json{0, 0, 0}));
  EXPECT_EQ(race["line"].get<int>(), race["other"]["line"].get<int>() + 1);
  EXPECT_EQ(race["group_id"], race["other"]["group_id"]);
}

TEST_F(Races, GivenGroupsThatRace_WhenTheyRun_ThenTheGroupsDiffer) {
  const Json found = run_case("NEXT_GROUP");
  ASSERT_GT(found.size(), 0U);
  EXPECT_NE(found[0]["group_id"], found[0]["other"]["group_id"]);
  // One writes its own element, the other reads it from 64 elements before.
  const int first = found[0]["global_id"][0], second = found[0]["other"]["global_id"][0];
  EXPECT_EQ(std::abs(first - second), 64);
}

TEST_F(Races, GivenOneBufferForTwoArguments_WhenOneIsOnlyRead_ThenItsReadsRace) {
  EXPECT_TRUE(run_case("SHIFT").empty());
  set(1, out_);
  launch();
  EXPECT_GT(count(findings(), "race"), 0U);
}

TEST_F(Races, GivenRowsOfAPitch_WhenThePitchIsTooSmall_ThenTheyRace) {
  const auto launch_rows = [&](cl_int pitch) {
    const size_t items[2] = {64, 16}, local[2] = {64, 1};
    set(2, pitch);
    EXPECT_EQ(clEnqueueNDRangeKernel(queue_, kernel_, 2, nullptr, items, local, 0, nullptr, nullptr), CL_SUCCESS);
    EXPECT_EQ(clFinish(queue_), CL_SUCCESS);
    return count(findings(), "race");
  };
  EXPECT_TRUE(run_case("PITCH").empty());
  EXPECT_EQ(launch_rows(64), 0U);
  EXPECT_EQ(launch_rows(65), 0U);
  EXPECT_GT(launch_rows(63), 0U);
}

TEST_F(Races, GivenLaunchesInARow_WhenEachIsCorrect_ThenTheyDoNotRaceWithEachOther) {
  const Json found = run_case("OWN");
  for (int i = 0; i < 4; ++i) {
    set(0, i % 2 ? out_ : in_);
    set(1, i % 2 ? in_ : out_);
    launch();
  }
  EXPECT_TRUE(found.empty() && findings().empty());
}

TEST_F(Races, GivenImages_WhenWorkItemsShareATexel_ThenItIsFoundUnlessABarrierOrdersThem) {
  for (const char *which : {"OWN_TEXELS", "NEIGHBOUR_TEXELS_BARRIER", "ONE_TEXEL_OF_EACH_LAYER", "OUTSIDE"}) {
    const Json found = run_images(which);
    EXPECT_TRUE(found.empty()) << which << found.dump(1);
  }
  for (const char *which : {"NEIGHBOUR_TEXELS", "NEXT_GROUPS_TEXELS", "ONE_TEXEL"}) {
    const Json found = run_images(which);
    ASSERT_EQ(found.size(), 1U) << which << found.dump(1);
    EXPECT_EQ(found[0]["kind"], "race");
    EXPECT_EQ(found[0]["object"], std::string(which) == "ONE_TEXEL" ? "layers" : "picture");
    EXPECT_GT(found[0]["other"]["line"], 0);
  }
}

TEST_F(Races, GivenCheckedKernels_WhenTheyRun_ThenTheirResultsAreRight) {
  (void)run_case("CHAIN");
  EXPECT_EQ(contents(out_)[3], 0);
  (void)run_case("LOCK");
  EXPECT_EQ(contents(out_)[0], static_cast<cl_int>(kItems));
  (void)run_case("ATOMICS");
  EXPECT_EQ(contents(out_)[0], static_cast<cl_int>(kItems));
  EXPECT_EQ(contents(out_)[1], static_cast<cl_int>(kItems));
  EXPECT_EQ(contents(out_)[2], 63);
  (void)run_case("COLLECTIVE");
  EXPECT_EQ(contents(out_)[70], 63 * 64 / 2);
}

}  // namespace
}  // namespace upsweep::tests
