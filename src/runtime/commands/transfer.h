// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Transfers: the effect of commands on memory, as data. Each target implements them in its own way.
#ifndef UPSWEEP_RUNTIME_COMMANDS_TRANSFER_H
#define UPSWEEP_RUNTIME_COMMANDS_TRANSFER_H

#include "runtime/code_object.h"
#include "runtime/commands/bulk_copy.h"
#include "runtime/commands/rect_copy.h"
#include "runtime/objects/memory_object.h"
#include <array>
#include <cstddef>
#include <variant>
#include <vector>

namespace upsweep {

/// A location of bytes: `offset` bytes into a memory object, or at a pointer (host, SVM or unified shared memory).
struct Place {
  Ref<MemoryObject> memory;  ///< null: use `pointer`
  size_t offset = 0;
  char *pointer = nullptr;
  bool is_of_device = false;  ///< the pointer is to memory of the queue's device, which its transfers use in place
  Ref<CodeObject> code = {};  ///< has the program-scope variable at `pointer`; null for other pointers
};

Place place_in(MemoryObject &memory, size_t offset = 0);
Place place_at(const void *pointer);
Place place_on_device(const void *pointer);

/// Reads, writes, copies, their rectangular forms, and SVM memcpy. Layouts are complete (complete_pitches) and relative to the
/// places. The two regions are identical or do not overlap.
struct CopyTransfer {
  Place to;
  Place from;
  RectLayout to_layout;
  RectLayout from_layout;
  Size3 region;  ///< {bytes, 1, 1} for a linear copy

  bool is_linear() const { return region[1] == 1 && region[2] == 1; }
  size_t bytes() const { return region[0] * region[1] * region[2]; }
};

CopyTransfer linear_copy(Place to, Place from, size_t bytes);
/// A linear copy if the region is contiguous at both ends, since targets copy that faster; else a rectangular copy.
CopyTransfer rect_copy(Place to, Place from, const RectLayout &to_layout, const RectLayout &from_layout, const Size3 &region);

/// Fills a buffer or SVM memory.
struct FillTransfer {
  Place to;
  size_t bytes;
  size_t pattern_bytes;
  std::array<char, kMaxFillPattern> pattern;
};

FillTransfer make_fill(Place to, size_t bytes, const void *pattern, size_t pattern_bytes);

/// Fills a rectangle of an image with elements of any size up to kMaxFillPattern. The layout is complete; `region` is in bytes.
struct FillRectTransfer {
  Place to;
  RectLayout layout;
  Size3 region;
  size_t pattern_bytes;
  std::array<char, kMaxFillPattern> pattern;
};

/// Makes `bytes` bytes ready for the host's use given by `flags`. The memory object's host memory is already allocated.
struct MapTransfer {
  Place place;
  size_t bytes;
  cl_map_flags flags;
};

/// The host's use has ended. For SVM memory, `bytes` and `flags` are unknown and 0.
struct UnmapTransfer {
  Place place;
  size_t bytes;
  cl_map_flags flags;
};

/// Prepares places for use by the next commands on the queue's device, or by the host with CL_MIGRATE_MEM_OBJECT_HOST.
struct MigrateTransfer {
  struct Part {
    Place place;
    size_t bytes;
  };
  std::vector<Part> parts;
  cl_mem_migration_flags flags;
};

/// Advice about unified shared memory. It changes no contents.
struct HintTransfer {
  enum class Kind {
    kToDevice,      ///< the queue's device uses the bytes soon
    kToHost,        ///< the host uses the bytes soon
    kNoPreference,  ///< earlier advice ends
  };
  Place place;
  size_t bytes;
  Kind kind;
};

using Transfer =
    std::variant<CopyTransfer, FillTransfer, FillRectTransfer, MapTransfer, UnmapTransfer, MigrateTransfer, HintTransfer>;

/// A FillTransfer if the region is contiguous, since targets do that faster; else a FillRectTransfer.
Transfer make_rect_fill(Place to, const RectLayout &layout, const Size3 &region, const void *pattern, size_t pattern_bytes);

/// The smallest range of bytes in the place's memory object, or from its pointer, that contains the region.
ByteRange bytes_of(const Place &place, const RectLayout &layout, const Size3 &region);
/// The access for writing a region: kWrite if the region covers the whole range.
Access write_access(const RectLayout &layout, const Size3 &region);

/// Runs a transfer in host memory; first moves its bytes there if necessary.
Result<void> run_on_host(const Transfer &transfer);

/// The host's access through a mapping with these flags.
Access map_access(cl_map_flags flags);

}  // namespace upsweep
#endif
