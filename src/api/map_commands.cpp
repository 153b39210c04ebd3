// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// clEnqueueMapBuffer, clEnqueueMapImage, clEnqueueUnmapMemObject, clEnqueueMigrateMemObjects. Their effect on memory is a
// Transfer.
#include "api/enqueue.h"
#include "api/entry.h"
#include "api/image_checks.h"
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

/// Removes a new mapping unless keep() was called, also if the enqueue throws.
class NewMapping {
public:
  NewMapping(MemoryObject &memory, char *pointer, const MemoryObject::Mapping &mapping)
      : memory_(memory), pointer_(memory.add_mapping(pointer, mapping) ? pointer : nullptr) {}
  ~NewMapping() {
    if (pointer_) memory_.remove_mapping(pointer_);
  }
  NewMapping(const NewMapping &) = delete;
  NewMapping &operator=(const NewMapping &) = delete;
  bool is_noted() const { return pointer_ != nullptr; }
  void keep() { pointer_ = nullptr; }

private:
  MemoryObject &memory_;
  char *pointer_;
};

/// The common end of both map functions.
struct MapRequest {
  cl_command_type type;
  ByteRange range;
  cl_map_flags flags;  ///< for all bytes of the range, gaps included
  ImageRegion region;  ///< for a buffer, its bytes
  bool has_gaps;
  bool blocking;
  cl_event *event;
};

Result<void *> map(Queue &queue, MemoryObject &memory, const WaitList &waits, const MapRequest &request) {
  // "CL_MAP_FAILURE if there is a failure to map the requested region into the host address space"
  auto host = memory.host();
  if (!host) return fail(CL_MAP_FAILURE, host.error().text);
  const auto &[begin, end] = request.range;
  char *pointer = *host + begin;
  NewMapping mapping(memory, pointer, {begin, end - begin, request.flags, request.region, request.has_gaps});
  // "Mapping (and unmapping) overlapped regions in a memory object and/or associated memory objects … for writing is an error"
  if (!mapping.is_noted()) return fail(CL_INVALID_OPERATION, "the region overlaps a region that is mapped for writing");
  Transfer transfer = MapTransfer{place_in(memory, begin), end - begin, request.flags};
  auto enqueued = enqueue(queue, request.type, waits, std::move(transfer), request.blocking, request.event);
  if (!enqueued) return fail(enqueued);
  mapping.keep();
  return pointer;
}

/// Whether the range from a region's first to its last byte contains bytes outside the region.
bool has_gaps(const RectLayout &rect, const Size3 &bytes) { return write_access(rect, bytes) != Access::kWrite; }

/// The flags for the whole range: bytes between rows must keep their values.
cl_map_flags flags_of_range(cl_map_flags flags, bool has_gaps) {
  return has_gaps && (flags & CL_MAP_WRITE_INVALIDATE_REGION) ? CL_MAP_READ | CL_MAP_WRITE : flags;
}

/// The image's pitches for the first level; other levels have no gaps.
struct MappedPitches {
  size_t row;
  size_t slice;
};
MappedPitches mapped_pitches(const Image &image, size_t index) {
  const ImageShape &shape = image.shape();
  if (index == 0) return {shape.row_pitch, shape.slice_pitch};
  const ImageLevel &level = image.levels()[index];
  if (shape.type->value == CL_MEM_OBJECT_IMAGE1D_ARRAY) return {level.row_pitch, level.row_pitch};
  return {level.row_pitch, shape.slice_pitch ? level.slice_pitch : 0};
}

Result<void> check_pitch_pointers(const Image &image, const size_t *row_pitch, const size_t *slice_pitch) {
  if (!row_pitch) return fail(CL_INVALID_VALUE, "image_row_pitch is null");
  if (image.shape().slice_pitch != 0 && !slice_pitch)
    return fail(CL_INVALID_VALUE, "image_slice_pitch is null for a 3D image or an array");
  return {};
}

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
    return map(**queue, **memory, *waits,
               {CL_COMMAND_MAP_BUFFER,
                {offset, offset + size},
                map_flags,
                {0, {offset, 0, 0}, {size, 1, 1}},
                false,
                blocking_map != CL_FALSE,
                event});
  });
}

void *CL_API_CALL clEnqueueMapImage(cl_command_queue command_queue, cl_mem image, cl_bool blocking_map, cl_map_flags map_flags,
                                    const size_t *origin, const size_t *region, size_t *image_row_pitch,
                                    size_t *image_slice_pitch, cl_uint num_events_in_wait_list, const cl_event *event_wait_list,
                                    cl_event *event, cl_int *errcode_ret) {
  return entry(__func__, errcode_ret, [&]() -> Result<void *> {
    auto queue = Queue::from(command_queue);
    if (!queue) return fail(queue);
    auto object = check_image(**queue, image);
    if (!object) return fail(object);
    auto texels = check_image_region(**object, origin, region, "origin");
    if (!texels) return fail(texels);
    if (auto checked = check_map_flags(map_flags); !checked) return fail(checked);
    if (auto checked = check_pitch_pointers(**object, image_row_pitch, image_slice_pitch); !checked) return fail(checked);
    auto waits = check_wait_list((*queue)->context(), num_events_in_wait_list, event_wait_list);
    if (!waits) return fail(waits);
    if (auto checked = check_image_device(**queue, **object); !checked) return fail(checked);
    if (auto checked = check_host_access(**object, map_flags); !checked) return fail(checked);
    const RectLayout rect = (*object)->rect_of(*texels);
    const Size3 bytes = (*object)->bytes_of(*texels);
    auto mapped = map(**queue, **object, *waits,
                      {CL_COMMAND_MAP_IMAGE,
                       {region_begin(rect), region_end(rect, bytes)},
                       flags_of_range(map_flags, has_gaps(rect, bytes)),
                       *texels,
                       has_gaps(rect, bytes),
                       blocking_map != CL_FALSE,
                       event});
    if (!mapped) return mapped;
    const MappedPitches pitches = mapped_pitches(**object, texels->level);
    *image_row_pitch = pitches.row;
    if (image_slice_pitch) *image_slice_pitch = pitches.slice;
    return mapped;
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
    if (!taken) return fail(CL_INVALID_VALUE, "mapped_ptr was not returned by a map command of this memory object");
    const MemoryObject::Mapping &mapping = taken.mapped();
    Transfer unmap = UnmapTransfer{place_in(**memory, mapping.offset), mapping.bytes, mapping.flags};
    auto enqueued = enqueue(**queue, CL_COMMAND_UNMAP_MEM_OBJECT, *waits, std::move(unmap), false, event);
    if (!enqueued) (*memory)->put_back_mapping(std::move(taken));  // it is still mapped
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
