// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// clEnqueueMapBuffer, clEnqueueUnmapMemObject, clEnqueueMigrateMemObjects. What they do to memory is a
// Transfer.
#include "api/enqueue.h"
#include "api/entry.h"
#include "api/memory_checks.h"

using namespace upsweep;

namespace {

Result<void> check_map_flags(cl_map_flags flags) {
  constexpr cl_map_flags kReadWrite = CL_MAP_READ | CL_MAP_WRITE;
  if (flags & ~(kReadWrite | CL_MAP_WRITE_INVALIDATE_REGION)) return fail(CL_INVALID_VALUE, "map_flags has unknown bits");
  if ((flags & CL_MAP_WRITE_INVALIDATE_REGION) && (flags & kReadWrite))
    return fail(CL_INVALID_VALUE, "CL_MAP_WRITE_INVALIDATE_REGION excludes CL_MAP_READ and CL_MAP_WRITE");
  return {};
}

Result<void> check_host_access(const MemoryObject &memory, cl_map_flags flags) {
  if (flags & CL_MAP_READ)
    if (auto checked = check_host_may_read(memory); !checked) return checked;
  if (flags & (CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION)) return check_host_may_write(memory);
  return {};
}

/// Takes a mapping back unless it is kept, also where an enqueue ends with an exception.
class NewMapping {
public:
  NewMapping(MemoryObject &memory, char *pointer, MemoryObject::Mapping mapping) : memory_(memory), pointer_(pointer) {
    memory.add_mapping(pointer, mapping);
  }
  ~NewMapping() {
    if (pointer_) memory_.remove_mapping(pointer_);
  }
  NewMapping(const NewMapping &) = delete;
  NewMapping &operator=(const NewMapping &) = delete;
  void keep() { pointer_ = nullptr; }

private:
  MemoryObject &memory_;
  char *pointer_;
};

}  // namespace

void *CL_API_CALL clEnqueueMapBuffer(cl_command_queue command_queue, cl_mem buffer, cl_bool blocking_map,
                                     cl_map_flags map_flags, size_t offset, size_t size, cl_uint num_events_in_wait_list,
                                     const cl_event *event_wait_list, cl_event *event, cl_int *errcode_ret) {
  return entry(__func__, errcode_ret, [&]() -> Result<void *> {
    auto queue = Queue::from(command_queue);
    if (!queue) return fail(queue);
    auto memory = check_buffer(**queue, buffer);
    if (!memory) return fail(memory);
    if (auto checked = check_range(**memory, offset, size); !checked) return fail(checked);
    if (size == 0) return fail(CL_INVALID_VALUE, "size is 0");
    if (auto checked = check_map_flags(map_flags); !checked) return fail(checked);
    auto waits = check_wait_list((*queue)->context(), num_events_in_wait_list, event_wait_list);
    if (!waits) return fail(waits);
    if (auto checked = check_host_access(**memory, map_flags); !checked) return fail(checked);
    // "CL_MAP_FAILURE if there is a failure to map the requested region into the host address space"
    auto host = (*memory)->host();
    if (!host) return fail(CL_MAP_FAILURE, host.error().text);
    char *pointer = *host + offset;
    NewMapping mapping(**memory, pointer, {offset, size, map_flags});
    Transfer map = MapTransfer{place_in(**memory, offset), size, map_flags};
    auto enqueued = enqueue(**queue, CL_COMMAND_MAP_BUFFER, *waits, std::move(map), blocking_map != CL_FALSE, event);
    if (!enqueued) return fail(enqueued);
    mapping.keep();
    return pointer;
  });
}

cl_int CL_API_CALL clEnqueueUnmapMemObject(cl_command_queue command_queue, cl_mem memobj, void *mapped_ptr,
                                           cl_uint num_events_in_wait_list, const cl_event *event_wait_list, cl_event *event) {
  return entry(__func__, [&]() -> Result<void> {
    auto queue = Queue::from(command_queue);
    if (!queue) return fail(queue);
    auto memory = check_memory(**queue, memobj);
    if (!memory) return fail(memory);
    auto waits = check_wait_list((*queue)->context(), num_events_in_wait_list, event_wait_list);
    if (!waits) return fail(waits);
    auto taken = (*memory)->remove_mapping(mapped_ptr);
    if (!taken) return fail(CL_INVALID_VALUE, "mapped_ptr is not a pointer that a map command of this memory object returned");
    const MemoryObject::Mapping &mapping = taken.mapped();
    Transfer unmap = UnmapTransfer{place_in(**memory, mapping.offset), mapping.bytes, mapping.flags};
    auto enqueued = enqueue(**queue, CL_COMMAND_UNMAP_MEM_OBJECT, *waits, std::move(unmap), false, event);
    if (!enqueued) (*memory)->put_back_mapping(std::move(taken));  // it is mapped still
    return enqueued;
  });
}

cl_int CL_API_CALL clEnqueueMigrateMemObjects(cl_command_queue command_queue, cl_uint num_mem_objects,
                                              const cl_mem *mem_objects, cl_mem_migration_flags flags,
                                              cl_uint num_events_in_wait_list, const cl_event *event_wait_list,
                                              cl_event *event) {
  return entry(__func__, [&]() -> Result<void> {
    auto queue = Queue::from(command_queue);
    if (!queue) return fail(queue);
    if (num_mem_objects == 0 || !mem_objects) return fail(CL_INVALID_VALUE, "num_mem_objects is 0 or mem_objects is null");
    MigrateTransfer migrate{{}, flags};
    for (cl_uint i = 0; i < num_mem_objects; ++i) {
      auto memory = check_memory(**queue, mem_objects[i]);
      if (!memory) return fail(memory);
      migrate.parts.push_back({place_in(**memory), (*memory)->size()});
    }
    if (flags & ~cl_mem_migration_flags{CL_MIGRATE_MEM_OBJECT_HOST | CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED})
      return fail(CL_INVALID_VALUE, "flags has unknown bits");
    return enqueue_checked(**queue, CL_COMMAND_MIGRATE_MEM_OBJECTS, Transfer(std::move(migrate)),
                           {num_events_in_wait_list, event_wait_list, event});
  });
}
