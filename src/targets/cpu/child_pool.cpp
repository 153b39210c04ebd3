// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory for commands: batches move between the workers' lists and a shared list.
#include "targets/cpu/child_pool.h"
#include "base/across_fork.h"
#include "base/never_destroyed.h"
#include "targets/cpu/child_kernel.h"
#include <mutex>
#include <new>
#include <utility>
#include <vector>

namespace upsweep {
namespace {

/// Commands per batch. Batches amortise the cost of the lock.
constexpr uint32_t kBatch = 64;

void free_all(ChildKernel *list) {
  while (list) delete std::exchange(list, list->next);
}

class SharedBatches {
public:
  ChildKernel *take() {
    std::lock_guard lock(mutex_);
    if (num_batches_ == 0) return nullptr;
    return batches_[--num_batches_];
  }
  void give(ChildKernel *batch) {
    {
      std::lock_guard lock(mutex_);
      if (num_batches_ < kMostBatches) {
        batches_[num_batches_++] = batch;
        return;
      }
    }
    free_all(batch);
  }

private:
  /// 64 MiB: a burst of 10^5 commands reuses the memory of an earlier burst.
  static constexpr uint32_t kMostBatches = (64 << 20) / (kBatch * sizeof(ChildKernel));
  std::mutex mutex_;
  const AcrossFork across_fork_{&mutex_};
  ChildKernel *batches_[kMostBatches];
  uint32_t num_batches_ = 0;
};

SharedBatches &shared() {
  static NeverDestroyed<SharedBatches> batches;
  return *batches;
}

const MadeWithPlatform batches_made([] { static_cast<void>(shared()); });

}  // namespace

ChildCache::~ChildCache() {
  free_all(free_);
  free_all(second_);
}

ChildKernel *ChildCache::take() {
  if (!free_) {
    free_ = second_ ? std::exchange(second_, nullptr) : shared().take();
    num_free_ = free_ ? kBatch : 0;
  }
  if (!free_) return new (std::nothrow) ChildKernel;
  --num_free_;
  return std::exchange(free_, free_->next);
}

void ChildCache::give(ChildKernel &command) {
  command.reset();
  if (num_free_ == kBatch) {
    if (second_) shared().give(second_);
    second_ = std::exchange(free_, nullptr);
    num_free_ = 0;
  }
  command.next = std::exchange(free_, &command);
  ++num_free_;
}

}  // namespace upsweep
