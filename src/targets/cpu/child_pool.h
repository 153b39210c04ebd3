// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reuses the memory of ended commands. Each worker keeps some across launches and passes surplus memory to a shared list.
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

  /// A new command; null if memory runs out.
  ChildKernel *take();
  void give(ChildKernel &command);

private:
  ChildKernel *free_ = nullptr;    ///< at most kBatch
  ChildKernel *second_ = nullptr;  ///< kBatch more, or empty
  uint32_t num_free_ = 0;
};

}  // namespace upsweep
#endif
