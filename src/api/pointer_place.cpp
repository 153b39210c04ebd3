// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds the allocation of a pointer, and whether the queue's device uses it in place.
#include "api/pointer_place.h"
#include "api/memory_checks.h"
#include "runtime/memory/svm.h"
#include "runtime/memory/target_memory.h"
#include "runtime/memory/usm.h"

namespace upsweep {

Result<Place> pointer_place(const Queue &queue, const void *pointer, size_t bytes, OutsideAllocations outside,
                            const std::string &name) {
  if (!pointer) return fail(CL_INVALID_VALUE, name + " is null");
  if (auto checked = check_host_range(pointer, bytes, name.c_str()); !checked) return fail(checked);
  const DeviceProperties &properties = queue.device().properties();
  const std::optional<Allocation> found = find_usm(queue.context(), pointer);
  if (!found) {
    // Devices reach the context's SVM as well.
    if (outside == OutsideAllocations::kIfSystemMemory && !properties.usm.system && !find_svm(queue.context(), pointer))
      return fail(CL_INVALID_VALUE, name + " is not unified shared memory of the queue's context");
    const TargetMemory *memory = queue.device().target().memory();
    return memory && memory->holds(pointer) ? place_on_device(pointer) : place_at(pointer);
  }
  if (const size_t rest = static_cast<size_t>(found->base + found->bytes - static_cast<const char *>(pointer)); bytes > rest)
    return fail(CL_INVALID_VALUE, std::to_string(bytes) + " bytes at " + name + " leave the allocation, which has " +
                                      std::to_string(rest) + " there");
  // Memory of the host is valid for all devices. The target of other memory uses it in place.
  const bool is_separate = found->device && found->device->target().memory();
  if (found->kind == AllocationKind::kDevice && is_separate && &found->device->target() != &queue.device().target())
    return fail(CL_INVALID_VALUE, name + " is memory of another device");
  const bool moves = found->kind == AllocationKind::kShared && queue.device().target().memory() && properties.usm.any_shared();
  return (found->kind == AllocationKind::kDevice && is_separate) || moves ? place_on_device(pointer) : place_at(pointer);
}

}  // namespace upsweep
