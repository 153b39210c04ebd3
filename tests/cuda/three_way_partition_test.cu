// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Partitions into three parts: every edge, shares from none to all, elements of 1 to 32 bytes.
#include "compact_check.h"
#include "scan_check.h"

#include <upsweep/cuda/three_way_partition.cuh>

using namespace upsweep::test;

namespace {

template <class T>
void check_three(const char *name) {
  using Problem = cuda::detail::CompactThreeProblem<const T *, T *, T *, T *, KeepShare, KeepShare, std::uint32_t>;
  using Tuning = cuda::detail::CompactTuning<Problem>;
  constexpr std::size_t kTile = Tuning::template Geometry<true>::kTileItems, kPart = 32 * Tuning::kRows;
  std::vector<std::size_t> sizes = {0, 1, 31, 33, kPart - 1, kPart + 1, kTile - 1, kTile, kTile + 1, 3 * kTile + 5};
  if (is_short_run()) {
    sizes = {0, 1, kPart + 1, 2 * kTile + 5};
  } else {
    sizes.insert(sizes.end(), {129 * kTile + 3, 530 * kTile + 1});
  }
  // Of 256 elements, the number of the first kind, and the number of the first and second kinds.
  const std::pair<std::uint32_t, std::uint32_t> shares[] = {{0, 0}, {256, 256}, {0, 256}, {85, 170}, {3, 5}, {128, 130}};
  for (const std::size_t n : sizes) {
    const std::vector<T> values = any_values<T>(n);
    for (const auto &[of_first, of_both] : shares) {
      const KeepShare is_first{of_first}, is_second{of_both};
      std::vector<T> parts[3];
      for (const T &value : values) {
        parts[is_first(value) ? 0 : is_second(value) ? 1 : 2].push_back(value);
      }
      const int shifts = static_cast<int>(generator()() % 81);
      Placed<T> in(values, shifts % 3), first(n, shifts / 3 % 3), second(n, shifts / 9 % 3), third(n, shifts / 27);
      DeviceArray<std::uint32_t> kept(2);
      const std::string what = std::string(name) + " " + std::to_string(n) + " shares " + std::to_string(of_first) + " " +
                               std::to_string(of_both) + " at " + std::to_string(shifts);
      expect_success(what, cuda::stable_partition_in_three(shared_space(), static_cast<const T *>(in.data()), first.data(),
                                                           second.data(), third.data(), kept.data(), n, is_first, is_second));
      expect_begin(what + " first", first.download(), parts[0]);
      expect_begin(what + " second", second.download(), parts[1]);
      expect_begin(what + " third", third.download(), parts[2]);
      expect_same(what + " counts", kept.download(),
                  {static_cast<std::uint32_t>(parts[0].size()), static_cast<std::uint32_t>(parts[1].size())});
      UPSWEEP_CHECK(kept.end_is_intact() && first.surroundings_are_intact() && second.surroundings_are_intact() &&
                    third.surroundings_are_intact());
    }
  }
}

}  // namespace

UPSWEEP_TEST(GivenBytes_WhenPartedInThree_ThenEachInOrder) { check_three<std::uint8_t>("u8"); }
UPSWEEP_TEST(GivenShorts_WhenPartedInThree_ThenEachInOrder) { check_three<std::uint16_t>("u16"); }
UPSWEEP_TEST(GivenWords_WhenPartedInThree_ThenEachInOrder) { check_three<std::uint32_t>("u32"); }
UPSWEEP_TEST(GivenLongs_WhenPartedInThree_ThenEachInOrder) { check_three<std::uint64_t>("u64"); }
UPSWEEP_TEST(GivenStructs_WhenPartedInThree_ThenEachInOrder) {
  check_three<Affine<2>>("16 bytes");
  check_three<Affine<4>>("32 bytes");
}

UPSWEEP_TEST(GivenACountOnTheDevice_WhenPartedInThree_ThenThatManyAreParted) {
  const std::vector<std::uint32_t> values = any_values<std::uint32_t>(40000);
  DeviceArray<std::uint32_t> in(values), first(40000), second(40000), third(40000);
  for (const std::uint64_t n : {std::uint64_t(0), std::uint64_t(12345), std::uint64_t(40000)}) {
    DeviceArray<std::uint64_t> count(std::vector<std::uint64_t>{n}), kept(2);
    UPSWEEP_CUDA(cuda::stable_partition_in_three(cuda::stream_pool, in.data(), first.data(), second.data(), third.data(),
                                                 kept.data(), cuda::count_at(count.data(), 40000), KeepShare{50},
                                                 KeepShare{99}));
    std::vector<std::uint64_t> expected = {0, 0};
    for (std::size_t i = 0; i < n; ++i) {
      expected[0] += KeepShare{50}(values[i]);
      expected[1] += !KeepShare{50}(values[i]) && KeepShare{99}(values[i]);
    }
    expect_same("counts", kept.download(), expected);
  }
}
