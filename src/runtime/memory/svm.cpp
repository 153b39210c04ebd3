// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SVM allocations.
#include "runtime/memory/svm.h"
#include "runtime/memory/address_table.h"
#include "runtime/memory/host_memory.h"
#include "runtime/objects/context.h"

namespace upsweep {

void *allocate_svm(const Context &context, SvmType type, size_t bytes, size_t alignment,
                   std::vector<cl_properties> properties) {
  HostMemory memory = context.allocate_shared(bytes, alignment);
  char *base = memory.get();
  if (!base) return nullptr;
  address_table().add({.base = base, .bytes = bytes, .svm = type, .owner = &context.allocations()}, memory,
                      std::move(properties));
  return base;
}

void free_svm(const Context &context, void *pointer) {
  // The memory is freed at the end of the statement, without the table's lock: on a GPU it takes until the GPU is idle.
  static_cast<void>(address_table().remove(context.allocations(), pointer, AddressTable::Freed::kAsSvm));
}

std::optional<Allocation> find_svm(const Context &context, const void *pointer) {
  const std::optional<Allocation> found = address_table().find(pointer);
  if (!found || found->owner != &context.allocations() || found->svm == SvmType::kNone) return std::nullopt;
  return found;
}

}  // namespace upsweep
