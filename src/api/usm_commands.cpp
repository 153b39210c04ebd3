// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// clEnqueueMemFillINTEL, clEnqueueMemcpyINTEL, clEnqueueMigrateMemINTEL, clEnqueueMemAdviseINTEL. Their effect on memory is a
// Transfer between pointers.
#include "api/enqueue.h"
#include "api/entry.h"
#include "api/memory_checks.h"
#include "api/pointer_place.h"
#include <CL/cl_ext.h>

using namespace upsweep;

namespace {

Result<void> enqueue_hint(cl_command_queue command_queue, cl_command_type type, const void *ptr, size_t size,
                          const Result<HintTransfer::Kind> &kind, const EventArguments &events) {
  auto queue = Queue::from(command_queue);
  if (!queue) return fail(queue);
  auto place = pointer_place(**queue, ptr, size, OutsideAllocations::kIfSystemMemory, "ptr");
  if (!place) return fail(place);
  if (!kind) return fail(kind);
  return enqueue_checked(**queue, type, Transfer(HintTransfer{*std::move(place), size, *kind}), events);
}

/// "CL_INVALID_VALUE if flags is not a supported combination of memory migration flags". Since version 1.2.0, 0 is valid.
Result<HintTransfer::Kind> hint_of(cl_mem_migration_flags flags) {
  if (flags & ~cl_mem_migration_flags{CL_MIGRATE_MEM_OBJECT_HOST | CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED})
    return fail(CL_INVALID_VALUE, "flags has unknown bits");
  return flags & CL_MIGRATE_MEM_OBJECT_HOST ? HintTransfer::Kind::kToHost : HintTransfer::Kind::kToDevice;
}

/// The extension reserves values, but names none. "If a memory advice hint is not supported by the device it will be ignored."
Result<HintTransfer::Kind> hint_of_advice(cl_mem_advice_intel advice) {
  constexpr cl_mem_advice_intel kFirstReserved = 0x4208, kLastReserved = 0x420F;
  if (advice != 0 && (advice < kFirstReserved || advice > kLastReserved))
    return fail(CL_INVALID_VALUE, "advice is " + std::to_string(advice) + ", which is no value of the extension");
  return HintTransfer::Kind::kNoPreference;
}

}  // namespace

cl_int CL_API_CALL clEnqueueMemFillINTEL(cl_command_queue command_queue, void *dst_ptr, const void *pattern,
                                         size_t pattern_size, size_t size, cl_uint num_events_in_wait_list,
                                         const cl_event *event_wait_list, cl_event *event) {
  return entry(__func__, [&]() -> Result<void> {
    auto queue = Queue::from(command_queue);
    if (!queue) return fail(queue);
    auto to = pointer_place(**queue, dst_ptr, size, OutsideAllocations::kIfSystemMemory, "dst_ptr");
    if (!to) return fail(to);
    // The address replaces a buffer's offset: "CL_INVALID_VALUE … if dst_ptr is not aligned to pattern_size bytes".
    if (auto checked = check_fill_pattern(pattern, pattern_size, reinterpret_cast<uintptr_t>(dst_ptr), size); !checked)
      return checked;
    return enqueue_checked(**queue, CL_COMMAND_MEMFILL_INTEL, Transfer(make_fill(*std::move(to), size, pattern, pattern_size)),
                           {num_events_in_wait_list, event_wait_list, event});
  });
}

cl_int CL_API_CALL clEnqueueMemcpyINTEL(cl_command_queue command_queue, cl_bool blocking, void *dst_ptr, const void *src_ptr,
                                        size_t size, cl_uint num_events_in_wait_list, const cl_event *event_wait_list,
                                        cl_event *event) {
  return entry(__func__, [&]() -> Result<void> {
    auto queue = Queue::from(command_queue);
    if (!queue) return fail(queue);
    auto to = pointer_place(**queue, dst_ptr, size, OutsideAllocations::kAllowed, "dst_ptr");
    if (!to) return fail(to);
    auto from = pointer_place(**queue, src_ptr, size, OutsideAllocations::kAllowed, "src_ptr");
    if (!from) return fail(from);
    const Result<void> apart =
        ranges_overlap(dst_ptr, src_ptr, size) ? fail(CL_MEM_COPY_OVERLAP, "source and destination overlap") : Result<void>();
    return enqueue_checked(**queue, CL_COMMAND_MEMCPY_INTEL, Transfer(linear_copy(*std::move(to), *std::move(from), size)),
                           {num_events_in_wait_list, event_wait_list, event}, blocking != CL_FALSE, apart);
  });
}

cl_int CL_API_CALL clEnqueueMigrateMemINTEL(cl_command_queue command_queue, const void *ptr, size_t size,
                                            cl_mem_migration_flags flags, cl_uint num_events_in_wait_list,
                                            const cl_event *event_wait_list, cl_event *event) {
  return entry(__func__, [&] {
    return enqueue_hint(command_queue, CL_COMMAND_MIGRATEMEM_INTEL, ptr, size, hint_of(flags),
                        {num_events_in_wait_list, event_wait_list, event});
  });
}

cl_int CL_API_CALL clEnqueueMemAdviseINTEL(cl_command_queue command_queue, const void *ptr, size_t size,
                                           cl_mem_advice_intel advice, cl_uint num_events_in_wait_list,
                                           const cl_event *event_wait_list, cl_event *event) {
  return entry(__func__, [&] {
    return enqueue_hint(command_queue, CL_COMMAND_MEMADVISE_INTEL, ptr, size, hint_of_advice(advice),
                        {num_events_in_wait_list, event_wait_list, event});
  });
}
