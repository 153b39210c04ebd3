// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory objects (cl_mem): the common base of buffers, images and pipes.
#ifndef UPSWEEP_RUNTIME_OBJECTS_MEMORY_OBJECT_H
#define UPSWEEP_RUNTIME_OBJECTS_MEMORY_OBJECT_H

#include "base/handle.h"
#include "runtime/memory/residency.h"
#include "runtime/objects/context.h"
#include "runtime/objects/destructor_callbacks.h"
#include "runtime/objects/image_layout.h"
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

namespace upsweep {

class MemoryObject : public Object<MemoryObject, _cl_mem, CL_INVALID_MEM_OBJECT> {
public:
  using Destructor = DestructorCallbacks<_cl_mem>::Function;

  Context &context() const { return *context_; }
  cl_mem_object_type type() const { return type_; }
  cl_mem_flags flags() const { return flags_; }
  size_t size() const { return size_; }
  /// The value of CL_MEM_HOST_PTR; null unless CL_MEM_USE_HOST_PTR was given.
  void *host_ptr() const { return host_ptr_; }
  bool uses_svm_pointer() const { return uses_svm_pointer_; }
  /// As passed at creation with the terminating 0; empty if there were none.
  std::span<const cl_mem_properties> properties() const { return properties_; }
  /// The parent of a sub-buffer or view, or null; and the offset in it.
  MemoryObject *parent() const { return parent_.get(); }
  size_t origin() const { return origin_; }
  /// The object that owns the memory: the parent's root, or this object if it has no parent.
  const MemoryObject &root() const { return parent_ ? parent_->root() : *this; }

  /// The address of the object in host memory, or in the memory of a target that has its own. Allocated by the first call.
  /// CL_MEM_OBJECT_ALLOCATION_FAILURE.
  Result<char *> host();
  Result<uint64_t> address_on(Target &target);
  /// Whether a target holds a copy, so that make_current_on_host() may have to move bytes.
  bool can_have_copies() const { return residency().can_have_copies(); }
  /// The allocation on a target and the object's offset in it; null before address_on().
  DeviceMemory *memory_on(const Target &target) const { return residency().memory_on(target); }

  /// Residency::num_writes() of the root object.
  uint64_t num_writes() const { return residency().num_writes(); }
  /// The functions of Residency; `range` is relative to this object.
  Result<void> make_current_on_host(Access access, ByteRange range);
  Result<void> make_current_on(Target &target, Access access, ByteRange range);
  bool expect_on_host(const Target &target, ByteRange range);
  void arrived_on_host(ByteRange range);
  ByteRange whole() const { return {0, size_}; }

  struct Mapping {
    size_t offset;
    size_t bytes;
    cl_map_flags flags;
    ImageRegion region;  ///< for a buffer, bytes as texels
    /// there are bytes between its rows, which other objects that share the memory may have mapped
    bool has_gaps;
    const MemoryObject *object = nullptr;  ///< set by add_mapping
  };
  /// Records a mapping at `pointer`. False if it overlaps another mapping of this object, or of an object that shares its
  /// memory, and both are for writing.
  bool add_mapping(void *pointer, Mapping mapping);
  using MappingNode = std::multimap<void *, Mapping>::node_type;
  /// Removes one mapping; empty if `pointer` has none.
  MappingNode remove_mapping(void *pointer);
  /// Undoes remove_mapping() without an allocation.
  void put_back_mapping(MappingNode mapping);
  cl_uint map_count() const;

  /// Callbacks run when the last reference is dropped, so no command uses the memory any more.
  Result<void> add_destructor(Destructor function, void *user_data) { return destructors_.add(function, user_data); }

protected:
  struct Parts {
    Ref<Context> context;
    cl_mem_object_type type;
    cl_mem_flags flags;
    size_t size;
    std::vector<cl_mem_properties> properties;
    char *host_ptr = nullptr;  ///< the pointer of CL_MEM_USE_HOST_PTR
    Ref<MemoryObject> parent;
    size_t origin = 0;
    bool uses_svm_pointer = false;
  };
  explicit MemoryObject(Parts parts);
  ~MemoryObject() override;
  void dispose() noexcept override;

private:
  /// The object that holds the mappings of all objects that share its memory.
  MemoryObject &mapper() { return parent_ ? parent_->mapper() : *this; }
  const MemoryObject &mapper() const { return root(); }
  Residency &residency() const { return parent_ ? parent_->residency() : *residency_; }

  Ref<Context> context_;
  cl_mem_object_type type_;
  cl_mem_flags flags_;
  size_t size_;
  std::vector<cl_mem_properties> properties_;
  char *host_ptr_;
  Ref<MemoryObject> parent_;
  std::unique_ptr<Residency> residency_;  ///< of a root object; else null
  size_t origin_;
  bool uses_svm_pointer_;
  mutable std::mutex mutex_;                 ///< guards mappings_
  std::multimap<void *, Mapping> mappings_;  ///< of a root object; else empty
  DestructorCallbacks<_cl_mem> destructors_;
};

}  // namespace upsweep
#endif
