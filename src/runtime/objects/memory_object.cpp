// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory objects: their places, mappings and destructor callbacks.
#include "runtime/objects/memory_object.h"
#include "runtime/check/addressed_buffers.h"
#include "runtime/check/command_order.h"
#include "runtime/check/initialisation.h"
#include "runtime/trace/trace.h"
#include <algorithm>

namespace upsweep {

namespace {

ByteRange moved(ByteRange range, size_t distance) { return {range.begin + distance, range.end + distance}; }

bool writes(const MemoryObject::Mapping &mapping) { return mapping.flags & (CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION); }

bool ranges_meet(size_t a, size_t a_length, size_t b, size_t b_length) { return a < b + b_length && b < a + a_length; }

/// Exact for mappings of one object, and for objects without gaps: sub-buffers and 1D buffer images.
bool overlap(const MemoryObject::Mapping &a, const MemoryObject::Mapping &b) {
  if (a.object != b.object)
    return !a.has_gaps && !b.has_gaps &&
           ranges_meet(a.object->origin() + a.offset, a.bytes, b.object->origin() + b.offset, b.bytes);
  if (a.region.level != b.region.level) return false;
  for (unsigned dim = 0; dim < 3; ++dim)
    if (!ranges_meet(a.region.origin[dim], a.region.extent[dim], b.region.origin[dim], b.region.extent[dim])) return false;
  return true;
}

}  // namespace

MemoryObject::MemoryObject(Parts parts)
    : context_(std::move(parts.context)), type_(parts.type), flags_(parts.flags), size_(parts.size),
      properties_(std::move(parts.properties)), host_ptr_(parts.host_ptr), parent_(std::move(parts.parent)),
      residency_(parent_ ? nullptr : std::make_unique<Residency>(*context_, flags_, size_, host_ptr_, parts.uses_svm_pointer)),
      origin_(parts.origin), uses_svm_pointer_(parts.uses_svm_pointer) {
  if (!parent_) trace_memory(static_cast<int64_t>(size_));
}

MemoryObject::~MemoryObject() {
  forget_addressed(*this);
  if (!parent_) trace_memory(-static_cast<int64_t>(size_));
  forget_uses(*this);
  if (!parent_ && !can_have_copies())
    if (const char *memory = residency_->known_host()) end_object(memory, size_);
  if (!parent_) return;
  MemoryObject &mapper = this->mapper();
  std::lock_guard lock(mapper.mutex_);
  std::erase_if(mapper.mappings_, [&](const auto &entry) { return entry.second.object == this; });
}

void MemoryObject::dispose() noexcept {
  destructors_.leave_to<MemoryObject>(*this, [](MemoryObject &object) {
    // "When the callback function is called by the implementation, this memory object is not longer valid."
    object.invalidate();
    // Run the callbacks before freeing the memory: with CL_MEM_USE_HOST_PTR the callback tells the application to free its
    // memory.
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

bool MemoryObject::add_mapping(void *pointer, Mapping mapping) {
  mapping.object = this;
  MemoryObject &mapper = this->mapper();
  std::lock_guard lock(mapper.mutex_);
  if (writes(mapping) && std::ranges::any_of(mapper.mappings_, [&](const auto &other) {
        return writes(other.second) && overlap(mapping, other.second);
      }))
    return false;
  mapper.mappings_.emplace(pointer, mapping);
  return true;
}

MemoryObject::MappingNode MemoryObject::remove_mapping(void *pointer) {
  MemoryObject &mapper = this->mapper();
  std::lock_guard lock(mapper.mutex_);
  const auto [first, last] = mapper.mappings_.equal_range(pointer);
  const auto found = std::find_if(first, last, [&](const auto &entry) { return entry.second.object == this; });
  return found == last ? MappingNode() : mapper.mappings_.extract(found);
}

void MemoryObject::put_back_mapping(MappingNode mapping) {
  MemoryObject &mapper = this->mapper();
  std::lock_guard lock(mapper.mutex_);
  mapper.mappings_.insert(std::move(mapping));
}

cl_uint MemoryObject::map_count() const {
  const MemoryObject &mapper = this->mapper();
  std::lock_guard lock(mapper.mutex_);
  return static_cast<cl_uint>(
      std::ranges::count_if(mapper.mappings_, [&](const auto &entry) { return entry.second.object == this; }));
}

}  // namespace upsweep
