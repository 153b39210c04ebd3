// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory objects: their places, mappings and destructor callbacks.
#include "runtime/objects/memory_object.h"

namespace upsweep {

namespace {

ByteRange moved(ByteRange range, size_t distance) { return {range.begin + distance, range.end + distance}; }

}  // namespace

MemoryObject::MemoryObject(Parts parts)
    : context_(std::move(parts.context)), type_(parts.type), flags_(parts.flags), size_(parts.size),
      properties_(std::move(parts.properties)), host_ptr_(parts.host_ptr), parent_(std::move(parts.parent)),
      residency_(parent_ ? nullptr : std::make_unique<Residency>(*context_, flags_, size_, host_ptr_, parts.uses_svm_pointer)),
      origin_(parts.origin), uses_svm_pointer_(parts.uses_svm_pointer) {}

void MemoryObject::dispose() noexcept {
  destructors_.leave_to<MemoryObject>(*this, [](MemoryObject &object) {
    // "When the callback function is called by the implementation, this memory object is not longer valid."
    object.invalidate();
    // Before the memory is given back: with CL_MEM_USE_HOST_PTR the callback tells the application that it may free its own.
    object.destructors_.run(&object);
    delete &object;
  });
}

Result<char *> MemoryObject::host() {
  return residency().host().map([this](char *base) { return base + origin_; });
}

Result<uint64_t> MemoryObject::address_on(Target &target) {
  return residency().address_on(target).map([this](uint64_t base) { return base + origin_; });
}

Result<void> MemoryObject::make_current_on_host(Access access, ByteRange range) {
  return residency().make_current_on_host(access, moved(range, origin_));
}

Result<void> MemoryObject::make_current_on(Target &target, Access access, ByteRange range) {
  return residency().make_current_on(target, access, moved(range, origin_));
}

bool MemoryObject::expect_on_host(const Target &target, ByteRange range) {
  return residency().expect_on_host(target, moved(range, origin_));
}

void MemoryObject::arrived_on_host(ByteRange range) { residency().arrived_on_host(moved(range, origin_)); }

void MemoryObject::add_mapping(void *pointer, Mapping mapping) {
  std::lock_guard lock(mutex_);
  mappings_.emplace(pointer, mapping);
}

MemoryObject::MappingNode MemoryObject::remove_mapping(void *pointer) {
  std::lock_guard lock(mutex_);
  return mappings_.extract(pointer);
}

void MemoryObject::put_back_mapping(MappingNode mapping) {
  std::lock_guard lock(mutex_);
  mappings_.insert(std::move(mapping));
}

cl_uint MemoryObject::map_count() const {
  std::lock_guard lock(mutex_);
  return static_cast<cl_uint>(mappings_.size());
}

}  // namespace upsweep
