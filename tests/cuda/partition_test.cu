// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Partitions into one output and into two, at every edge and alignment.
#include "compact_check.h"

#include <upsweep/cuda/partition.cuh>

using namespace upsweep::test;

namespace {

template <class T>
void check_partitions(const char *type) {
  Placed<std::uint64_t> kept(1, 0);
  for (const std::size_t n : compact_sizes<T>()) {
    const std::vector<T> values = any_values<T>(n);
    for (const std::uint32_t share : shares_of(n)) {
      const KeepShare keep{share};
      const Kinds<T> kinds(values, [&](std::size_t i) { return keep(values[i]); });
      for (const std::size_t shift : {0, 1, 3}) {
        const std::string what = "partition " + std::string(type) + " " + std::to_string(share) + "/256 of " +
                                 std::to_string(n) + " at " + std::to_string(shift);
        Placed<T> in(values, shift % 2), out(n, shift), first(n, shift), second(n, 1);
        kept.poison();
        expect_success(what, cuda::partition_if(shared_space(), in.data(), out.data(), kept.data(), n, keep));
        expect_same(what, out.download(), kinds.kept_then_reversed());
        expect_kept(what, kept, kinds.kept.size());
        UPSWEEP_CHECK(out.surroundings_are_intact());
        kept.poison();
        expect_success(what,
                       cuda::stable_partition_if(shared_space(), in.data(), first.data(), second.data(), kept.data(), n, keep));
        expect_begin(what + " stable", first.download(), kinds.kept);
        expect_begin(what + " stable, rejected", second.download(), kinds.rejected);
        expect_kept(what, kept, kinds.kept.size());
        UPSWEEP_CHECK(first.surroundings_are_intact() && second.surroundings_are_intact());
      }
      if (n < Pipelined<T>::kMost) {
        const std::string what =
            "partition pipelined " + std::string(type) + " " + std::to_string(share) + "/256 of " + std::to_string(n);
        Pipelined<T> arrays(values);
        kept.poison();
        expect_success(
            what, cuda::partition_if(shared_space(), arrays.in().data(), arrays.out(0), kept.data(), arrays.count(), keep));
        expect_begin(what, arrays.download(0), kinds.kept_then_reversed());
        expect_kept(what, kept, kinds.kept.size());
        expect_success(what, cuda::stable_partition_if(shared_space(), arrays.in().data(), arrays.out(0), arrays.out(1),
                                                       kept.data(), arrays.count(), keep));
        expect_begin(what + " stable", arrays.download(0), kinds.kept);
        expect_begin(what + " stable, rejected", arrays.download(1), kinds.rejected);
      }
    }
  }
}

}  // namespace

UPSWEEP_TEST(GivenWords_WhenPartitioned_ThenBothKindsAreInOrder) { check_partitions<std::uint32_t>("u32"); }
UPSWEEP_TEST(GivenBytes_WhenPartitioned_ThenBothKindsAreInOrder) { check_partitions<std::uint8_t>("u8"); }
UPSWEEP_TEST(GivenLongs_WhenPartitioned_ThenBothKindsAreInOrder) { check_partitions<std::uint64_t>("u64"); }
UPSWEEP_TEST(GivenThreeWords_WhenPartitioned_ThenBothKindsAreInOrder) { check_partitions<Heisenberg>("12 bytes"); }
UPSWEEP_TEST(GivenLargeStructs_WhenPartitioned_ThenBothKindsAreInOrder) { check_partitions<Affine<8>>("64 bytes"); }
UPSWEEP_TEST(GivenFlags_WhenWordsArePartitioned_ThenBothKindsAreInOrder) {
  using T = std::uint32_t;
  Placed<std::uint32_t> kept(1, 0);
  for (const std::size_t n : compact_sizes<T>()) {
    const std::vector<T> values = any_values<T>(n);
    const std::vector<unsigned char> flags = random_heads(n, 3);
    const Kinds<T> kinds(values, [&](std::size_t i) { return flags[i] != 0; });
    const std::string what = "partition by flags of " + std::to_string(n);
    Placed<T> in(values, 0), out(n, 0), first(n, 0), second(n, 1);
    Placed<unsigned char> marks(flags, 0);
    expect_success(what, cuda::partition_by_flag(shared_space(), in.data(), marks.data(), out.data(), kept.data(), n));
    expect_same(what, out.download(), kinds.kept_then_reversed());
    expect_success(what, cuda::stable_partition_by_flag(shared_space(), in.data(), marks.data(), first.data(), second.data(),
                                                        kept.data(), n));
    expect_begin(what + " stable", first.download(), kinds.kept);
    expect_begin(what + " stable, rejected", second.download(), kinds.rejected);
    expect_kept(what, kept, kinds.kept.size());
  }
}
