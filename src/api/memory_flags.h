// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Flags and host pointers of new memory objects.
#ifndef UPSWEEP_API_MEMORY_FLAGS_H
#define UPSWEEP_API_MEMORY_FLAGS_H

#include "base/result.h"
#include <cstddef>
#include <vector>

namespace upsweep {

class Context;

constexpr cl_mem_flags kDeviceAccess = CL_MEM_READ_WRITE | CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY;
constexpr cl_mem_flags kHostPointer = CL_MEM_USE_HOST_PTR | CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR;
constexpr cl_mem_flags kHostAccess = CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_WRITE_ONLY | CL_MEM_HOST_NO_ACCESS;

bool has_several(cl_mem_flags flags, cl_mem_flags of);

/// Checks that the flags are valid for new memory objects and do not contradict each other.
Result<void> check_memory_flags(cl_mem_flags flags);

/// Whether an object with `flags` that shares its parent's memory asks only for accesses that the parent allows.
Result<void> check_inherited_flags(cl_mem_flags parent, cl_mem_flags flags);
/// Adds the parent's flags where `flags` make no choice.
cl_mem_flags inherit_flags(cl_mem_flags parent, cl_mem_flags flags);

/// Whether flags and pointer agree, and `bytes` bytes from the pointer are in the address space and in the host's reach.
Result<void> check_host_ptr(const Context &context, cl_mem_flags flags, size_t bytes, const void *host_ptr);

/// Memory objects have no properties, so only an empty list is valid. It is kept, since CL_MEM_PROPERTIES returns it.
Result<std::vector<cl_mem_properties>> check_memory_properties(const cl_mem_properties *properties);

}  // namespace upsweep
#endif
