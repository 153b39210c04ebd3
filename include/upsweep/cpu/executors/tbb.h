// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A task arena of oneTBB as an executor; the program links TBB::tbb.
#pragma once

#include <upsweep/common/cpp20.h>
#ifdef UPSWEEP_CPP20
#include <upsweep/cpu/executor.h>

#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

namespace upsweep::cpu {

// The arena must live as long as the executor.
class tbb_arena {
public:
  explicit tbb_arena(tbb::task_arena &arena) : arena_(&arena) {}

  unsigned concurrency() const { return static_cast<unsigned>(arena_->max_concurrency()); }
  template <class Work>
  void run(unsigned workers, const Work &work) const {
    // A waiting thread runs only tasks of its isolated region. Each call of work() is a region: an operator may wait for
    // tasks, and another call of work() might wait for the chunk of this operator. The loop is a region as well, since
    // execute() leaves its caller's region.
    const auto call = [&](unsigned) { tbb::this_task_arena::isolate([&] { work(); }); };
    const auto loop = [&] { tbb::parallel_for(0U, workers, call, tbb::simple_partitioner()); };
    arena_->execute([&] { tbb::this_task_arena::isolate(loop); });
  }

private:
  tbb::task_arena *arena_;
};

}  // namespace upsweep::cpu
#endif
