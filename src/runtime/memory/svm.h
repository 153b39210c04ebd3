// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shared virtual memory: the allocations of clSVMAlloc, in the table of addresses. Host and device share their memory, so
// kernels accept any host pointer (fine-grain system SVM). The table only serves to free memory and to answer queries.
#ifndef UPSWEEP_RUNTIME_MEMORY_SVM_H
#define UPSWEEP_RUNTIME_MEMORY_SVM_H

#include "base/result.h"
#include <cstddef>
#include <optional>

namespace upsweep {

class Context;

struct SvmAllocation {
  char *base;
  size_t size;
};

/// Null if the allocation fails. The contents are undefined. The memory is freed with the context, if not before.
void *allocate_svm(const Context &context, size_t size, size_t alignment);

/// Frees an allocation that allocate_svm() made for this context; ignores other pointers.
void free_svm(const Context &context, void *pointer);

/// The allocation that contains `pointer`, if it is SVM memory of this context.
std::optional<SvmAllocation> find_svm(const Context &context, const void *pointer);

}  // namespace upsweep
#endif
