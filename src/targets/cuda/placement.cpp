// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Implements the table of placement.h.
#include "targets/cuda/placement.h"
#include "runtime/commands/transfer_ends.h"
#include "targets/cuda/staging.h"

namespace upsweep {
namespace {

Placement placement_of(const Transfer &transfer, const Target &target) {
  const TransferEnds ends = ends_of(transfer);
  if (ends.to == EndAt::kNowhere) return {.follows = true, .is_quick = true};
  if (ends.moves_host_copy()) {
    const bool is_read = ends.to == EndAt::kHostCopy && ends.source && !ends.host_writes;
    return {.follows = is_read && (ends.bytes <= kStagingBytes || ends.source->root().flags() & CL_MEM_ALLOC_HOST_PTR)};
  }
  if (ends.to == EndAt::kObject) return {.follows = true, .needs_stream = true};
  if (ends.from != EndAt::kObject) return {};
  // Bytes that no device has held can be read without a device. Unified shared memory has no memory object.
  return {.follows = true, .needs_stream = !ends.source || ends.source->memory_on(target) != nullptr};
}

}  // namespace

Placement placement_of(const CommandBody &body, const Target &target) {
  if (std::holds_alternative<HostWork>(body)) return {};
  const auto *launch = std::get_if<Launch>(&body);
  if (launch && launch->call.kernel->enqueues) return {};
  const auto *transfer = std::get_if<Transfer>(&body);
  return transfer ? placement_of(*transfer, target) : Placement{.follows = true, .needs_stream = true};
}

}  // namespace upsweep
