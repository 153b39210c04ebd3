// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every executor runs the calls; calls from many threads, and from inside of calls, do not meet.
#include "check.h"

#include <upsweep/cpu/executors/jthread.h>
#include <upsweep/cpu/executors/tbb.h>
#include <upsweep/cpu/scan.h>

#ifdef _OPENMP  // where the compiler has it
#include <upsweep/cpu/executors/openmp.h>
#endif

#include <atomic>
#include <numeric>
#include <stdexcept>
#include <thread>

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
