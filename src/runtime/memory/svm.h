// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shared virtual memory: the allocations of clSVMAlloc. Host and device share one memory, so any host pointer works in kernels
// as well (fine-grain system SVM); this table is only needed to free memory and to answer queries.
#ifndef UPSWEEP_RUNTIME_MEMORY_SVM_H
#define UPSWEEP_RUNTIME_MEMORY_SVM_H

#include "base/result.h"
#include <cstddef>
#include <cstdint>
#include <optional>

namespace upsweep {

class Context;

struct SvmAllocation {
  char *base;
  size_t size;
};

/// Null when the memory cannot be had. The contents are undefined.
void *allocate_svm(const Context &context, size_t size, size_t alignment);

/// Frees an allocation of allocate_svm for this context; ignores any other pointer.
void free_svm(const Context &context, void *pointer);

/// The allocation that contains `pointer`, if it is SVM memory of this context.
std::optional<SvmAllocation> find_svm(const Context &context, const void *pointer);

/// Bytes of the largest allocation that there is, of any context.
uint64_t largest_svm();

}  // namespace upsweep
#endif
