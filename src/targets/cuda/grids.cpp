// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each dimension of the index space is cut into pieces. The grids are the products of these pieces, x fastest.
#include "targets/cuda/grids.h"
#include <algorithm>

namespace upsweep {
namespace {

constexpr std::array<uint64_t, 3> kMostBlocks = {(uint64_t{1} << 31) - 1, 65535, 65535};

}  // namespace

Grids::Grids(const NDRange &range) : offset_(range.offset) {
  UpsweepGrid &parameter = grid_.parameter;
  parameter.work_dim = range.work_dim;
  for (size_t d = 0; d < 3; ++d) {
    const uint64_t groups = range.num_groups(d);
    const uint64_t edge = range.global[d] - (groups - 1) * range.local[d];  // work-items of the last group
    const bool is_whole = edge == range.local[d];
    cuts_[d] = {groups - !is_whole, range.local[d], is_whole ? 0 : edge, kMostBlocks[d]};
    parameter.global_size[d] = range.global[d];
    parameter.global_offset[d] = range.offset[d];
    parameter.num_groups[d] = groups;
    parameter.enqueued_local_size[d] = static_cast<uint32_t>(range.local[d]);
    enter(d);
  }
}

void Grids::enter(size_t d) {
  const Cut &cut = cuts_[d];
  grid_.blocks[d] = cut.is_at_edge() ? 1 : static_cast<unsigned>(std::min(cut.most, cut.whole - cut.first));
  grid_.threads[d] = static_cast<unsigned>(cut.is_at_edge() ? cut.edge : cut.local);
  grid_.parameter.group_base[d] = cut.first;
  grid_.parameter.first_id[d] = offset_[d] + cut.first * cut.local;
}

Grid *Grids::finished() {
  grid_.is_whole = std::none_of(cuts_.begin(), cuts_.end(), [](const Cut &cut) { return cut.is_at_edge(); });
  return &grid_;
}

Grid *Grids::next() {
  if (std::exchange(is_first_, false)) return finished();
  for (size_t d = 0; d < 3; ++d) {
    Cut &cut = cuts_[d];
    cut.first += grid_.blocks[d];
    const bool has_more = cut.first < cut.whole || (cut.is_at_edge() && cut.edge != 0);
    if (!has_more) cut.first = 0;
    enter(d);
    if (has_more) return finished();
  }
  return nullptr;
}

}  // namespace upsweep
