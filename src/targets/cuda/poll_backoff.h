// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The waiting strategy of threads that poll the GPU's memory or the CUDA driver.
#ifndef UPSWEEP_TARGETS_CUDA_POLL_BACKOFF_H
#define UPSWEEP_TARGETS_CUDA_POLL_BACKOFF_H

#include <cstdint>

namespace upsweep {

/// Called between two polls: returns immediately for a short while, then sleeps in naps that are short relative to the time
/// waited.
class PollBackoff {
public:
  PollBackoff();
  void pause();
  /// Whether the naps have started.
  bool is_napping() const;
  /// Restarts the wait after progress.
  void reset();
  uint64_t waited_ns() const;

private:
  uint64_t since_ns_;
};

}  // namespace upsweep
#endif
