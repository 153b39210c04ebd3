// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shared virtual memory: the allocations of clSVMAlloc and clSVMAllocWithPropertiesKHR, in the table of addresses. Where host
// and device share their memory, kernels accept any host pointer (fine-grain system SVM), and the table only serves to free
// memory and to answer queries.
#ifndef UPSWEEP_RUNTIME_MEMORY_SVM_H
#define UPSWEEP_RUNTIME_MEMORY_SVM_H

#include "base/result.h"
#include "runtime/memory/address_table.h"
#include <cstddef>
#include <optional>
#include <vector>

namespace upsweep {

class Context;

/// kCoarse or kFine. Null if the allocation fails. The contents are undefined. The memory is freed with the context, if not
/// before.
void *allocate_svm(const Context &context, SvmType type, size_t bytes, size_t alignment,
                   std::vector<cl_properties> properties = {});

/// Frees SVM of this context; ignores other pointers.
void free_svm(const Context &context, void *pointer);

/// The allocation that contains `pointer`, if it is SVM of this context, of any type.
std::optional<Allocation> find_svm(const Context &context, const void *pointer);

}  // namespace upsweep
#endif
