// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Barriers, collectives and async copies that not all work-items reach alike are found with their place and two work-items;
// correct kernels are not reported.
#include "kernel_runner.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <thread>
#include <unistd.h>

namespace upsweep::tests {
namespace {

using Json = nlohmann::json;
using Ints = std::vector<cl_int>;

std::string barriers_log() {
  static const std::string path = testing::TempDir() + "upsweep_barriers_" + std::to_string(getpid()) + ".json";
  return path;
}

// The driver reads its environment when it is loaded.
const bool has_barrier_checks = [] {
  return setenv("UPSWEEP_CHECK", "barrier", 1) == 0 && setenv("UPSWEEP_CHECK_LOG", barriers_log().c_str(), 1) == 0 &&
         setenv("UPSWEEP_CHECK_WAIT_S", "1", 1) == 0;
}();

/// The first line of barriers.cl behind `#ifdef which` that ends with the comment `mark`.
int line_of(const std::string &which, const std::string &mark) {
  std::ifstream file(UPSWEEP_TEST_KERNELS "/barriers.cl");
  bool is_inside = false;
  int number = 0;
  for (std::string line; std::getline(file, line);) {
    ++number;
    if (line == "#ifdef " + which) is_inside = true;
    if (is_inside && line.ends_with("// " + mark)) return number;
  }
  return 0;
}

class BarrierChecks : public KernelRunner {
protected:
  void SetUp() override {
    if (tested_device_type() != CL_DEVICE_TYPE_CPU) GTEST_SKIP() << "only the CPU device checks kernels";
    ASSERT_TRUE(has_barrier_checks);
    KernelRunner::SetUp();
    std::remove(barriers_log().c_str());
  }
  void TearDown() override {
    std::remove(barriers_log().c_str());
    KernelRunner::TearDown();
  }

  static Json findings() {
    Json found = Json::array();
    std::ifstream file(barriers_log());
    for (std::string line; std::getline(file, line);) found.push_back(Json::parse(line));
    std::remove(barriers_log().c_str());
    return found;
  }

  void build_case(const std::string &which) {
    static int number = 0;
    release();
    name_ = "kernel_" + std::to_string(number++) + "_" + which;
    build("barriers.cl", name_.c_str(), ("-cl-std=CL3.0 -D " + which + " -D NAME=" + name_).c_str());
  }

  /// Runs a kernel; returns its output.
  Ints run_case(const std::string &which, size_t items, size_t local, const Ints &in, cl_int n) {
    build_case(which);
    cl_mem input =
        clCreateBuffer(context_, CL_MEM_COPY_HOST_PTR, in.size() * sizeof(cl_int), const_cast<cl_int *>(in.data()), nullptr);
    set(1, input);
    set(2, n);
    const Ints out = run({{items, 1, 1}, {local, 1, 1}}, items);
    clReleaseMemObject(input);
    return out;
  }

  /// The only finding, at the line with the mark `barrier`.
  Json only(const char *kind, const std::string &which) {
    Json found = findings();
    EXPECT_EQ(found.size(), 1U) << which << ": " << found.dump(1);
    if (found.size() != 1) return {{"local_id", {-1, -1, -1}}, {"notes", {""}}, {"message", ""}};
    EXPECT_EQ(found[0]["kind"], kind);
    EXPECT_EQ(found[0]["kernel"], name_);
    EXPECT_EQ(found[0]["line"], line_of(which, "barrier"));
    return found[0];
  }
  static void expect_none() {
    const Json found = findings();
    EXPECT_TRUE(found.empty()) << found.dump(1);
  }
  static std::string notes(const Json &found) { return found["notes"].dump(); }
  static std::string condition(const std::string &which) { return ":" + std::to_string(line_of(which, "condition")) + ":"; }

  std::string name_;
};

Ints numbers(size_t count) {
  Ints all(count);
  for (size_t i = 0; i < count; ++i) all[i] = static_cast<cl_int>(i);
  return all;
}

std::string local(size_t id) { return "local id (" + std::to_string(id) + ", 0, 0)"; }

/// Work-groups of less than a sub-group, of one, of whole and of other numbers of sub-groups.
constexpr size_t kGroups[] = {2, 7, 8, 16, 17, 48, 100};

TEST_F(BarrierChecks, GivenAnEarlyReturn_WhenSomeItemsTakeIt_ThenTheBarrierIsFound) {
  for (const size_t group : kGroups) {
    SCOPED_TRACE(group);
    const Ints in = numbers(3 * group);
    EXPECT_EQ(run_case("EARLY_RETURN", 3 * group, group, in, static_cast<cl_int>(group)), in);
    expect_none();
    for (const size_t n : {size_t{1}, group / 2, group - 1}) {
      const Ints out = run_case("EARLY_RETURN", 3 * group, group, in, static_cast<cl_int>(n));
      for (size_t i = 0; i < 3 * group; ++i) ASSERT_EQ(out[i], i % group < n ? in[i] : -1);
      const Json all = findings();
      // Work-groups on other threads count as further findings, which the end of the process logs.
      ASSERT_EQ(all.size(), 1U) << all.dump(1);
      const Json &found = all[0];
      EXPECT_EQ(found["kind"], "divergent-barrier");
      EXPECT_EQ(found["line"], line_of("EARLY_RETURN", "barrier"));
      EXPECT_LT(found["local_id"][0], n);
      EXPECT_NE(notes(found).find(local(n) + ", group"), std::string::npos) << notes(found);
      EXPECT_NE(notes(found).find("ends without it"), std::string::npos) << notes(found);
      EXPECT_NE(notes(found).find(condition("EARLY_RETURN")), std::string::npos) << notes(found);
    }
  }
}

TEST_F(BarrierChecks, GivenABarrierInABranch_WhenOneItemTakesIt_ThenItIsFoundAndTheNextIsNamed) {
  for (const size_t group : kGroups)
    for (const size_t n : {size_t{0}, group - 1}) {
      SCOPED_TRACE(testing::Message() << group << ", " << n);
      const Ints out = run_case("IN_BRANCH", group, group, numbers(group), static_cast<cl_int>(n));
      EXPECT_EQ(out, numbers(group));
      const Json found = only("divergent-barrier", "IN_BRANCH");
      EXPECT_EQ(found["local_id"][0], n);
      EXPECT_NE(notes(found).find("comes to barrier() at"), std::string::npos) << notes(found);
      EXPECT_NE(notes(found).find(condition("IN_BRANCH")), std::string::npos) << notes(found);
    }
  run_case("IN_BRANCH", 16, 16, numbers(16), 99);
  expect_none();
}

TEST_F(BarrierChecks, GivenABarrierOnEachPath_WhenItemsTakeBoth_ThenTheyAreFound) {
  for (const size_t group : kGroups) {
    EXPECT_EQ(run_case("TWO_BARRIERS", group, group, numbers(group), static_cast<cl_int>(group)), numbers(group));
    expect_none();
    EXPECT_EQ(run_case("TWO_BARRIERS", group, group, numbers(group), 1), numbers(group));
    const Json all = findings();
    ASSERT_EQ(all.size(), 1U) << all.dump(1);
    EXPECT_EQ(all[0]["kind"], "divergent-barrier");
    const int line = all[0]["line"], first = line_of("TWO_BARRIERS", "barrier"), second = line_of("TWO_BARRIERS", "other");
    EXPECT_TRUE(line == first || line == second) << line;
    EXPECT_NE(notes(all[0]).find(":" + std::to_string(line == first ? second : first) + ":"), std::string::npos) << all[0];
  }
}

TEST_F(BarrierChecks, GivenALoop_WhenAnItemHasFewerIterations_ThenItsBarrierIsFound) {
  for (const size_t group : kGroups) {
    SCOPED_TRACE(group);
    Ints in(group, 5);
    run_case("TRIPS", group, group, in, 0);
    expect_none();
    in[group - 1] = 3;
    EXPECT_EQ(run_case("TRIPS", group, group, in, 0), numbers(group));
    const Json found = only("divergent-barrier", "TRIPS");
    EXPECT_NE(notes(found).find(local(group - 1)), std::string::npos) << notes(found);
    EXPECT_NE(notes(found).find(condition("TRIPS")), std::string::npos) << notes(found);
  }
}

TEST_F(BarrierChecks, GivenCorrectKernels_WhenConditionsDifferOrOnlySeemTo_ThenNothingIsFound) {
  for (const size_t group : kGroups) {
    EXPECT_EQ(run_case("EITHER", group, group, numbers(group), 0), numbers(group));
    expect_none();
    Ints in = numbers(group);
    in[0] = 6, in[1] = 4;
    EXPECT_EQ(run_case("UNIFORM", group, group, in, 0), numbers(group));
    expect_none();
    run_case("COLLECTIVE", group, group, in, static_cast<cl_int>(group));
    expect_none();
    run_case("BROADCAST", group, group, in, -1);
    expect_none();
    run_case("COPY", group, group, numbers(16 + group), -1);
    expect_none();
    run_case("COPY_OF_ONE", group, group, numbers(16 + group), -1);
    expect_none();
    run_case("COPY_LATER", group, group, numbers(16 + group), -1);
    expect_none();
    run_case("UNWAITED", group, group, numbers(16 + group), 1);
    expect_none();
    EXPECT_EQ(run_case("SUB_GROUP", group, group, in, 1000), Ints(group, 1));
    expect_none();
    run_case("IN_FUNCTION", group, group, in, 0);
    expect_none();
  }
}

TEST_F(BarrierChecks, GivenCollectives_WhenItemsMissThemOrDifferInArguments_ThenTheyAreFound) {
  for (const size_t group : kGroups) {
    SCOPED_TRACE(group);
    const Ints in = numbers(16 + group);
    run_case("COLLECTIVE", group, group, in, 1);
    EXPECT_NE(notes(only("divergent-barrier", "COLLECTIVE")).find("ends without it"), std::string::npos);
    run_case("BROADCAST", group, group, in, 1);
    const Json broadcast = only("divergent-argument", "BROADCAST");
    EXPECT_NE(broadcast["message"].get<std::string>().find("'local_id_x' of work_group_broadcast()"), std::string::npos);
    EXPECT_EQ(broadcast["local_id"][0], 1);
    run_case("COPY", group, group, in, 1);
    const Json copy = only("divergent-argument", "COPY");
    EXPECT_NE(copy["message"].get<std::string>().find("'num_gentypes' of async_work_group_copy()"), std::string::npos);
    EXPECT_NE(notes(copy).find("with the value 8"), std::string::npos) << notes(copy);
    run_case("COPY_OF_ONE", group, group, in, 1);
    EXPECT_EQ(only("divergent-barrier", "COPY_OF_ONE")["local_id"][0], 1);
    run_case("UNWAITED", group, group, in, 0);
    (void)only("unwaited-copy", "UNWAITED");
  }
}

TEST_F(BarrierChecks, GivenSeveralCopiesBetweenBarriers_WhenOneItemMissesOneOrDiffers_ThenItIsFound) {
  for (const size_t group : {16, 40, 64}) {
    SCOPED_TRACE(group);
    const Ints in = numbers(16 + group);
    Ints sums(group);
    for (size_t i = 0; i < group; ++i) sums[i] = 2 * in[i % 16] + in[i % 8];
    EXPECT_EQ(run_case("COPIES", group, group, in, -1), sums);
    expect_none();
    EXPECT_EQ(run_case("COPIES", 3 * group, group, in, -1).size(), 3 * group);
    expect_none();
    run_case("COPIES_OF_SIZES", group, group, in, -1);
    expect_none();
    for (const size_t one : {size_t{0}, size_t{1}, group / 2, group - 1}) {
      run_case("COPIES", group, group, in, static_cast<cl_int>(one));
      const Json missed = findings();
      ASSERT_EQ(missed.size(), 1U) << missed.dump(1);
      EXPECT_EQ(missed[0]["kind"], "divergent-barrier");
      EXPECT_NE(missed.dump().find(local(one)), std::string::npos) << missed.dump(1);
      run_case("COPIES_OF_SIZES", group, group, in, static_cast<cl_int>(one));
      const Json differs = only("divergent-argument", "COPIES_OF_SIZES");
      EXPECT_NE(notes(differs).find("with the value"), std::string::npos) << notes(differs);
    }
  }
}

TEST_F(BarrierChecks, GivenASubGroupFunction_WhenALaneMissesIt_ThenItIsFoundForTheSubGroup) {
  for (const size_t group : {7, 8, 17, 48}) {
    SCOPED_TRACE(group);
    run_case("SUB_GROUP", group, group, numbers(group), 2);
    const Json found = only("divergent-barrier", "SUB_GROUP");
    EXPECT_NE(found["message"].get<std::string>().find("work-items of the sub-group"), std::string::npos) << found;
    EXPECT_NE(notes(found).find(local(2)), std::string::npos) << notes(found);
  }
}

TEST_F(BarrierChecks, GivenABarrierInAFunction_WhenOneCallDiverges_ThenItsCallIsNamed) {
  run_case("IN_FUNCTION", 20, 20, numbers(20), 1);
  const Json found = only("divergent-barrier", "IN_FUNCTION");
  EXPECT_NE(notes(found).find(local(1)), std::string::npos) << notes(found);
  EXPECT_FALSE(found["calls"].get<std::string>().empty());
}

TEST_F(BarrierChecks, GivenAnEndlessWait_WhenItLastsTooLong_ThenThePlacesAreNamed) {
  for (const cl_int n : {1, 0}) {
    build_case("WAIT");
    auto *flag = static_cast<volatile cl_int *>(
        clSVMAlloc(context_, CL_MEM_READ_WRITE | CL_MEM_SVM_FINE_GRAIN_BUFFER | CL_MEM_SVM_ATOMICS, sizeof(cl_int), 0));
    ASSERT_NE(flag, nullptr);
    *flag = 0;
    ASSERT_EQ(clSetKernelArgSVMPointer(kernel_, 1, const_cast<cl_int *>(flag)), CL_SUCCESS);
    set(2, n);
    Json found = Json::array();
    std::thread host([&] {
      const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(n ? 0 : 30);
      while (std::chrono::steady_clock::now() < end && found.empty()) {
        found = findings();
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
      }
      if (n == 0) *flag = 1;
    });
    EXPECT_EQ(run({{20, 1, 1}, {20, 1, 1}}, 20), numbers(20));
    host.join();
    clSVMFree(context_, const_cast<cl_int *>(flag));
    if (n) {
      expect_none();
      continue;
    }
    ASSERT_EQ(found.size(), 1U) << found.dump(1);
    EXPECT_EQ(found[0]["kind"], "endless-wait");
    EXPECT_EQ(found[0]["line"], line_of("WAIT", "barrier"));
    EXPECT_NE(notes(found[0]).find("1 work-item polls"), std::string::npos) << notes(found[0]);
    EXPECT_NE(notes(found[0]).find("in barrier() at"), std::string::npos) << notes(found[0]);
    EXPECT_NE(notes(found[0]).find(":" + std::to_string(line_of("WAIT", "other")) + ":"), std::string::npos);
  }
}

}  // namespace
}  // namespace upsweep::tests
