// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Applies transfers to shadows.
#include "runtime/commands/transfer_shadows.h"
#include "base/checks.h"
#include "base/shadow_memory.h"
#include "runtime/check/initialisation.h"
#include "runtime/memory/address_table.h"

namespace upsweep {
namespace {

/// The bytes of a place in host memory; null if targets may have other copies.
char *bytes_at(const Place &place) {
  if (!place.memory) return place.pointer;
  if (place.memory->can_have_copies()) return nullptr;
  const Result<char *> base = place.memory->host();
  return base ? *base + place.offset : nullptr;
}

/// Memory that kernels use, in contrast to the application's own.
bool is_of_kernels(const Place &place) { return place.memory || place.code || address_table().find(place.pointer).has_value(); }

template <typename Visit>
void for_each_row(char *base, const RectLayout &layout, const Size3 &region, Visit &&visit) {
  char *begin = base + region_begin(layout);
  for (size_t z = 0; z < region[2]; ++z)
    for (size_t y = 0; y < region[1]; ++y) visit(begin + z * layout.slice_pitch + y * layout.row_pitch, region[0]);
}

void follow(const CopyTransfer &copy) {
  char *to = bytes_at(copy.to), *from = bytes_at(copy.from);
  if (!to || !from) return;
  if (!is_of_kernels(copy.to))
    for_each_row(from, copy.from_layout, copy.region, report_stored);
  else if (is_of_kernels(copy.from))
    copy_rect(shadow_of(to), copy.to_layout, shadow_of(from), copy.from_layout, copy.region);
  else
    for_each_row(to, copy.to_layout, copy.region, mark_written);
}

void follow(const FillTransfer &fill) {
  if (char *to = bytes_at(fill.to)) mark_written(to, fill.bytes);
}

void follow(const FillRectTransfer &fill) {
  if (char *to = bytes_at(fill.to)) for_each_row(to, fill.layout, fill.region, mark_written);
}

/// No command may use the bytes until they are unmapped, so they count as written here.
void follow(const MapTransfer &map) {
  char *place = bytes_at(map.place);
  if (!place) return;
  if (map.flags & CL_MAP_READ) report_stored(place, map.bytes);
  if (map.flags & (CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION)) mark_written(place, map.bytes);
}

/// The remaining transfers change no bytes.
template <typename Kind>
void follow(const Kind &) {}

}  // namespace

void follow_shadows(const Transfer &transfer) {
  if (!enabled_checks().has(Check::kInit)) return;
  std::visit([](const auto &kind) { follow(kind); }, transfer);
}

}  // namespace upsweep
