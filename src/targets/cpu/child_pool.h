// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory of commands that have ended, for new ones. Each worker keeps some, beyond one launch; what it has too much of goes to
// all.
#ifndef UPSWEEP_TARGETS_CPU_CHILD_POOL_H
#define UPSWEEP_TARGETS_CPU_CHILD_POOL_H

#include <cstdint>

namespace upsweep {

struct ChildKernel;

class ChildCache {
public:
  ChildCache() = default;
  ~ChildCache();
  ChildCache(const ChildCache &) = delete;
  ChildCache &operator=(const ChildCache &) = delete;

  /// A new command; null when there is no memory.
  ChildKernel *take();
  void give(ChildKernel &command);

private:
  ChildKernel *free_ = nullptr;    ///< up to kBatch
  ChildKernel *second_ = nullptr;  ///< kBatch more, or none
  uint32_t num_free_ = 0;
};

}  // namespace upsweep
#endif
