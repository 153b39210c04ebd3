// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Locks for which all work-items of several sub-groups and work-groups contend. tests/fuzz/wait_fuzz has many more forms.
#include "kernel_runner.h"

namespace upsweep::tests {
namespace {

constexpr size_t kLocks[] = {1, 3};

class Locks : public KernelRunner, public testing::WithParamInterface<const char *> {
protected:
  void SetUp() override {
    KernelRunner::SetUp();
    if (GetParam() == std::string("pair") && tests_a_gpu())
      GTEST_SKIP() << "threads of a warp that each return the first of two locks may do so in step for ever";
  }
  void add_behind_locks(const std::string &memory, size_t num_locks) {
    const std::string options =
        "-cl-std=CL3.0 -DMEMORY=" + memory + " -DLOCKS=" + std::to_string(num_locks) + " -DFORM=" + GetParam();
    build("locks.cl", "locks", options.c_str());
    for (const size_t local : {1, 20, 64}) {
      const Range range{{6 * local, 1, 1}, {local, 1, 1}};
      std::vector<cl_int> wanted(num_locks), got = run(range, 4 * num_locks, 0);
      for (size_t i = 0; i < range.global[0]; ++i)
        for (size_t round = 0; round < 2; ++round) wanted[(i + round) % num_locks] += static_cast<cl_int>(i % 5 + 1);
      const size_t first = memory == "local" ? 0 : 3 * num_locks;
      EXPECT_EQ(std::vector(got.begin() + first, got.begin() + first + num_locks), wanted) << local << " work-items";
    }
    release();
  }
};

TEST_P(Locks, GivenLocksInGlobalMemory_WhenAllWorkItemsContend_ThenEachGetsIt) {
  for (const size_t locks : kLocks)
    if (locks > 1 || GetParam() != std::string("pair")) add_behind_locks("global", locks);
}

TEST_P(Locks, GivenLocksInLocalMemory_WhenAllWorkItemsContend_ThenEachGetsIt) {
  for (const size_t locks : kLocks)
    if (locks > 1 || GetParam() != std::string("pair")) add_behind_locks("local", locks);
}

struct LeaderKind {
  const char *name, *condition;
  bool (*leads)(const std::array<size_t, 3> &id, const std::array<size_t, 3> &size);
};

constexpr LeaderKind kLeaderKinds[] = {
    {"first_of_row", "get_local_id(0) == 0", [](const auto &id, const auto &) { return id[0] == 0; }},
    {"below_one", "(int)get_local_id(0) < 1", [](const auto &id, const auto &) { return id[0] == 0; }},
    {"last_of_row", "get_local_id(0) + 1 == get_local_size(0)",
     [](const auto &id, const auto &size) { return id[0] + 1 == size[0]; }},
    {"first_of_column", "get_local_id(1) == 0", [](const auto &id, const auto &) { return id[1] == 0; }},
    {"first_of_plane", "get_local_id(1) * get_local_size(0) + get_local_id(0) == 0",
     [](const auto &id, const auto &) { return id[0] + id[1] == 0; }},
    {"by_width", "get_local_id(1) * 16 + get_local_id(0) == 0",
     [](const auto &id, const auto &) { return id[0] + id[1] == 0; }},
    {"first_of_all", "get_local_linear_id() == 0", [](const auto &id, const auto &) { return id[0] + id[1] + id[2] == 0; }},
};

class Leaders : public KernelRunner, public testing::WithParamInterface<LeaderKind> {
protected:
  static size_t leaders_in(const Range &range) {
    size_t count = 0;
    for (size_t z = 0; z < range.global[2]; ++z)
      for (size_t y = 0; y < range.global[1]; ++y)
        for (size_t x = 0; x < range.global[0]; ++x) {
          std::array<size_t, 3> id{x, y, z}, size{};
          for (size_t i = 0; i < 3; ++i) {
            size[i] = std::min(range.local[i], range.global[i] - id[i] / range.local[i] * range.local[i]);
            id[i] %= range.local[i];
          }
          count += GetParam().leads(id, size);
        }
    return count;
  }
};

// A sub-group may contain several leaders, or one, by the shape of its work-group. The last two launches have smaller
// work-groups at their edges.
TEST_P(Leaders, GivenALock_WhenLaunchedInEveryShape_ThenEachLeaderGetsIt) {
  const Range ranges[] = {{{64, 1, 1}, {32, 1, 1}}, {{1, 32, 1}, {1, 16, 1}}, {{1, 1, 32}, {1, 1, 32}},
                          {{8, 16, 1}, {4, 8, 1}},  {{32, 8, 1}, {16, 4, 1}}, {{20, 6, 1}, {20, 3, 1}},
                          {{8, 8, 4}, {4, 4, 2}},   {{32, 4, 4}, {32, 2, 2}}, {{36, 6, 1}, {16, 4, 1}},
                          {{19, 5, 3}, {8, 2, 2}}};
  for (const char *meets : {"0", "1"}) {
    build("leaders.cl", "leaders",
          (std::string("-cl-std=CL3.0 -DMEETS=") + meets + " -D\"LEADER=" + GetParam().condition + "\"").c_str());
    for (const Range &range : ranges) {
      const std::vector<cl_int> got = run(range, 3, 0);
      const size_t items = range.global[0] * range.global[1] * range.global[2];
      EXPECT_EQ(
          got, (std::vector<cl_int>{0, static_cast<cl_int>(leaders_in(range)), *meets == '1' ? static_cast<cl_int>(items) : 0}))
          << range.local[0] << " x " << range.local[1] << " x " << range.local[2];
    }
    release();
  }
}

INSTANTIATE_TEST_SUITE_P(Kinds, Leaders, testing::ValuesIn(kLeaderKinds),
                         [](const auto &info) { return std::string(info.param.name); });

INSTANTIATE_TEST_SUITE_P(Forms, Locks, testing::Values("behind", "inside", "try_lock", "ticket", "flag", "exchange", "pair"),
                         [](const auto &info) { return std::string(info.param); });

}  // namespace
}  // namespace upsweep::tests
