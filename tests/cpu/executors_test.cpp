// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every executor runs the calls. Calls from many threads, and calls inside calls, do not disturb each other.
#include "check.h"

#include <upsweep/cpu/executors/jthread.h>
#include <upsweep/cpu/executors/tbb.h>
#include <upsweep/cpu/scan.h>

#include <tbb/global_control.h>
#include <tbb/parallel_for.h>

#ifdef _OPENMP  // where the compiler has it
#include <upsweep/cpu/executors/openmp.h>
#endif

#include <atomic>
#include <barrier>
#include <cstdlib>
#include <new>
#include <numeric>
#include <stdexcept>
#include <thread>

// Counts down to the allocation that fails; negative: none fails.
static std::atomic<long> failing_allocation{-1};
void *operator new(std::size_t bytes) {
  void *memory = failing_allocation.load() >= 0 && failing_allocation.fetch_sub(1) == 0 ? nullptr : std::malloc(bytes + 1);
  if (memory == nullptr) {
    throw std::bad_alloc();
  }
  return memory;
}
void operator delete(void *memory) noexcept { std::free(memory); }
void operator delete(void *memory, std::size_t) noexcept { std::free(memory); }

namespace upsweep::cpu::test {

template <class Executor>
void check_executor(Executor &&executor) {
  std::vector<std::uint64_t> in(500000), out(in.size());
  std::iota(in.begin(), in.end(), 1);
  for (int i = 0; i < 10; ++i) {
    inclusive_sum(in.data(), out.data(), in.size(), executor);
    ASSERT_EQ(out[499999], 125000250000U);
    ASSERT_EQ(out[299999], 45000150000U);
  }
  const auto throws = [](std::uint64_t a, std::uint64_t b) { return b == 400000 ? throw std::runtime_error("400000") : a + b; };
  EXPECT_THROW(inclusive_scan(in.data(), out.data(), in.size(), throws, executor), std::runtime_error);
}

TEST(CpuExecutors, GivenEachExecutor_WhenCalled_ThenTheSame) {
  check_executor(calling_thread());
  check_executor(new_threads{5});
#ifdef _OPENMP
  check_executor(openmp_threads());
#endif
  tbb::task_arena arena(3);
  check_executor(tbb_arena(arena));
  for (const unsigned threads : {1, 2, 64}) {
    check_executor(thread_pool(threads));
  }
}

TEST(CpuExecutors, GivenManyCallers_WhenAPoolIsShared_ThenEachGetsItsResult) {
  thread_pool pool(3);
  std::vector<std::jthread> callers;
  for (int caller = 0; caller < 6; ++caller) {
    callers.emplace_back([&pool] { check_executor(pool); });
  }
}

TEST(CpuExecutors, GivenACallInsideACall_WhenThePoolIsTheSame_ThenItEnds) {
  thread_pool pool(3);
  std::vector<int> in(100000, 1), out(in.size());
  inclusive_scan(in.data(), out.data(), in.size(), plus{}, pool, transform_input([&](int x) {
                   static std::atomic<int> calls{0};
                   if (calls++ % 10000 == 0) {
                     std::vector<int> some(40000, 1), sums(some.size());
                     inclusive_sum(some.data(), sums.data(), some.size(), pool);
                   }
                   return x;
                 }));
  EXPECT_EQ(out.back(), 100000);
}

// Operators that wait for their own tasks: nested calls of the library on the same executor, and loops of TBB.
template <class Executor>
void check_operators_that_wait(Executor &executor) {
  std::vector<std::int64_t> in(200000, 1), out(in.size());
  std::atomic<std::uint64_t> calls{0};
  const auto add = [&](std::int64_t a, std::int64_t b) {
    const std::uint64_t call = calls.fetch_add(1, std::memory_order_relaxed);
    if (call % 5003 == 0) {
      std::vector<std::int64_t> some(60000, 1), sums(some.size());
      inclusive_sum(some.data(), sums.data(), some.size(), executor);
      EXPECT_EQ(sums.back(), 60000);
    } else if (call % 5003 == 2000) {
      std::atomic<int> sum{0};
      tbb::parallel_for(0, 64, [&](int i) { sum += i; });
      EXPECT_EQ(sum, 2016);
    }
    return a + b;
  };
  for (int round = 0; round < 20; ++round) {
    inclusive_scan(in.data(), out.data(), in.size(), add, executor);
    ASSERT_EQ(out.back(), 200000);
  }
}

TEST(CpuExecutors, GivenOperatorsThatWaitForTasks_WhenScanned_ThenTheCallEnds) {
  const tbb::global_control threads(tbb::global_control::max_allowed_parallelism, 4);
  tbb::task_arena arena(4);
  tbb_arena on_arena(arena);
  check_operators_that_wait(on_arena);
  thread_pool pool(4);
  check_operators_that_wait(pool);
  new_threads others{3};
  check_operators_that_wait(others);
#ifdef _OPENMP
  openmp_threads team;
  check_operators_that_wait(team);
#endif
}

TEST(CpuExecutors, GivenAnAllocationThatFails_WhenThePoolIsUsedAgain_ThenAllThreadsWork) {
  std::vector<int> in(400000, 1), out(in.size());
  for (long allocation = 0; allocation < 12; ++allocation) {
    thread_pool pool(4);
    failing_allocation = allocation;
    try {
      inclusive_sum(in.data(), out.data(), in.size(), pool);
    } catch (const std::bad_alloc &) {
    }
    failing_allocation = -1;
    std::barrier all(4);  // passes only with four threads
    pool.run(4, [&] { all.arrive_and_wait(); });
  }
}

struct Refusing {
  unsigned concurrency() const { return 8; }
  void run(unsigned, const auto &work) const {
    work();
    ADD_FAILURE() << "a short array took the executor";
  }
};

TEST(CpuExecutors, GivenFewElements_WhenScanned_ThenNoOtherThreadIsWoken) {
  std::vector<int> in(1024, 1), out(1024);
  inclusive_sum(in.data(), out.data(), 1024, Refusing());
  EXPECT_EQ(out.back(), 1024);
}

}  // namespace upsweep::cpu::test
