// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each kind of transfer has a function for each question, so a new kind must answer all of them.
#include "runtime/commands/transfer_ends.h"

namespace upsweep {
namespace {

bool is_object(const Place &place) { return place.memory || place.is_of_device; }
EndAt end_at(const Place &place) { return is_object(place) ? EndAt::kObject : EndAt::kPointer; }

TransferEnds ends(const CopyTransfer &copy) {
  return {.from = end_at(copy.from),
          .to = end_at(copy.to),
          .bytes = copy.bytes(),
          .is_linear = copy.is_linear(),
          .pointer = is_object(copy.to) ? copy.from.pointer : copy.to.pointer,
          .source = copy.from.memory.get()};
}

TransferEnds ends(const FillTransfer &fill) { return {.to = end_at(fill.to), .bytes = fill.bytes, .pointer = fill.to.pointer}; }

TransferEnds ends(const FillRectTransfer &fill) {
  const auto &[bytes, rows, slices] = fill.region;
  return {
      .to = end_at(fill.to), .bytes = bytes * rows * slices, .is_linear = rows == 1 && slices == 1, .pointer = fill.to.pointer};
}

/// SVM memory does not move: host and device use the same address.
TransferEnds ends(const MapTransfer &map) {
  if (!map.place.memory) return {.from = EndAt::kPointer, .to = EndAt::kPointer, .pointer = map.place.pointer};
  return {.from = EndAt::kObject,
          .to = EndAt::kHostCopy,
          .bytes = map.bytes,
          .host_writes = map_access(map.flags) != Access::kRead,
          .source = map.place.memory.get()};
}

TransferEnds ends(const UnmapTransfer &unmap) {
  return {.from = unmap.place.memory ? EndAt::kHostCopy : EndAt::kPointer, .pointer = unmap.place.pointer};
}

TransferEnds ends(const MigrateTransfer &migrate) {
  if (migrate.flags & CL_MIGRATE_MEM_OBJECT_HOST) return {.from = EndAt::kObject, .to = EndAt::kHostCopy};
  return {.from = EndAt::kHostCopy, .to = EndAt::kObject};
}

/// A target that can move the memory does it in the order of its queue.
TransferEnds ends(const HintTransfer &hint) { return {.to = end_at(hint.place), .pointer = hint.place.pointer}; }

Result<void> make_current_on_host(const Place &place, Access access, ByteRange range) {
  if (auto current = place.memory->make_current_on_host(access, range); !current) return current;
  return place.memory->host().map([](char *) {});
}

}  // namespace

TransferEnds ends_of(const Transfer &transfer) {
  return std::visit([](const auto &kind) { return ends(kind); }, transfer);
}

TransferAccesses accesses_of(const CopyTransfer &copy) {
  TransferAccesses accesses;
  accesses.emplace_back(&copy.from, Access::kRead, bytes_of(copy.from, copy.from_layout, copy.region));
  accesses.emplace_back(&copy.to, write_access(copy.to_layout, copy.region), bytes_of(copy.to, copy.to_layout, copy.region));
  return accesses;
}

TransferAccesses accesses_of(const FillTransfer &fill) {
  TransferAccesses accesses;
  accesses.emplace_back(&fill.to, Access::kWrite, ByteRange{fill.to.offset, fill.to.offset + fill.bytes});
  return accesses;
}

TransferAccesses accesses_of(const FillRectTransfer &fill) {
  TransferAccesses accesses;
  accesses.emplace_back(&fill.to, write_access(fill.layout, fill.region), bytes_of(fill.to, fill.layout, fill.region));
  return accesses;
}

TransferAccesses accesses_of(const MapTransfer &map) {
  TransferAccesses accesses;
  const ByteRange range{map.place.offset, map.place.offset + map.bytes};
  accesses.emplace_back(&map.place, map_access(map.flags), range, true);
  return accesses;
}

/// The host's writes through the mapping are the newest, whatever a device has written in the meantime.
TransferAccesses accesses_of(const UnmapTransfer &unmap) {
  TransferAccesses accesses;
  const ByteRange range{unmap.place.offset, unmap.place.offset + unmap.bytes};
  if (unmap.flags & (CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION))
    accesses.emplace_back(&unmap.place, Access::kWrite, range, true);
  return accesses;
}

TransferAccesses accesses_of(const MigrateTransfer &migrate) {
  TransferAccesses accesses;
  if (migrate.flags & CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED) return accesses;
  const bool on_host = migrate.flags & CL_MIGRATE_MEM_OBJECT_HOST;
  for (const auto &[place, bytes] : migrate.parts)
    accesses.emplace_back(&place, Access::kRead, ByteRange{place.offset, place.offset + bytes}, on_host);
  return accesses;
}

TransferAccesses accesses_of(const HintTransfer &) { return {}; }

Result<void> make_current(const TransferAccesses &accesses, Target *target, bool may_fail) {
  for (const auto &[place, declared, range, on_host] : accesses) {
    if (!place->memory) continue;
    // If the transfer fails and writes nothing, the old bytes must be valid.
    const Access access = may_fail && declared == Access::kWrite ? Access::kReadWrite : declared;
    auto current = target && !on_host ? place->memory->make_current_on(*target, access, range)
                                      : make_current_on_host(*place, access, range);
    if (!current) return current;
  }
  return {};
}

Result<void> make_current(const Transfer &transfer, Target *target, bool may_fail) {
  return make_current(std::visit([](const auto &kind) { return accesses_of(kind); }, transfer), target, may_fail);
}

}  // namespace upsweep
