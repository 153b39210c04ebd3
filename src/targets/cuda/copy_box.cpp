// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Boxes of bytes, short patterns, and the steps of a fill.
#include "targets/cuda/copy_box.h"
#include <algorithm>
#include <cstring>

namespace upsweep {
namespace {

/// Whether slices consist of whole rows, as the CUDA driver requires. An application's image slices may not.
bool has_whole_rows(const RectLayout &layout, const Size3 &region) {
  return region[2] == 1 || layout.slice_pitch % layout.row_pitch == 0;
}

CudaCopy3D::End end_of(Side side, const RectLayout &layout, const Size3 &region) {
  const auto &[bytes, rows, slices] = region;
  CudaCopy3D::End end;
  end.memory_type = side.type;
  (side.type == kHost ? end.host : end.device) = side.address;
  // The pitch of a single row or slice is irrelevant, but the driver might reject its value.
  end.pitch = rows == 1 && slices == 1 ? bytes : layout.row_pitch;
  end.height = slices == 1 ? rows : layout.slice_pitch / layout.row_pitch;
  return end;
}

}  // namespace

Result<Side> resolve(Target &target, const Place &place, size_t begin) {
  if (!place.memory) return Side{place.is_of_device ? kDevice : kHost, reinterpret_cast<uint64_t>(place.pointer) + begin};
  return place.memory->address_on(target).map([&](uint64_t base) { return Side{kDevice, base + place.offset + begin}; });
}

std::optional<CudaCopy3D> box_of(const Gpu &gpu, const CopyTransfer &copy, Side to, Side from) {
  const auto max_pitch = static_cast<size_t>(gpu.attribute(kMaxPitch));
  if (!has_whole_rows(copy.to_layout, copy.region) || !has_whole_rows(copy.from_layout, copy.region)) return std::nullopt;
  if (std::max(copy.to_layout.row_pitch, copy.from_layout.row_pitch) > max_pitch) return std::nullopt;
  CudaCopy3D box{};
  box.from = end_of(from, copy.from_layout, copy.region);
  box.to = end_of(to, copy.to_layout, copy.region);
  box.width = copy.region[0];
  box.height = copy.region[1];
  box.depth = copy.region[2];
  return box;
}

ShortPattern shorten(const FillTransfer &fill) {
  const char *pattern = fill.pattern.data();
  size_t period = fill.pattern_bytes;
  while (period > 1 && std::memcmp(pattern, pattern + period / 2, period / 2) == 0) period /= 2;
  ShortPattern found{period};
  if (period <= sizeof found.word) std::memcpy(&found.word, pattern, period);
  return found;
}

FillTransfer first_row(const FillRectTransfer &fill) {
  Place first = fill.to;
  first.offset += region_begin(fill.layout);
  return make_fill(first, fill.region[0], fill.pattern.data(), fill.pattern_bytes);
}

Result<void> repeat_first_row(const FillRectTransfer &fill, const std::function<Result<void>(const CopyTransfer &)> &copy) {
  const auto &[bytes, rows, slices] = fill.region;
  const auto copy_part = [&](size_t row, size_t slice, size_t num_rows, size_t num_slices) {
    CopyTransfer part{fill.to, fill.to, fill.layout, fill.layout, {fill.region[0], num_rows, num_slices}};
    part.to_layout.origin[1] += row;
    part.to_layout.origin[2] += slice;
    return copy(part);
  };
  for (size_t done = 1; done < rows; done *= 2)
    if (auto copied = copy_part(done, 0, std::min(done, rows - done), 1); !copied) return copied;
  for (size_t done = 1; done < slices; done *= 2)
    if (auto copied = copy_part(0, done, rows, std::min(done, slices - done)); !copied) return copied;
  return {};
}

}  // namespace upsweep
