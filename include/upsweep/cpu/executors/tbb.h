// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A task arena of oneTBB as an executor; the program links TBB::tbb.
#pragma once

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
    // An operator that waits for tasks of its own does not begin another call of work() meanwhile, which might wait for what
    // this one has begun.
    const auto isolated = [&](unsigned) { tbb::this_task_arena::isolate([&] { work(); }); };
    arena_->execute([&] { tbb::parallel_for(0U, workers, isolated, tbb::simple_partitioner()); });
  }

private:
  tbb::task_arena *arena_;
};

}  // namespace upsweep::cpu
