// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory objects (cl_mem): what buffers have in common with images and pipes.
#ifndef UPSWEEP_RUNTIME_MEMORY_OBJECT_H
#define UPSWEEP_RUNTIME_MEMORY_OBJECT_H

#include "base/handle.h"
#include "runtime/context.h"
#include "runtime/host_memory.h"
#include <map>
#include <mutex>
#include <span>
#include <vector>

namespace upsweep {

class MemoryObject : public Object<MemoryObject, _cl_mem, CL_INVALID_MEM_OBJECT> {
public:
  using Destructor = void(CL_CALLBACK *)(cl_mem memory, void *user_data);

  Context &context() const { return *context_; }
  cl_mem_object_type type() const { return type_; }
  cl_mem_flags flags() const { return flags_; }
  size_t size() const { return size_; }
  char *data() const { return data_; }
  /// What CL_MEM_HOST_PTR returns; null unless CL_MEM_USE_HOST_PTR was given.
  void *host_ptr() const { return flags_ & CL_MEM_USE_HOST_PTR ? data_ : nullptr; }
  bool uses_svm_pointer() const { return uses_svm_pointer_; }
  /// As given at creation with the terminating 0; empty when there were none.
  std::span<const cl_mem_properties> properties() const { return properties_; }
  /// The buffer that this is a sub-buffer of, or null, and where in it.
  MemoryObject *parent() const { return parent_.get(); }
  size_t origin() const { return origin_; }
  /// The object that owns the memory: this, or for a sub-buffer its parent.
  const MemoryObject &root() const { return parent_ ? parent_->root() : *this; }

  /// Counts one more mapping at `pointer`.
  void add_mapping(void *pointer);
  /// Takes one mapping back; false when `pointer` is none.
  bool remove_mapping(void *pointer);
  cl_uint map_count() const;

  /// Callbacks run in reverse order of registration when the last reference is gone, so also when no command uses the memory.
  void add_destructor(Destructor function, void *user_data);

protected:
  struct Parts {
    Ref<Context> context;
    cl_mem_object_type type;
    cl_mem_flags flags;
    size_t size;
    std::vector<cl_mem_properties> properties;
    HostMemory owned;  ///< null when the memory is the application's or the parent's
    char *data;
    Ref<MemoryObject> parent;
    size_t origin = 0;
    bool uses_svm_pointer = false;
  };
  explicit MemoryObject(Parts parts);
  ~MemoryObject() override;

private:
  struct DestructorCall {
    Destructor function;
    void *user_data;
  };

  Ref<Context> context_;
  cl_mem_object_type type_;
  cl_mem_flags flags_;
  size_t size_;
  std::vector<cl_mem_properties> properties_;
  HostMemory owned_;
  char *data_;
  Ref<MemoryObject> parent_;
  size_t origin_;
  bool uses_svm_pointer_;
  mutable std::mutex mutex_;  ///< guards what follows
  std::map<void *, cl_uint> mappings_;
  std::vector<DestructorCall> destructors_;
};

}  // namespace upsweep
#endif
