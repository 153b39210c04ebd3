// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory objects: mappings and destructor callbacks.
#include "runtime/memory_object.h"

namespace upsweep {

MemoryObject::MemoryObject(Parts parts)
    : context_(std::move(parts.context)), type_(parts.type), flags_(parts.flags), size_(parts.size),
      properties_(std::move(parts.properties)), owned_(std::move(parts.owned)), data_(parts.data),
      parent_(std::move(parts.parent)), origin_(parts.origin), uses_svm_pointer_(parts.uses_svm_pointer) {}

MemoryObject::~MemoryObject() {
  // Before the memory is given back: with CL_MEM_USE_HOST_PTR the callback tells the application that it may free its own.
  for (auto call = destructors_.rbegin(); call != destructors_.rend(); ++call) call->function(this, call->user_data);
}

void MemoryObject::add_mapping(void *pointer) {
  std::lock_guard lock(mutex_);
  ++mappings_[pointer];
}

bool MemoryObject::remove_mapping(void *pointer) {
  std::lock_guard lock(mutex_);
  auto found = mappings_.find(pointer);
  if (found == mappings_.end()) return false;
  if (--found->second == 0) mappings_.erase(found);
  return true;
}

cl_uint MemoryObject::map_count() const {
  std::lock_guard lock(mutex_);
  cl_uint count = 0;
  for (const auto &[pointer, mappings] : mappings_) count += mappings;
  return count;
}

void MemoryObject::add_destructor(Destructor function, void *user_data) {
  std::lock_guard lock(mutex_);
  destructors_.push_back({function, user_data});
}

}  // namespace upsweep
