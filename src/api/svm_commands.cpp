// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// clEnqueueSVMFree, clEnqueueSVMMemcpy, clEnqueueSVMMemFill, clEnqueueSVMMap, clEnqueueSVMUnmap, clEnqueueSVMMigrateMem. Their
// effect on memory is a Transfer between pointers; if devices use host memory, any pointer is valid.
#include "api/command_sink.h"
#include "api/entry.h"
#include "api/memory_checks.h"
#include "api/pointer_place.h"
#include "runtime/memory/svm.h"
#include "runtime/memory/usm.h"
#include <vector>

using namespace upsweep;

namespace {

using FreeFunction = void(CL_CALLBACK *)(cl_command_queue queue, cl_uint num_pointers, void *pointers[], void *user_data);

Result<std::vector<void *>> check_pointers(cl_uint count, void *const *pointers) {
  if ((pointers == nullptr) != (count == 0)) return fail(CL_INVALID_VALUE, "num_svm_pointers and svm_pointers do not agree");
  return std::vector<void *>(pointers, pointers + count);
}

/// The place of the argument `name`. SVM that is unified shared memory may be out of the host's reach.
Result<Place> svm_place(const Queue &queue, const void *pointer, size_t bytes, const char *name) {
  if (!pointer) return fail(CL_INVALID_VALUE, std::string(name) + " is null");
  if (find_usm(queue.context(), pointer)) return pointer_place(queue, pointer, bytes, OutsideAllocations::kAllowed, name);
  if (auto checked = check_host_range(pointer, bytes, name); !checked) return fail(checked);
  return place_at(pointer);
}

HostWork free_work(Queue &queue, std::vector<void *> pointers, FreeFunction function, void *user_data) {
  // The queue outlives its commands.
  return [&queue, pointers = std::move(pointers), function, user_data]() mutable -> Result<void> {
    if (function)
      function(&queue, static_cast<cl_uint>(pointers.size()), pointers.data(), user_data);
    else
      for (void *pointer : pointers) free_svm(queue.context(), pointer);
    return {};
  };
}

Result<void> check_map(const Queue &queue, cl_map_flags flags, const void *pointer, size_t size) {
  if (!pointer || size == 0) return fail(CL_INVALID_VALUE, "svm_ptr is null or size is 0");
  if (auto checked = check_host_range(pointer, size, "svm_ptr"); !checked) return checked;
  constexpr cl_map_flags kReadWrite = CL_MAP_READ | CL_MAP_WRITE;
  if (flags & ~(kReadWrite | CL_MAP_WRITE_INVALIDATE_REGION)) return fail(CL_INVALID_VALUE, "flags has unknown bits");
  if ((flags & CL_MAP_WRITE_INVALIDATE_REGION) && (flags & kReadWrite))
    return fail(CL_INVALID_VALUE, "CL_MAP_WRITE_INVALIDATE_REGION excludes CL_MAP_READ and CL_MAP_WRITE");
  // Without CL_SVM_CAPABILITY_HOST_MAP_KHR the host may never reach the memory.
  if (const auto found = find_svm(queue.context(), pointer); found && found->svm == SvmType::kDevice)
    return fail(CL_INVALID_VALUE, "svm_ptr is a device's own memory, which cannot be mapped");
  return {};
}

/// Migration names whole allocations or parts of them.
Result<MigrateTransfer> check_migration(const Context &context, cl_uint count, const void **pointers, const size_t *sizes,
                                        cl_mem_migration_flags flags) {
  if (count == 0 || !pointers) return fail(CL_INVALID_VALUE, "num_svm_pointers is 0 or svm_pointers is null");
  MigrateTransfer migrate{{}, flags};
  for (cl_uint i = 0; i < count; ++i) {
    const auto allocation = find_svm(context, pointers[i]);
    if (!allocation) return fail(CL_INVALID_VALUE, "svm_pointers[" + std::to_string(i) + "] is not SVM memory of the context");
    const size_t offset = static_cast<size_t>(static_cast<const char *>(pointers[i]) - allocation->base);
    if (sizes && sizes[i] != 0 && sizes[i] > allocation->bytes - offset)
      return fail(CL_INVALID_VALUE, "sizes[" + std::to_string(i) + "] leaves the allocation");
    // A device's or the host's own memory cannot move; the CUDA driver moves shared memory on access.
    if (allocation->kind != AllocationKind::kSvm) continue;
    // A size of 0, or a missing size, means the whole allocation.
    const bool is_part = sizes && sizes[i] != 0;
    migrate.parts.push_back({place_at(is_part ? pointers[i] : allocation->base), is_part ? sizes[i] : allocation->bytes});
  }
  if (flags & ~cl_mem_migration_flags{CL_MIGRATE_MEM_OBJECT_HOST | CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED})
    return fail(CL_INVALID_VALUE, "flags has unknown bits");
  return migrate;
}

}  // namespace

namespace upsweep {

Result<void> copy_svm(const CommandSink &sink, void *dst_ptr, const void *src_ptr, size_t size) {
  auto queue = sink.queue();
  if (!queue) return fail(queue);
  auto to = svm_place(**queue, dst_ptr, size, "dst_ptr");
  if (!to) return fail(to);
  auto from = svm_place(**queue, src_ptr, size, "src_ptr");
  if (!from) return fail(from);
  if (ranges_overlap(dst_ptr, src_ptr, size)) return fail(CL_MEM_COPY_OVERLAP, "source and destination overlap");
  Transfer copy = linear_copy(*std::move(to), *std::move(from), size);
  return sink.take(**queue, CL_COMMAND_SVM_MEMCPY, std::move(copy));
}

Result<void> fill_svm(const CommandSink &sink, void *svm_ptr, const void *pattern, size_t pattern_size, size_t size) {
  auto queue = sink.queue();
  if (!queue) return fail(queue);
  auto to = svm_place(**queue, svm_ptr, size, "svm_ptr");
  if (!to) return fail(to);
  // The address replaces a buffer's offset, so it must also be a multiple of the pattern's size.
  if (auto checked = check_fill_pattern(pattern, pattern_size, reinterpret_cast<uintptr_t>(svm_ptr), size); !checked)
    return checked;
  Transfer fill = make_fill(*std::move(to), size, pattern, pattern_size);
  return sink.take(**queue, CL_COMMAND_SVM_MEMFILL, std::move(fill));
}

}  // namespace upsweep

cl_int CL_API_CALL clEnqueueSVMFree(cl_command_queue command_queue, cl_uint num_svm_pointers, void *svm_pointers[],
                                    FreeFunction pfn_free_func, void *user_data, cl_uint num_events_in_wait_list,
                                    const cl_event *event_wait_list, cl_event *event) {
  return entry(__func__, [&]() -> Result<void> {
    auto queue = Queue::from(command_queue);
    if (!queue) return fail(queue);
    auto pointers = check_pointers(num_svm_pointers, svm_pointers);
    if (!pointers) return fail(pointers);
    return enqueue_checked(**queue, CL_COMMAND_SVM_FREE, free_work(**queue, *std::move(pointers), pfn_free_func, user_data),
                           {num_events_in_wait_list, event_wait_list, event});
  });
}

cl_int CL_API_CALL clEnqueueSVMMemcpy(cl_command_queue command_queue, cl_bool blocking_copy, void *dst_ptr, const void *src_ptr,
                                      size_t size, cl_uint num_events_in_wait_list, const cl_event *event_wait_list,
                                      cl_event *event) {
  return entry(__func__, [&] {
    return copy_svm(QueueSink(command_queue, {num_events_in_wait_list, event_wait_list, event}, blocking_copy != CL_FALSE),
                    dst_ptr, src_ptr, size);
  });
}

cl_int CL_API_CALL clEnqueueSVMMemFill(cl_command_queue command_queue, void *svm_ptr, const void *pattern, size_t pattern_size,
                                       size_t size, cl_uint num_events_in_wait_list, const cl_event *event_wait_list,
                                       cl_event *event) {
  return entry(__func__, [&] {
    return fill_svm(QueueSink(command_queue, {num_events_in_wait_list, event_wait_list, event}), svm_ptr, pattern, pattern_size,
                    size);
  });
}

cl_int CL_API_CALL clEnqueueSVMMap(cl_command_queue command_queue, cl_bool blocking_map, cl_map_flags flags, void *svm_ptr,
                                   size_t size, cl_uint num_events_in_wait_list, const cl_event *event_wait_list,
                                   cl_event *event) {
  return entry(__func__, [&]() -> Result<void> {
    auto queue = Queue::from(command_queue);
    if (!queue) return fail(queue);
    if (auto checked = check_map(**queue, flags, svm_ptr, size); !checked) return checked;
    return enqueue_checked(**queue, CL_COMMAND_SVM_MAP, Transfer(MapTransfer{place_at(svm_ptr), size, flags}),
                           {num_events_in_wait_list, event_wait_list, event}, blocking_map != CL_FALSE);
  });
}

cl_int CL_API_CALL clEnqueueSVMUnmap(cl_command_queue command_queue, void *svm_ptr, cl_uint num_events_in_wait_list,
                                     const cl_event *event_wait_list, cl_event *event) {
  return entry(__func__, [&]() -> Result<void> {
    auto queue = Queue::from(command_queue);
    if (!queue) return fail(queue);
    if (!svm_ptr) return fail(CL_INVALID_VALUE, "svm_ptr is null");
    return enqueue_checked(**queue, CL_COMMAND_SVM_UNMAP, Transfer(UnmapTransfer{place_at(svm_ptr), 0, 0}),
                           {num_events_in_wait_list, event_wait_list, event});
  });
}

cl_int CL_API_CALL clEnqueueSVMMigrateMem(cl_command_queue command_queue, cl_uint num_svm_pointers, const void **svm_pointers,
                                          const size_t *sizes, cl_mem_migration_flags flags, cl_uint num_events_in_wait_list,
                                          const cl_event *event_wait_list, cl_event *event) {
  return entry(__func__, [&]() -> Result<void> {
    auto queue = Queue::from(command_queue);
    if (!queue) return fail(queue);
    auto migrate = check_migration((*queue)->context(), num_svm_pointers, svm_pointers, sizes, flags);
    if (!migrate) return fail(migrate);
    return enqueue_checked(**queue, CL_COMMAND_SVM_MIGRATE_MEM, Transfer(*std::move(migrate)),
                           {num_events_in_wait_list, event_wait_list, event});
  });
}
