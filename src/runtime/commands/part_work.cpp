// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Who shares the host's work.
#include "runtime/commands/part_work.h"
#include <atomic>

namespace upsweep {
namespace {

std::atomic<const PartSharer *> sharer_of_all{nullptr};

}  // namespace

void share_parts_with(PartSharer sharer) {
  sharer_of_all.store(new PartSharer(std::move(sharer)), std::memory_order_release);  // for as long as the process lives
}

void run_in_parts(uint64_t count, uint64_t workers, bool is_long, const PartWork &work) {
  const PartSharer *sharer = sharer_of_all.load(std::memory_order_acquire);
  if (sharer && workers > 1 && count > 1) return (*sharer)(count, workers, is_long, work);
  if (count) work(0, count);
}

}  // namespace upsweep
