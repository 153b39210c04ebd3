// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Work of the host's that several threads share, such as a long copy: on those of the CPU device, which are there anyway.
#ifndef UPSWEEP_RUNTIME_COMMANDS_PART_WORK_H
#define UPSWEEP_RUNTIME_COMMANDS_PART_WORK_H

#include <cstdint>
#include <functional>

namespace upsweep {

/// Does the part [first, last) of some work; throws nothing.
using PartWork = std::function<void(uint64_t first, uint64_t last)>;

/// Calls `work` for ranges that cover [0, count), on this thread and, once there are others, on at most `workers` in all;
/// returns when all is done. `is_long`: it takes longer than to wake threads that sleep.
void run_in_parts(uint64_t count, uint64_t workers, bool is_long, const PartWork &work);

/// A CPU device offers its threads for that: its function is called by run_in_parts() from now on.
using PartSharer = std::function<void(uint64_t count, uint64_t workers, bool is_long, const PartWork &work)>;
void share_parts_with(PartSharer sharer);

}  // namespace upsweep
#endif
