// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Collectives, with a step-by-step model of the set of active work-items.
#include "kernel_runner.h"

#include <CL/cl_ext.h>

#include <climits>

namespace upsweep::tests {
namespace {

using Lanes = std::vector<size_t>;

std::vector<size_t> required_sizes() {
  return tests_a_gpu() ? std::vector<size_t>{8, 16, 32} : std::vector<size_t>{4, 8, 16, 32};
}

/// The size that the compiler chooses and all that a kernel can require, for clusters of eight as well.
class SubGroups : public KernelRunner, public testing::WithParamInterface<size_t> {
protected:
  void build_sized(const char *kernel) {
    const std::string size = GetParam() ? " -DSIZE=" + std::to_string(GetParam()) : "";
    build("sub_groups.cl", kernel, ("-cl-std=CL3.0" + size).c_str());
  }
};
INSTANTIATE_TEST_SUITE_P(, SubGroups, testing::Values(0, 8, 16, 32));

/// The value of a work-item in the kernel all_functions.
cl_int value_of(size_t item) { return static_cast<cl_int>((static_cast<cl_uint>(item) + 1) * 0x9e3779b9U >> 8) - 5000000; }

constexpr size_t kFunctions = 24;

/// The row that all_functions writes for the work-item `i` of a work-group whose first work-item is `base`.
void write_all_functions(size_t i, size_t base, size_t local, size_t lanes, cl_int *out) {
  const size_t lane = i % lanes, first = base + i - lane, count = std::min(lanes, base + local - first);
  const auto value = [&](size_t at) { return value_of(first + at); };
  const auto fold = [&](size_t from, size_t to, cl_int start, auto operation) {
    for (size_t at = from; at < to; ++at) start = operation(start, value(at));
    return start;
  };
  const auto min = [](cl_int a, cl_int b) { return std::min(a, b); };
  const auto max = [](cl_int a, cl_int b) { return std::max(a, b); };
  const auto sum = [](cl_int a, cl_int b) { return static_cast<cl_int>(static_cast<cl_uint>(a) + static_cast<cl_uint>(b)); };
  const auto odd = [&](size_t to) {
    cl_int n = 0;
    for (size_t at = 0; at < to; ++at) n += value(at) & 1;
    return n;
  };
  const auto put = [&](size_t made) { *out++ = static_cast<cl_int>(made); };
  for (const size_t to : {count, lane + 1, lane}) {
    *out++ = fold(0, to, 0, sum);
    *out++ = fold(0, to, INT_MAX, min);
    *out++ = fold(0, to, INT_MIN, max);
  }
  *out++ = value(count - 1);
  put(odd(count) == 0), put(odd(count) != 0);
  *out++ = value((lane ^ 1) < count ? lane ^ 1 : lane);
  *out++ = value(lane > 0 ? lane - 1 : 0);
  *out++ = value(lane + 1 < count ? lane + 1 : lane);
  cl_uint ballot = 0;
  for (size_t at = 0; at < count; ++at) ballot |= static_cast<cl_uint>(value(at) & 1) << at;
  put(ballot), *out++ = odd(lane + 1);
  put((i - lane) / lanes), put((local + lanes - 1) / lanes), put(count), put(lane);
  // The work-items whose numbers have the same last bit: the first, the sum, and this work-item's place.
  size_t head = count, place = 0;
  cl_int total = 0;
  for (size_t at = 0; at < count; ++at) {
    if ((value(at) ^ value(lane)) & 1) continue;
    head = std::min(head, at), place += at < lane, total = sum(total, value(at));
  }
  put(head), *out++ = total, put(place);
}

// Calls `check` with the local ids of each sub-group.
void for_each_sub_group(size_t local, size_t lanes, const std::function<void(const Lanes &)> &check) {
  for (size_t first = 0; first < local; first += lanes) {
    Lanes ids;
    for (size_t i = first; i < std::min(first + lanes, local); ++i) ids.push_back(i);
    check(ids);
  }
}

TEST_P(SubGroups, GivenSubGroupFunctionsOnBothSidesOfABranch_WhenRun_ThenEachSideCountsItself) {
  build_sized("both_sides");
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

TEST_P(SubGroups, GivenALoopThatWorkItemsLeaveAndSkipPartsOf_WhenRun_ThenTheRestMeetsInEveryRound) {
  build_sized("shrinking_loop");
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

TEST_P(SubGroups, GivenSubGroupFunctionsInCases_WhenSomeWorkItemsHaveLeft_ThenEachCaseCountsItself) {
  build_sized("cases");
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

TEST_P(SubGroups, GivenClustersWithInactiveWorkItems_WhenReduced_ThenTheActiveOnesCount) {
  build_sized("clusters");
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

TEST_P(SubGroups, GivenWorkGroupCollectivesInARow_WhenRun_ThenTheyDoNotDisturbEachOther) {
  build_sized("scans_of_work_group");
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
  for (const size_t size : required_sizes()) {
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

// Each function's result is a row of the output.
TEST_P(SubGroups, GivenAllFunctions_WhenRun_ThenTheyStayInTheirSubGroup) {
  for (const size_t local : {1, 7, 8, 24, 33, 45, 200}) {
    release();
    build_sized("all_functions");
    const size_t items = 2 * local, lanes = sub_group_size({{items, 1, 1}, {local, 1, 1}});
    const std::vector<cl_int> found = run({{items, 1, 1}, {local, 1, 1}}, items * kFunctions);
    std::vector<cl_int> wanted(found.size());
    for (size_t item = 0; item < items; ++item)
      write_all_functions(item % local, item - item % local, local, lanes, &wanted[item * kFunctions]);
    EXPECT_EQ(found, wanted) << local;
  }
}

TEST_F(KernelRunner, GivenASubGroupSizeThatIsNotThere_WhenBuilt_ThenTheLogSaysWhichAre) {
  for (const char *size : {"1", "2", "3", "24", "64"}) {
    const std::string log = failed_build("sub_groups.cl", std::string("-cl-std=CL3.0 -DSIZE=") + size);
    EXPECT_NE(log.find(tests_a_gpu() ? "the GPU supports 8, 16 and 32" : "4, 8, 16 and 32"), std::string::npos) << log;
    release();
  }
}

}  // namespace
}  // namespace upsweep::tests
