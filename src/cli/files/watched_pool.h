// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The process's threads as an executor that shows how far a call of the CPU library is.
#ifndef UPSWEEP_CLI_FILES_WATCHED_POOL_H
#define UPSWEEP_CLI_FILES_WATCHED_POOL_H

#include "cli/files/progress.h"

#include <algorithm>
#include <mutex>
#include <upsweep/cpu/thread_pool.h>
#include <utility>

namespace upsweep::cli {

class WatchedPool {
public:
  explicit WatchedPool(Progress &progress) : progress_(progress) {}

  [[nodiscard]] unsigned concurrency() const { return pool_.concurrency(); }
  template <class Work>
  void run(unsigned workers, const Work &work) {
    is_new_ = true;
    pool_.run(workers, work);
  }
  // The library's threads call it. A thread that finds another one drawing does not wait for it.
  void watch(uint64_t piece, uint64_t pieces) {
    const std::unique_lock lock(mutex_, std::try_to_lock);
    if (!lock) return;
    // The only thread of a pool has no run(), but its pieces come in order. A thread of several may report its piece late.
    // Work without reports is no step.
    if (std::exchange(is_new_, false) || (piece < last_ && concurrency() == 1)) begin_step();
    last_ = std::max(last_, piece);
    progress_.show(last_, pieces);
  }

private:
  void begin_step() {
    progress_.begin_step();
    last_ = 0;
  }

  Progress &progress_;
  cpu::thread_pool &pool_ = cpu::default_pool();
  bool is_new_ = false;  // no piece was reported since run() began
  std::mutex mutex_;
  uint64_t last_ = 0;
};

}  // namespace upsweep::cli
#endif
