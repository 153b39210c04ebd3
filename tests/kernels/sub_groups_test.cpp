// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Collectives, with a step-by-step model of the set of active work-items.
#include "kernel_runner.h"

#include <CL/cl_ext.h>

namespace upsweep::tests {
namespace {

using Lanes = std::vector<size_t>;

// Calls `check` with the local ids of each sub-group.
void for_each_sub_group(size_t local, size_t lanes, const std::function<void(const Lanes &)> &check) {
  for (size_t first = 0; first < local; first += lanes) {
    Lanes ids;
    for (size_t i = first; i < std::min(first + lanes, local); ++i) ids.push_back(i);
    check(ids);
  }
}

TEST_F(KernelRunner, GivenSubGroupFunctionsOnBothSidesOfABranch_WhenRun_ThenEachSideCountsItself) {
  build("sub_groups.cl", "both_sides");
  for (size_t local : {1, 7, 16, 40, 128}) {
    const Range range{{local, 1, 1}, {local, 1, 1}};
    std::vector<cl_int> wanted(local);
    for_each_sub_group(local, sub_group_size(range), [&](const Lanes &ids) {
      cl_int thirds = 0, others = 0;
      for (size_t i : ids) thirds += i % 3 == 0 ? static_cast<cl_int>(i) : 0;
      for (size_t i : ids) {
        wanted[i] = i % 3 == 0 ? thirds : 1000 + others;
        others += i % 3 == 0 ? 0 : static_cast<cl_int>(i);
      }
    });
    EXPECT_EQ(run(range, local), wanted) << local;
  }
}

TEST_F(KernelRunner, GivenALoopThatWorkItemsLeaveAndSkipPartsOf_WhenRun_ThenTheRestMeetsInEveryRound) {
  build("sub_groups.cl", "shrinking_loop");
  for (size_t local : {1, 7, 16, 40, 128}) {
    const Range range{{local, 1, 1}, {local, 1, 1}};
    std::vector<cl_int> wanted(local, 0);
    for_each_sub_group(local, sub_group_size(range), [&](const Lanes &ids) {
      for (size_t round = 0; round < 3; ++round) {
        Lanes inside, second;
        for (size_t i : ids)
          if (round < i % 4) inside.push_back(i);
        for (size_t i : inside)
          if ((round + i) % 2 == 0) second.push_back(i);
        for (size_t i : inside) wanted[i] += static_cast<cl_int>(inside.size());
        for (size_t i : second) wanted[i] += 100 * static_cast<cl_int>(second.back());
      }
      for (size_t i : ids) wanted[i] += 100000 * static_cast<cl_int>(ids.size());
    });
    EXPECT_EQ(run(range, local), wanted) << local;
  }
}

TEST_F(KernelRunner, GivenSubGroupFunctionsInCases_WhenSomeWorkItemsHaveLeft_ThenEachCaseCountsItself) {
  build("sub_groups.cl", "cases");
  for (size_t local : {1, 7, 16, 40, 128}) {
    const Range range{{local, 1, 1}, {local, 1, 1}};
    std::vector<cl_int> wanted(local);
    for (size_t i = 0; i < local; ++i) wanted[i] = i % 7 == 6 ? -1 : 0;
    for_each_sub_group(local, sub_group_size(range), [&](const Lanes &ids) {
      for (size_t round = 0; round < 2; ++round) {
        Lanes at[3];  // cases 0 and 1, and the ballot
        for (size_t i : ids) {
          const size_t chosen = (i + round) % 4;
          if (i % 7 != 6 && !(chosen == 2 && i & 8)) at[std::min<size_t>(chosen, 2)].push_back(i);
        }
        for (size_t factor : {1, 2}) {
          cl_int sum = 0;
          for (size_t i : at[factor - 1]) sum += static_cast<cl_int>(factor * i);
          for (size_t i : at[factor - 1]) sum += factor * i == 8 ? 100000 : 0;
          for (size_t i : at[factor - 1]) wanted[i] += static_cast<cl_int>(2 * factor - 1) * sum;
        }
        for (size_t i : at[2]) wanted[i] += static_cast<cl_int>(at[2].size()) + 1000;
      }
    });
    EXPECT_EQ(run(range, local), wanted) << local;
  }
}

TEST_F(KernelRunner, GivenClustersWithInactiveWorkItems_WhenReduced_ThenTheActiveOnesCount) {
  build("sub_groups.cl", "clusters");
  constexpr cl_uint kPatterns[] = {0xffffffff, 0x00010009, 0xb7b7b7b7, 0x55555555, 0x80018001, 0xf0f0f0f0, 0x12345678};
  for (size_t local : {1, 7, 16, 40, 128}) {
    const Range range{{local, 1, 1}, {local, 1, 1}};
    std::vector<cl_int> wanted(local);
    for_each_sub_group(local, sub_group_size(range), [&](const Lanes &ids) {
      for (const size_t i : ids) {
        const size_t lane = i - ids.front();
        cl_uint result = 0;
        for (cl_uint p = 0; p < std::size(kPatterns); ++p) {
          if (!(kPatterns[p] >> lane & 1)) continue;
          const auto reduce = [&](size_t size, cl_uint start, auto operation) {
            for (size_t other = 0; other < ids.size(); ++other)
              if (other / size == lane / size && kPatterns[p] >> other & 1)
                start = operation(start, (static_cast<cl_uint>(ids[other]) + 1) * 0x9e3779b9U + p);
            return start;
          };
          const cl_uint sum = reduce(4, 0, std::plus<>()), own = reduce(1, 0, std::plus<>());
          const cl_uint most = reduce(8, 0, [](cl_uint a, cl_uint b) { return std::max(a, b); });
          result = 31 * result + sum + 3 * most;
          result = 31 * result + reduce(2, 0, std::bit_xor<>()) + 5 * own;
        }
        wanted[i] = static_cast<cl_int>(result);
      }
    });
    EXPECT_EQ(run(range, local), wanted) << local;
  }
}

TEST_F(KernelRunner, GivenWorkGroupCollectivesInARow_WhenRun_ThenTheyDoNotDisturbEachOther) {
  build("sub_groups.cl", "scans_of_work_group");
  for (size_t local : {1, 7, 16, 40, 128, 1000, 1024, 4096}) {
    if (!fits({{local, 1, 1}, {local, 1, 1}})) continue;
    cl_int highest = 0;
    for (size_t i = 0; i < local; ++i) highest = std::max(highest, static_cast<cl_int>(i ^ 5));
    EXPECT_EQ(run({{3 * local, 1, 1}, {local, 1, 1}}, 3 * local),
              expected(3 * local,
                       [&](size_t g) {
                         const size_t i = g % local;
                         return i * (i - 1) / 2 + 3 * static_cast<size_t>(highest) + 5 * (local / 3 * 7) + (local > 2) + 1;
                       }))
        << local;
  }
}

TEST_F(KernelRunner, GivenARequiredSubGroupSize_WhenRun_ThenSubGroupsHaveIt) {
  const std::vector<size_t> sizes = tests_a_gpu() ? std::vector<size_t>{32} : std::vector<size_t>{4, 8, 16, 32};
  for (const size_t size : sizes) {
    SCOPED_TRACE(size);
    build("sub_groups.cl", "of_required_size", ("-cl-std=CL3.0 -DSIZE=" + std::to_string(size)).c_str());
    size_t required = 0;
    EXPECT_EQ(clGetKernelSubGroupInfo(kernel_, device_, CL_KERNEL_COMPILE_SUB_GROUP_SIZE_INTEL, 0, nullptr, sizeof required,
                                      &required, nullptr),
              CL_SUCCESS);
    EXPECT_EQ(required, size);
    for (const size_t local : {1, 7, 32, 45, 200}) {
      const Range range{{local, 1, 1}, {local, 1, 1}};
      EXPECT_EQ(sub_group_size(range), size);
      EXPECT_EQ(run(range, local), expected(local,
                                            [&](size_t i) {
                                              const size_t first = i / size * size, before = i - first;
                                              const size_t count = std::min(size, local - first),
                                                           other = first + std::min(before ^ 1, count - 1);
                                              return 1000000 * size + 10000 * count + 100 * (before + 1) + other % 100;
                                            }))
          << local;
    }
    release();
  }
}

TEST_F(KernelRunner, GivenASubGroupSizeThatIsNotThere_WhenBuilt_ThenTheLogSaysWhichAre) {
  for (const char *size : {"1", "2", "3", "24", "64"}) {
    const std::string log = failed_build("sub_groups.cl", std::string("-cl-std=CL3.0 -DSIZE=") + size);
    EXPECT_NE(log.find(tests_a_gpu() ? "the GPU supports 32" : "4, 8, 16 and 32"), std::string::npos) << log;
    release();
  }
}

}  // namespace
}  // namespace upsweep::tests
