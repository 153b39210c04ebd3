// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The argument block of a block's kernel: offsets of local memory, then the block literal.
#ifndef UPSWEEP_RUNTIME_ENQUEUE_BLOCK_ARGUMENTS_H
#define UPSWEEP_RUNTIME_ENQUEUE_BLOCK_ARGUMENTS_H

#include "base/enqueue_abi.h"
#include "base/kernel_description.h"
#include <cstdint>
#include <span>

namespace upsweep {

/// Stores the offsets of the local arguments in `arguments`, after the kernel's own local memory, and adds their sizes to
/// `local_bytes`. Returns an UpsweepEnqueueResult.
int32_t place_local_arguments(char *arguments, const KernelDescription &kernel, std::span<const uint64_t> sizes,
                              uint64_t &local_bytes);

}  // namespace upsweep
#endif
