// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Making transfers, and running them in host memory.
#include "runtime/commands/transfer.h"
#include <cstring>

namespace upsweep {
namespace {

Result<char *> host_pointer(const Place &place) {
  if (!place.memory) return place.pointer;
  return place.memory->host().map([&](char *base) { return base + place.offset; });
}

/// A place in host memory, with the newest bytes of `range` (of the memory object) for the access.
Result<char *> on_host(const Place &place, Access access, ByteRange range) {
  if (!place.memory) return place.pointer;
  if (auto current = place.memory->make_current_on_host(access, range); !current) return fail(current);
  return host_pointer(place);
}

/// Brings the bytes that a copy reads to the host, and makes the host the owner of those that it writes.
Result<void> fetch(const CopyTransfer &copy) {
  if (auto from = on_host(copy.from, Access::kRead, bytes_of(copy.from, copy.from_layout, copy.region)); !from)
    return fail(from);
  return on_host(copy.to, write_access(copy.to_layout, copy.region), bytes_of(copy.to, copy.to_layout, copy.region))
      .map([](char *) {});
}

bool can_have_copies(const Place &place) { return place.memory && place.memory->can_have_copies(); }

Result<void> run(const CopyTransfer &copy) {
  // A short copy takes less time than finding out which bytes it touches.
  if (can_have_copies(copy.from) || can_have_copies(copy.to))
    if (auto fetched = fetch(copy); !fetched) return fetched;
  auto from = host_pointer(copy.from);
  if (!from) return fail(from);
  auto to = host_pointer(copy.to);
  if (!to) return fail(to);
  copy_rect(*to, copy.to_layout, *from, copy.from_layout, copy.region);
  return {};
}

Result<void> run(const FillTransfer &fill) {
  auto to = on_host(fill.to, Access::kWrite, {fill.to.offset, fill.to.offset + fill.bytes});
  if (!to) return fail(to);
  fill_bytes(*to, fill.bytes, fill.pattern.data(), fill.pattern_bytes);
  return {};
}

Result<void> run(const FillRectTransfer &fill) {
  auto to = on_host(fill.to, write_access(fill.layout, fill.region), bytes_of(fill.to, fill.layout, fill.region));
  if (!to) return fail(to);
  fill_rect(*to, fill.layout, fill.region, fill.pattern.data(), fill.pattern_bytes);
  return {};
}

Result<void> run(const MapTransfer &map) {
  return on_host(map.place, map_access(map.flags), {map.place.offset, map.place.offset + map.bytes}).map([](char *) {});
}

Result<void> run(const UnmapTransfer &unmap) {
  // The host's writes while it was mapped are the newest, whatever a device has done meanwhile.
  if (!(unmap.flags & (CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION))) return {};
  return on_host(unmap.place, Access::kWrite, {unmap.place.offset, unmap.place.offset + unmap.bytes}).map([](char *) {});
}

Result<void> run(const MigrateTransfer &migrate) {
  if (migrate.flags & CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED) return {};
  for (const auto &[place, bytes] : migrate.parts)
    if (auto moved = on_host(place, Access::kRead, {place.offset, place.offset + bytes}); !moved) return fail(moved);
  return {};
}

}  // namespace

Place place_in(MemoryObject &memory, size_t offset) { return {.memory = Ref(&memory), .offset = offset, .pointer = nullptr}; }

Place place_at(const void *pointer) {
  return {.memory = nullptr, .offset = 0, .pointer = const_cast<char *>(static_cast<const char *>(pointer))};
}

CopyTransfer linear_copy(Place to, Place from, size_t bytes) {
  const RectLayout layout{{0, 0, 0}, bytes, bytes};
  return {std::move(to), std::move(from), layout, layout, {bytes, 1, 1}};
}

FillTransfer make_fill(Place to, size_t bytes, const void *pattern, size_t pattern_bytes) {
  FillTransfer fill{std::move(to), bytes, pattern_bytes, {}};
  std::memcpy(fill.pattern.data(), pattern, pattern_bytes);
  return fill;
}

ByteRange bytes_of(const Place &place, const RectLayout &layout, const Size3 &region) {
  if (region[0] == 0) return {};
  return {place.offset + region_begin(layout), place.offset + region_end(layout, region)};
}

Access write_access(const RectLayout &layout, const Size3 &region) {
  const bool rows_join = region[1] == 1 || layout.row_pitch == region[0];
  const bool slices_join = region[2] == 1 || layout.slice_pitch == region[1] * region[0];
  return rows_join && slices_join ? Access::kWrite : Access::kReadWrite;
}

Access map_access(cl_map_flags flags) {
  if (flags & CL_MAP_WRITE_INVALIDATE_REGION) return Access::kWrite;
  return flags & CL_MAP_WRITE ? Access::kReadWrite : Access::kRead;
}

Result<void> run_on_host(const Transfer &transfer) {
  return std::visit([](const auto &kind) { return run(kind); }, transfer);
}

}  // namespace upsweep
