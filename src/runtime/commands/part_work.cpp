// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Registry of the functions that share the host's work.
#include "runtime/commands/part_work.h"
#include "base/across_fork.h"
#include <atomic>
#include <forward_list>
#include <mutex>

namespace upsweep {
namespace {

std::atomic<const PartSharer *> sharer_of_all{nullptr};
constinit std::mutex sharers_mutex;
const AcrossFork sharers_across_fork(&sharers_mutex);

}  // namespace

void share_parts_with(PartSharer sharer) {
  // Never destroyed: another thread may still be calling an earlier function.
  static auto &all = *new std::forward_list<PartSharer>;
  std::lock_guard lock(sharers_mutex);
  sharer_of_all.store(&all.emplace_front(std::move(sharer)), std::memory_order_release);
}

void run_in_parts(uint64_t count, uint64_t workers, bool is_long, const PartWork &work) {
  const PartSharer *sharer = sharer_of_all.load(std::memory_order_acquire);
  if (sharer && workers > 1 && count > 1) return (*sharer)(count, workers, is_long, work);
  if (count) work(0, count);
}

}  // namespace upsweep
