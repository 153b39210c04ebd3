// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The places of pointers that are arguments of commands on unified shared memory.
#ifndef UPSWEEP_API_POINTER_PLACE_H
#define UPSWEEP_API_POINTER_PLACE_H

#include "runtime/commands/transfer.h"
#include "runtime/objects/queue.h"
#include <string>

namespace upsweep {

/// Pointers outside of all allocations of the context: "Can a device memcpy to arbitrary host memory? (Recommendation: Yes.)";
/// the other commands are for memory that the device can access.
enum class OutsideAllocations : uint8_t { kAllowed, kIfSystemMemory };

/// The place of the argument `name`. The extension has no error for a range that leaves its allocation or that the device
/// cannot access, and CL_INVALID_VALUE is better than a fault.
Result<Place> pointer_place(const Queue &queue, const void *pointer, size_t bytes, OutsideAllocations outside,
                            const std::string &name);

}  // namespace upsweep
#endif
