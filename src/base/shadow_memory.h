// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The address space of the shadow of memory (UPSWEEP_SHADOW_HIGH of check_abi.h). The system backs a page of it by memory when
// the page is first written; other pages read as zero, which means initialised.
#ifndef UPSWEEP_BASE_SHADOW_MEMORY_H
#define UPSWEEP_BASE_SHADOW_MEMORY_H

#include <cstdint>

namespace upsweep {

/// Reserves the shadow of the addresses at which systems place programs, heaps, mappings and stacks. False if the system
/// refuses it. Call it once.
[[nodiscard]] bool reserve_shadow();

/// Reserves the shadow of an object elsewhere. False if the system refuses it.
[[nodiscard]] bool reserve_shadow_of(const void *object, uint64_t bytes);

[[nodiscard]] char *shadow_of(const void *address);

/// Makes all bytes of the memory written or unwritten. Takes little memory for large objects.
void set_shadow(const void *memory, uint64_t bytes, bool is_written);

}  // namespace upsweep
#endif
