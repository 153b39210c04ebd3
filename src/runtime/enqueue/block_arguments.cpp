// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Places local arguments consecutively.
#include "runtime/enqueue/block_arguments.h"
#include <algorithm>
#include <cstring>

namespace upsweep {

int32_t place_local_arguments(char *arguments, const KernelDescription &kernel, std::span<const uint64_t> sizes,
                              uint64_t &local_bytes) {
  const size_t count = std::min(kernel.arguments.size(), sizes.size());
  for (size_t i = 0; i < count; ++i) {
    const ArgumentDescription &argument = kernel.arguments[i];
    if (!sizes[i]) return UPSWEEP_INVALID_ARG_SIZE;
    local_bytes = (local_bytes + argument.align - 1) / argument.align * argument.align;
    std::memcpy(arguments + argument.offset, &local_bytes, sizeof local_bytes);
    if (__builtin_add_overflow(local_bytes, sizes[i], &local_bytes)) return UPSWEEP_OUT_OF_RESOURCES;
  }
  return UPSWEEP_ENQUEUED;
}

}  // namespace upsweep
