// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reductions by key: runs of every magnitude, values and keys of several sizes, operators that do not commute.
#include "compact_check.h"

#include <upsweep/cuda/reduce_by_key.cuh>

using namespace upsweep::test;

namespace {

template <class Key, class T, class Op>
void check_by_key(const char *type, Op op) {
  Placed<std::uint64_t> count(1, 0);
  for (const std::size_t n : compact_sizes<T>()) {
    for (const int most : {0, 3, 10, 22}) {
      const std::vector<Key> all_keys = runs<Key>(n, most);
      const std::vector<T> values = scan_values<T>(n);
      std::vector<Key> keys;
      std::vector<T> totals;
      for (std::size_t i = 0; i < n; ++i) {
        if (i == 0 || !SameBytes()(all_keys[i - 1], all_keys[i])) {
          keys.push_back(all_keys[i]);
          totals.push_back(values[i]);
        } else {
          totals.back() = op(totals.back(), values[i]);
        }
      }
      for (const std::size_t shift : {0, 1}) {
        const std::string what = "by key " + std::string(type) + " to 2^" + std::to_string(most) + " of " + std::to_string(n) +
                                 " at " + std::to_string(shift);
        Placed<Key> in_keys(all_keys, shift), out_keys(n, 3 * shift);
        Placed<T> in(values, shift), out(n, shift);
        count.poison();
        expect_success(what, cuda::reduce_by_key(shared_space(), in_keys.data(), in.data(), out_keys.data(), out.data(),
                                                 count.data(), n, op, SameBytes()));
        expect_begin(what + ", keys", out_keys.download(), keys);
        expect_begin(what + ", totals", out.download(), totals);
        expect_kept(what, count, keys.size());
        UPSWEEP_CHECK(out.surroundings_are_intact() && out_keys.surroundings_are_intact());
        expect_same(what + ", values", in.download(), values);
      }
    }
  }
}

}  // namespace

UPSWEEP_TEST(GivenKeysOfWords_WhenWordsAreReduced_ThenTotalsAreRight) {
  check_by_key<std::uint32_t, std::uint32_t>("u32, u32", cuda::plus{});
}
UPSWEEP_TEST(GivenKeysOfBytes_WhenMapsAreComposed_ThenOperandsAreInOrder) {
  check_by_key<std::uint8_t, Affine<1>>("u8, maps", Compose{});
}
UPSWEEP_TEST(GivenKeysOfLongs_WhenDoublesAreReduced_ThenTotalsAreRight) {
  check_by_key<std::uint64_t, double>("u64, f64", cuda::plus{});
}
UPSWEEP_TEST(GivenKeysOfShorts_WhenBytesAreReduced_ThenTotalsWrap) {
  check_by_key<std::uint16_t, std::uint8_t>("u16, u8", cuda::plus{});
}
UPSWEEP_TEST(GivenKeysOfThreeWords_WhenMatricesAreMultiplied_ThenOperandsAreInOrder) {
  check_by_key<Heisenberg, Heisenberg>("12 bytes, 12 bytes", HeisenbergProduct{});
}
