// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Host work that several threads share, such as a long copy. It runs on the CPU device's threads, which exist anyway.
#ifndef UPSWEEP_RUNTIME_COMMANDS_PART_WORK_H
#define UPSWEEP_RUNTIME_COMMANDS_PART_WORK_H

#include <cstdint>
#include <functional>

namespace upsweep {

/// Does the part [first, last) of some work; must not throw.
using PartWork = std::function<void(uint64_t first, uint64_t last)>;

/// Calls `work` for ranges that cover [0, count), on this thread and on other threads as they become available, `workers` in
/// total at most; returns when all parts are done. `is_long`: the work takes longer than waking sleeping threads.
void run_in_parts(uint64_t count, uint64_t workers, bool is_long, const PartWork &work);

/// A CPU device registers a function that runs parts on its threads; run_in_parts() calls it from then on.
using PartSharer = std::function<void(uint64_t count, uint64_t workers, bool is_long, const PartWork &work)>;
void share_parts_with(PartSharer sharer);

}  // namespace upsweep
#endif
