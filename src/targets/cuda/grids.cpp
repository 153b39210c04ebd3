// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each dimension is cut into pieces: whole work-groups, as many as a grid can have, then the smaller work-group at the edge.
#include "targets/cuda/grids.h"
#include <algorithm>
#include <vector>

namespace upsweep {
namespace {

constexpr std::array<uint64_t, 3> kMostBlocks = {(uint64_t{1} << 31) - 1, 65535, 65535};

struct Piece {
  uint64_t first;
  uint64_t groups;
  uint64_t size;  ///< of a work-group
};

std::vector<Piece> cut(uint64_t global, uint64_t local, uint64_t most) {
  std::vector<Piece> pieces;
  const uint64_t whole = global / local;
  for (uint64_t first = 0; first < whole; first += most) pieces.push_back({first, std::min(most, whole - first), local});
  if (global % local) pieces.push_back({whole, 1, global % local});
  return pieces;
}

}  // namespace

Result<void> for_each_grid(const NDRange &range, const std::function<Result<void>(Grid &)> &use) {
  std::array<std::vector<Piece>, 3> pieces;
  Grid grid{};
  UpsweepGrid &parameter = grid.parameter;
  parameter.work_dim = range.work_dim;
  for (size_t d = 0; d < 3; ++d) {
    pieces[d] = cut(range.global[d], range.local[d], kMostBlocks[d]);
    parameter.global_size[d] = range.global[d];
    parameter.global_offset[d] = range.offset[d];
    parameter.num_groups[d] = (range.global[d] + range.local[d] - 1) / range.local[d];
    parameter.enqueued_local_size[d] = static_cast<uint32_t>(range.local[d]);
  }
  auto set = [&](size_t d, const Piece &piece) {
    grid.blocks[d] = static_cast<unsigned>(piece.groups);
    grid.threads[d] = static_cast<unsigned>(piece.size);
    parameter.group_base[d] = piece.first;
    parameter.first_id[d] = range.offset[d] + piece.first * range.local[d];
  };
  for (const Piece &z : pieces[2]) {
    set(2, z);
    for (const Piece &y : pieces[1]) {
      set(1, y);
      for (const Piece &x : pieces[0]) {
        set(0, x);
        if (auto used = use(grid); !used) return used;
      }
    }
  }
  return {};
}

}  // namespace upsweep
