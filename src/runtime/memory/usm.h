// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Unified shared memory: the allocations of cl_intel_unified_shared_memory, and allocations of cl_khr_unified_svm that belong
// to the host, belong to a device or are shared, in the table of addresses.
#ifndef UPSWEEP_RUNTIME_MEMORY_USM_H
#define UPSWEEP_RUNTIME_MEMORY_USM_H

#include "base/result.h"
#include "runtime/memory/address_table.h"
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace upsweep {

class Context;
class Device;

struct UsmRequest {
  AllocationKind kind = AllocationKind::kHost;
  Device *device = nullptr;  ///< may be null for kHost and kShared
  size_t bytes = 0;
  size_t alignment = 0;
  uint64_t flags = 0;  ///< CL_MEM_ALLOC_FLAGS_INTEL
  SvmType svm = SvmType::kNone;
  std::vector<cl_properties> properties;  ///< of cl_khr_unified_svm
};

/// The contents are undefined. The memory is freed with the context, if not before. CL_OUT_OF_HOST_MEMORY, or
/// CL_OUT_OF_RESOURCES for a device's own memory.
Result<void *> allocate_usm(const Context &context, const UsmRequest &request);

/// Frees the allocation that starts at `pointer`. CL_INVALID_VALUE if the context has none. Does not wait, but the memory stays
/// until all commands are done that the context's queues have now.
Result<void> free_usm(Context &context, void *pointer);
/// Waits until these commands are done, then frees the allocation.
Result<void> free_usm_after_commands(Context &context, void *pointer);

/// The allocation that contains `pointer`, if it is unified shared memory of this context.
std::optional<Allocation> find_usm(const Context &context, const void *pointer);

}  // namespace upsweep
#endif
