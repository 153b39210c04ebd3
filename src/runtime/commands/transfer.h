// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Transfers: the effect of commands on memory, as data that each target carries out in its own way.
#ifndef UPSWEEP_RUNTIME_COMMANDS_TRANSFER_H
#define UPSWEEP_RUNTIME_COMMANDS_TRANSFER_H

#include "runtime/commands/bulk_copy.h"
#include "runtime/commands/rect_copy.h"
#include "runtime/objects/memory_object.h"
#include <array>
#include <cstddef>
#include <variant>
#include <vector>

namespace upsweep {

/// Where bytes are: `offset` bytes into a memory object, or at a pointer (of the host, or to SVM memory).
struct Place {
  Ref<MemoryObject> memory;  ///< null: `pointer` is meant
  size_t offset = 0;
  char *pointer = nullptr;
};

Place place_in(MemoryObject &memory, size_t offset = 0);
Place place_at(const void *pointer);

/// Read, write, copy, their rectangular forms, SVM memcpy. Layouts are complete (complete_pitches) and relative to the places;
/// the two regions do not overlap, but they may be the same bytes.
struct CopyTransfer {
  Place to;
  Place from;
  RectLayout to_layout;
  RectLayout from_layout;
  Size3 region;  ///< of a linear copy {bytes, 1, 1}

  bool is_linear() const { return region[1] == 1 && region[2] == 1; }
  size_t bytes() const { return region[0] * region[1] * region[2]; }
};

CopyTransfer linear_copy(Place to, Place from, size_t bytes);
/// A linear copy where the region is one piece of bytes at both ends, which targets copy faster.
CopyTransfer rect_copy(Place to, Place from, const RectLayout &to_layout, const RectLayout &from_layout, const Size3 &region);

/// Fill of a buffer or SVM memory.
struct FillTransfer {
  Place to;
  size_t bytes;
  size_t pattern_bytes;
  std::array<char, kMaxFillPattern> pattern;
};

FillTransfer make_fill(Place to, size_t bytes, const void *pattern, size_t pattern_bytes);

/// Fill of a rectangle with elements of any size up to kMaxFillPattern: of images. The layout is complete, and `region` in
/// bytes.
struct FillRectTransfer {
  Place to;
  RectLayout layout;
  Size3 region;
  size_t pattern_bytes;
  std::array<char, kMaxFillPattern> pattern;
};

/// The host is about to see `bytes` bytes as `flags` say: of a memory object in its host memory, which is allocated already.
struct MapTransfer {
  Place place;
  size_t bytes;
  cl_map_flags flags;
};

/// The host has done so. For SVM memory `bytes` and `flags` are not known and 0.
struct UnmapTransfer {
  Place place;
  size_t bytes;
  cl_map_flags flags;
};

/// The next commands are about to use these places on the queue's device, or with CL_MIGRATE_MEM_OBJECT_HOST on the host.
struct MigrateTransfer {
  struct Part {
    Place place;
    size_t bytes;
  };
  std::vector<Part> parts;
  cl_mem_migration_flags flags;
};

using Transfer = std::variant<CopyTransfer, FillTransfer, FillRectTransfer, MapTransfer, UnmapTransfer, MigrateTransfer>;

/// A FillRectTransfer, or where the region is one piece of bytes a FillTransfer, which targets do faster.
Transfer make_rect_fill(Place to, const RectLayout &layout, const Size3 &region, const void *pattern, size_t pattern_bytes);

/// The bytes of its place's memory object or pointer that a region touches, from first to last.
ByteRange bytes_of(const Place &place, const RectLayout &layout, const Size3 &region);
/// How a region is written there: kWrite when it is all of those bytes.
Access write_access(const RectLayout &layout, const Size3 &region);

/// Carries a transfer out in host memory, to which it brings bytes that are elsewhere.
Result<void> run_on_host(const Transfer &transfer);

/// The host's intended use of a mapping.
Access map_access(cl_map_flags flags);

}  // namespace upsweep
#endif
