// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Addresses of SVM and USM allocations that were freed, for checked kernels. Other processes pay nothing.
#ifndef UPSWEEP_RUNTIME_CHECK_FREED_MEMORY_H
#define UPSWEEP_RUNTIME_CHECK_FREED_MEMORY_H

#include "base/check_abi.h"
#include <cstdint>
#include <optional>

namespace upsweep {

void note_freed(const void *base, uint64_t bytes);
/// The addresses are in use again.
void note_allocated(const void *base, uint64_t bytes);
/// Keeps freed memory of the C library for a while instead of `std::free`; false if it is to be freed now.
bool keep_freed(char *memory);
bool is_freed(const void *pointer);

/// The object of an address outside of the arguments: SVM or USM, freed memory (0 bytes), the null page (0 bytes), or unknown.
UpsweepExtent extent_of(const void *pointer);

}  // namespace upsweep
#endif
