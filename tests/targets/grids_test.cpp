// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Launches as grids: every work-item of an index space is in exactly one grid, with the ids of the specification.
#include "targets/cuda/grids.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace upsweep::tests {
namespace {

/// The number of occurrences of each work-item of `range`, counted like a kernel: from the parameter and a thread's place.
std::vector<int> visits(const NDRange &range) {
  std::vector<int> counts(range.global[0] * range.global[1] * range.global[2]);
  Grids grids(range);
  while (const Grid *next = grids.next()) {
    const Grid &grid = *next;
    const UpsweepGrid &p = grid.parameter;
    EXPECT_EQ(grid.is_whole, std::equal(grid.threads.begin(), grid.threads.end(), range.local.begin()));
    auto id = [&](size_t d, uint64_t block, uint64_t thread) { return p.first_id[d] + block * grid.threads[d] + thread; };
    for (unsigned bz = 0; bz < grid.blocks[2]; ++bz)
      for (unsigned by = 0; by < grid.blocks[1]; ++by)
        for (unsigned bx = 0; bx < grid.blocks[0]; ++bx)
          for (unsigned tz = 0; tz < grid.threads[2]; ++tz)
            for (unsigned ty = 0; ty < grid.threads[1]; ++ty)
              for (unsigned tx = 0; tx < grid.threads[0]; ++tx) {
                const std::array<uint64_t, 3> ids{id(0, bx, tx) - range.offset[0], id(1, by, ty) - range.offset[1],
                                                  id(2, bz, tz) - range.offset[2]};
                const std::array<uint64_t, 3> blocks{bx, by, bz}, threads{tx, ty, tz};
                for (size_t d = 0; d < 3; ++d) {
                  EXPECT_LT(ids[d], range.global[d]);
                  EXPECT_EQ(ids[d], (p.group_base[d] + blocks[d]) * range.local[d] + threads[d]);
                }
                ++counts[(ids[2] * range.global[1] + ids[1]) * range.global[0] + ids[0]];
              }
  }
  return counts;
}

}  // namespace

TEST(Grids, GivenRandomRanges_WhenCut_ThenEachWorkItemIsThereOnce) {
  std::mt19937 random(1);
  auto number = [&](uint64_t least, uint64_t most) { return std::uniform_int_distribution<uint64_t>(least, most)(random); };
  for (int i = 0; i < 200; ++i) {
    NDRange range;
    range.work_dim = 3;
    for (size_t d = 0; d < 3; ++d) {
      range.global[d] = number(1, 17);
      range.local[d] = number(1, range.global[d]);
      range.offset[d] = number(0, 1) * number(0, uint64_t{1} << 40);
    }
    const std::vector<int> counts = visits(range);
    EXPECT_EQ(counts, std::vector<int>(counts.size(), 1));
  }
}

TEST(Grids, GivenMoreWorkGroupsThanAGridHas_WhenCut_ThenSeveralGridsFollow) {
  NDRange range;
  range.work_dim = 2;
  range.global = {(uint64_t{1} << 33) + 5, 200000, 1};
  range.local = {2, 1, 1};
  uint64_t items = 0;
  uint64_t num_grids = 0;
  Grids grids(range);
  while (const Grid *next = grids.next()) {
    const Grid &grid = *next;
    uint64_t threads = 1;
    for (size_t d = 0; d < 3; ++d) threads *= uint64_t{grid.blocks[d]} * grid.threads[d];
    EXPECT_LT(grid.blocks[0], uint64_t{1} << 31);
    EXPECT_LT(grid.blocks[1], 65536u);
    EXPECT_EQ(grid.parameter.num_groups[0], (uint64_t{1} << 32) + 3);
    items += threads;
    ++num_grids;
  }
  EXPECT_EQ(items, range.global[0] * range.global[1]);
  EXPECT_EQ(num_grids, 4u * 4u);
}

}  // namespace upsweep::tests
