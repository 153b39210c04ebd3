// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Creates transfers, and runs them in host memory.
#include "runtime/commands/transfer.h"
#include "runtime/commands/transfer_ends.h"
#include "runtime/commands/transfer_shadows.h"
#include <bit>
#include <cstring>

namespace upsweep {
namespace {

Result<char *> host_pointer(const Place &place) {
  if (!place.memory) return place.pointer;
  return place.memory->host().map([&](char *base) { return base + place.offset; });
}

bool can_have_copies(const Place &place) { return place.memory && place.memory->can_have_copies(); }

Result<void> run(const CopyTransfer &copy) {
  // A short copy takes less time than computing the bytes that it touches.
  if (can_have_copies(copy.from) || can_have_copies(copy.to))
    if (auto current = make_current(accesses_of(copy), nullptr); !current) return current;
  auto from = host_pointer(copy.from);
  if (!from) return fail(from);
  auto to = host_pointer(copy.to);
  if (!to) return fail(to);
  copy_rect(*to, copy.to_layout, *from, copy.from_layout, copy.region);
  return {};
}

Result<void> run(const FillTransfer &fill) {
  if (auto current = make_current(accesses_of(fill), nullptr); !current) return current;
  auto to = host_pointer(fill.to);
  if (!to) return fail(to);
  fill_bytes(*to, fill.bytes, fill.pattern.data(), fill.pattern_bytes);
  return {};
}

Result<void> run(const FillRectTransfer &fill) {
  if (auto current = make_current(accesses_of(fill), nullptr); !current) return current;
  auto to = host_pointer(fill.to);
  if (!to) return fail(to);
  fill_rect(*to, fill.layout, fill.region, fill.pattern.data(), fill.pattern_bytes);
  return {};
}

/// Whether a region is contiguous.
bool is_one_piece(const RectLayout &layout, const Size3 &region) {
  const bool rows_join = region[1] == 1 || layout.row_pitch == region[0];
  const bool slices_join = region[2] == 1 || layout.slice_pitch == region[1] * region[0];
  return rows_join && slices_join;
}

Place moved(Place place, size_t bytes) {
  if (place.memory)
    place.offset += bytes;
  else
    place.pointer += bytes;
  return place;
}

/// The remaining transfers only make bytes current on the host, which hints do not ask for.
template <typename Kind>
Result<void> run(const Kind &transfer) {
  return make_current(accesses_of(transfer), nullptr);
}

}  // namespace

Place place_in(MemoryObject &memory, size_t offset) { return {.memory = Ref(&memory), .offset = offset}; }

Place place_at(const void *pointer) {
  return {.memory = nullptr, .pointer = const_cast<char *>(static_cast<const char *>(pointer))};
}

Place place_on_device(const void *pointer) {
  Place place = place_at(pointer);
  place.is_of_device = true;
  return place;
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

CopyTransfer rect_copy(Place to, Place from, const RectLayout &to_layout, const RectLayout &from_layout, const Size3 &region) {
  if (!is_one_piece(to_layout, region) || !is_one_piece(from_layout, region))
    return {std::move(to), std::move(from), to_layout, from_layout, region};
  return linear_copy(moved(std::move(to), region_begin(to_layout)), moved(std::move(from), region_begin(from_layout)),
                     region[0] * region[1] * region[2]);
}

Transfer make_rect_fill(Place to, const RectLayout &layout, const Size3 &region, const void *pattern, size_t pattern_bytes) {
  // A fill of a buffer does not support three-channel texels.
  if (is_one_piece(layout, region) && std::has_single_bit(pattern_bytes)) {
    const size_t bytes = region[0] * region[1] * region[2];
    return make_fill(moved(std::move(to), region_begin(layout)), bytes, pattern, pattern_bytes);
  }
  FillRectTransfer fill{std::move(to), layout, region, pattern_bytes, {}};
  std::memcpy(fill.pattern.data(), pattern, pattern_bytes);
  return fill;
}

ByteRange bytes_of(const Place &place, const RectLayout &layout, const Size3 &region) {
  if (region[0] == 0) return {};
  return {place.offset + region_begin(layout), place.offset + region_end(layout, region)};
}

Access write_access(const RectLayout &layout, const Size3 &region) {
  return is_one_piece(layout, region) ? Access::kWrite : Access::kReadWrite;
}

Access map_access(cl_map_flags flags) {
  if (flags & CL_MAP_WRITE_INVALIDATE_REGION) return Access::kWrite;
  return flags & CL_MAP_WRITE ? Access::kReadWrite : Access::kRead;
}

Result<void> run_on_host(const Transfer &transfer) {
  auto result = std::visit([](const auto &kind) { return run(kind); }, transfer);
  if (result) follow_shadows(transfer);
  return result;
}

}  // namespace upsweep
