// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The tiles in which work-groups sort keys by a digit (kernels/sort_rank.cl).
#pragma once

#include <upsweep/opencl/detail/compact_job.h>
#include <upsweep/opencl/detail/key_order.h>

namespace upsweep::opencl::detail {

enum class SortValues { kNone, kPairs, kIndices };

inline constexpr unsigned kRadixBits = 8, kRadix = 1U << kRadixBits;

struct SortTile {
  unsigned group = 1, items = 1;
  unsigned lanes = 1;           // work-items of a warp
  bool has_sub_groups = false;  // which are the warps
  std::uint64_t keys() const { return std::uint64_t(group) * items; }
};

// The tile for keys of `bytes` in local memory and places of `place_bytes`, with at most `most` keys for each work-item.
inline SortTile sort_tile_for(const Call &call, std::size_t bytes, std::size_t place_bytes, std::size_t most) {
  const Device &device = call.device();
  const plan &how = call.how();
  SortTile tile;
  const auto room = [&] {
    const unsigned lanes = device.group_multiple;
    tile.has_sub_groups =
        device.has_sub_groups && how.functions != 0 && call.language() >= 200 && lanes <= 32 && tile.group % lanes == 0;
    tile.lanes = tile.has_sub_groups ? lanes : std::min(32U, tile.group);
    const std::size_t warps = tile.group / tile.lanes;
    // The begins of each warp's keys of a digit, the sums of the warps, the counts before the tile, and the begins of digits.
    const std::size_t beside = kRadix * (warps * sizeof(cl_ushort) + 2 * sizeof(cl_uint) + place_bytes) + 256;
    const std::size_t left = device.local_bytes - std::min<std::size_t>(device.local_bytes, beside);
    return left < kRadix * warps * (sizeof(cl_uint) + sizeof(cl_ushort)) ? 0 : left;  // masks and counts of warps
  };
  const std::size_t group = std::min<std::size_t>({how.group != 0 ? how.group : 512U, device.max_group, 1024U});
  while (tile.group * 2 <= group) tile.group *= 2;
  while (tile.group > 32 && how.group == 0 && room() < tile.group * bytes) tile.group /= 2;
  // Ranks have 16 bits.
  const std::size_t fit = std::min<std::size_t>(room() / bytes, UINT16_MAX) / tile.group;
  const std::size_t items = how.items != 0 ? how.items : most;
  tile.items = static_cast<unsigned>(std::max<std::size_t>(1, std::min(items, fit)));
  return tile;
}

inline void define_sort_tile(Source &source, const SortTile &tile) {
  source.define("UPS_GROUP", tile.group);
  source.define("UPS_ITEMS", tile.items);
  source.define("UPS_LANES", tile.lanes);
  source.define("UPS_SUB_GROUPS", tile.has_sub_groups ? 1 : 0);
}

// The program of a kernel that ranks keys. If its sub-groups have another size than assumed, warps are not sub-groups.
template <class MakeSource>
cl_int sort_program(Call &call, SortTile &tile, const char *kernel, const MakeSource &make, std::shared_ptr<Program> *found) {
  const cl_int code = call.program(make(), found);
  if (code != CL_SUCCESS || !tile.has_sub_groups || call.sub_group_of(**found, kernel, tile.group) == tile.lanes) return code;
  tile.has_sub_groups = false;
  tile.lanes = std::min(32U, tile.group);
  return call.program(make(), found);
}

// A digit: bits of a part of the key.
struct SortDigit {
  KeyPart part;
  std::size_t part_number;
  cl_uint shift, mask;
};

// The digits from the least to the most significant. There is at least one; with no bits its pass copies.
inline std::vector<SortDigit> sort_digits(const element_type &key, const Options &options) {
  std::vector<SortDigit> digits;
  const std::vector<KeyPart> parts = parts_of_key(key, options);
  const key_bits wanted = options.bits.value_or(key_bits{0, UINT32_MAX});
  unsigned first = 0;  // bit of the key
  for (std::size_t p = parts.size(); p-- > 0;) {
    const unsigned bits = static_cast<unsigned>(8 * parts[p].type.bytes);
    const unsigned end = std::min(bits, std::max(wanted.end, first) - first);
    for (unsigned shift = std::max(wanted.begin, first) - first; shift < end; shift += kRadixBits) {
      digits.push_back({parts[p], p, shift, (1U << std::min(kRadixBits, end - shift)) - 1});
    }
    first += bits;
  }
  if (digits.empty()) digits.push_back({parts[0], 0, 0, 0});
  return digits;
}

}  // namespace upsweep::opencl::detail
