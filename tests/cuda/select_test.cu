// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Selections by predicate, flags, bits and stencil, and of the first element of each run: every edge, alignment and share of
// kept elements, for types of 1 to 64 bytes.
#include "compact_check.h"

#include <upsweep/cuda/select.cuh>

using namespace upsweep::test;

namespace {

// Calls select(in, out, kept, count) with arrays at several placements, and in place.
template <class T, class Select>
void check_places(const std::string &what, const std::vector<T> &values, const std::vector<T> &expected, const Select &select) {
  Placed<std::uint32_t> kept(1, 0);
  for (const std::size_t in_shift : {0, 1}) {
    for (const std::size_t out_shift : {0, 1, 3}) {
      const std::string place = what + " from " + std::to_string(in_shift) + " to " + std::to_string(out_shift);
      Placed<T> in(values, in_shift), out(values.size(), out_shift);
      kept.poison();
      expect_success(place, select(in.data(), out.data(), kept.data(), values.size()));
      expect_begin(place, out.download(), expected);
      expect_kept(place, kept, expected.size());
      UPSWEEP_CHECK(out.surroundings_are_intact() && kept.surroundings_are_intact());
      expect_same(place + ", input", in.download(), values);
    }
  }
  Placed<T> both(values, 0);
  expect_success(what + " in place", select(both.data(), both.data(), kept.data(), values.size()));
  expect_same(what + " in place", both.download(expected.size()), expected);
  UPSWEEP_CHECK(both.surroundings_are_intact());
  if (values.size() < Pipelined<T>::kMost) {
    Pipelined<T> arrays(values);
    kept.poison();
    expect_success(what + " pipelined", select(arrays.in().data(), arrays.out(0), kept.data(), arrays.count()));
    expect_begin(what + " pipelined", arrays.download(0), expected);
    expect_kept(what + " pipelined", kept, expected.size());
  }
}

template <class T>
void check_predicate(const char *type) {
  for (const std::size_t n : compact_sizes<T>()) {
    const std::vector<T> values = any_values<T>(n);
    for (const std::uint32_t share : shares_of(n)) {
      const KeepShare keep{share};
      const Kinds<T> kinds(values, [&](std::size_t i) { return keep(values[i]); });
      check_places("select_if " + std::string(type) + " " + std::to_string(share) + "/256 of " + std::to_string(n), values,
                   kinds.kept, [&](const T *in, T *out, std::uint32_t *kept, auto count) {
                     return cuda::select_if(shared_space(), in, out, kept, count, keep);
                   });
    }
  }
}

template <class T, class Mark>
void check_marks(const char *type) {
  for (const std::size_t n : compact_sizes<T>()) {
    const std::vector<T> values = any_values<T>(n);
    std::vector<Mark> flags(n);
    const std::uint32_t share = kShares[generator()() % 5];
    for (Mark &flag : flags) {
      flag = static_cast<Mark>(generator()() % 256 < share ? 1 + generator()() % 255 : 0);
    }
    for (const std::size_t shift : {0, 1}) {
      const std::string what = std::string(type) + " by " + std::to_string(sizeof(Mark)) + "-byte marks at " +
                               std::to_string(shift) + ", " + std::to_string(n);
      Placed<Mark> marks(flags, shift);
      const Kinds<T> kinds(values, [&](std::size_t i) { return flags[i] != 0; });
      check_places("select_by_flag " + what, values, kinds.kept, [&](const T *in, T *out, std::uint32_t *kept, auto count) {
        return cuda::select_by_flag(shared_space(), in, marks.data(), out, kept, count);
      });
      const KeepShare keep{100};
      const Kinds<T> by_stencil(values, [&](std::size_t i) { return keep(flags[i]); });
      check_places("select_by_stencil " + what, values, by_stencil.kept,
                   [&](const T *in, T *out, std::uint32_t *kept, auto count) {
                     return cuda::select_by_stencil(shared_space(), in, marks.data(), out, kept, count, keep);
                   });
    }
  }
}

template <class T>
void check_bits(const char *type) {
  for (const std::size_t n : compact_sizes<T>()) {
    const std::vector<T> values = any_values<T>(n);
    // Bits behind the last one are 1 as well.
    const std::vector<std::uint32_t> masks = any_values<std::uint32_t>((n + 31) / 32);
    const Kinds<T> kinds(values, [&](std::size_t i) { return (masks[i / 32] >> i % 32 & 1) != 0; });
    for (const std::size_t shift : {0, 1}) {
      Placed<std::uint32_t> bits(masks, shift);
      check_places("select_by_bit " + std::string(type) + " " + std::to_string(n), values, kinds.kept,
                   [&](const T *in, T *out, std::uint32_t *kept, auto count) {
                     return cuda::select_by_bit(shared_space(), in, bits.data(), out, kept, count);
                   });
    }
  }
}

template <class T>
void check_unique(const char *type) {
  for (const std::size_t n : compact_sizes<T>()) {
    for (const int most : {0, 3, 16}) {
      const std::vector<T> values = runs<T>(n, most);
      const Kinds<T> kinds(values, [&](std::size_t i) { return i == 0 || !SameBytes()(values[i - 1], values[i]); });
      check_places("unique " + std::string(type) + " runs to 2^" + std::to_string(most) + " of " + std::to_string(n), values,
                   kinds.kept, [&](const T *in, T *out, std::uint32_t *kept, auto count) {
                     return cuda::unique(shared_space(), in, out, kept, count, SameBytes());
                   });
    }
  }
}

}  // namespace

UPSWEEP_TEST(GivenBits_WhenWordsAreSelected_ThenThoseOfOnesAreKept) { check_bits<std::uint32_t>("u32"); }
UPSWEEP_TEST(GivenBits_WhenBytesAreSelected_ThenThoseOfOnesAreKept) { check_bits<std::uint8_t>("u8"); }
UPSWEEP_TEST(GivenBits_WhenLongsAreSelected_ThenThoseOfOnesAreKept) { check_bits<std::uint64_t>("u64"); }
UPSWEEP_TEST(GivenBits_WhenLargeStructsAreSelected_ThenThoseOfOnesAreKept) { check_bits<Affine<8>>("64 bytes"); }
UPSWEEP_TEST(GivenRunsOfWords_WhenMadeUnique_ThenTheFirstOfEachIsKept) { check_unique<std::uint32_t>("u32"); }
UPSWEEP_TEST(GivenRunsOfBytes_WhenMadeUnique_ThenTheFirstOfEachIsKept) { check_unique<std::uint8_t>("u8"); }
UPSWEEP_TEST(GivenRunsOfLongs_WhenMadeUnique_ThenTheFirstOfEachIsKept) { check_unique<std::uint64_t>("u64"); }
UPSWEEP_TEST(GivenRunsOfThreeWords_WhenMadeUnique_ThenTheFirstOfEachIsKept) { check_unique<Heisenberg>("12 bytes"); }
UPSWEEP_TEST(GivenRunsOfLargeStructs_WhenMadeUnique_ThenTheFirstOfEachIsKept) { check_unique<Affine<8>>("64 bytes"); }
UPSWEEP_TEST(GivenWords_WhenSelected_ThenTheKeptLieSideBySide) { check_predicate<std::uint32_t>("u32"); }
UPSWEEP_TEST(GivenBytes_WhenSelected_ThenTheKeptLieSideBySide) { check_predicate<std::uint8_t>("u8"); }
UPSWEEP_TEST(GivenShorts_WhenSelected_ThenTheKeptLieSideBySide) { check_predicate<std::uint16_t>("u16"); }
UPSWEEP_TEST(GivenLongs_WhenSelected_ThenTheKeptLieSideBySide) { check_predicate<std::uint64_t>("u64"); }
UPSWEEP_TEST(GivenThreeBytes_WhenSelected_ThenTheKeptLieSideBySide) { check_predicate<Triple>("3 bytes"); }
UPSWEEP_TEST(GivenThreeWords_WhenSelected_ThenTheKeptLieSideBySide) { check_predicate<Heisenberg>("12 bytes"); }
UPSWEEP_TEST(GivenVectors_WhenSelected_ThenTheKeptLieSideBySide) { check_predicate<Affine<2>>("16 bytes"); }
UPSWEEP_TEST(GivenLargeStructs_WhenSelected_ThenTheKeptLieSideBySide) { check_predicate<Affine<8>>("64 bytes"); }
UPSWEEP_TEST(GivenMarks_WhenWordsAreSelected_ThenTheMarkedAreKept) {
  check_marks<std::uint32_t, std::uint8_t>("u32");
  check_marks<std::uint32_t, std::uint32_t>("u32");
}
UPSWEEP_TEST(GivenMarks_WhenBytesAreSelected_ThenTheMarkedAreKept) {
  check_marks<std::uint8_t, std::uint16_t>("u8");
  check_marks<std::uint8_t, std::uint8_t>("u8");
}
UPSWEEP_TEST(GivenMarks_WhenLongsAreSelected_ThenTheMarkedAreKept) { check_marks<std::uint64_t, std::uint8_t>("u64"); }
