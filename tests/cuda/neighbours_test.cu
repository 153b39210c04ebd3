// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls that compare or combine neighbours: the first elements of runs of keys, and adjacent differences.
#include "compact_check.h"

#include <upsweep/cuda/adjacent.cuh>
#include <upsweep/cuda/select.cuh>

using namespace upsweep::test;

namespace {

template <class Key, class T>
void check_unique_by_key(const char *type) {
  Placed<std::uint64_t> count(1, 0);
  for (const std::size_t n : compact_sizes<T>()) {
    for (const int most : {0, 3, 12}) {
      const std::vector<Key> all_keys = runs<Key>(n, most);
      const std::vector<T> values = any_values<T>(n);
      const auto is_first = [&](std::size_t i) { return i == 0 || !SameBytes()(all_keys[i - 1], all_keys[i]); };
      const Kinds<Key> keys(all_keys, is_first);
      const Kinds<T> kinds(values, is_first);
      for (const std::size_t shift : {0, 1, 3}) {
        const std::string what = "unique by key " + std::string(type) + " to 2^" + std::to_string(most) + " of " +
                                 std::to_string(n) + " at " + std::to_string(shift);
        Placed<Key> in_keys(all_keys, shift % 2), out_keys(n, 2 * shift);
        Placed<T> in(values, shift % 2), out(n, shift);
        count.poison();
        expect_success(what, cuda::unique_by_key(shared_space(), in_keys.data(), in.data(), out_keys.data(), out.data(),
                                                 count.data(), n, SameBytes()));
        expect_begin(what + ", keys", out_keys.download(), keys.kept);
        expect_begin(what, out.download(), kinds.kept);
        expect_kept(what, count, kinds.kept.size());
        UPSWEEP_CHECK(out.surroundings_are_intact() && out_keys.surroundings_are_intact());
      }
    }
  }
}

// An operator other than a difference, whose operands' order matters.
struct Mix {
  template <class T>
  __host__ __device__ T operator()(const T &element, const T &before) const {
    return static_cast<T>(element * 3 + before);
  }
};

template <class T>
void check_differences(const char *type) {
  for (const std::size_t n : {0, 1, 2, 15, 16, 17, 1023, 1024, 1025, 4095, 4096, 4097, 16383, 16384, 16385, 500001}) {
    const std::vector<T> values = random_elements<T>(n);
    std::vector<T> expected(values), mixed(values);
    for (std::size_t i = 1; i < n; ++i) {
      expected[i] = static_cast<T>(values[i] - values[i - 1]);
      mixed[i] = Mix()(values[i], values[i - 1]);
    }
    for (const std::size_t shift : {0, 1}) {
      const std::string what = "differences " + std::string(type) + " of " + std::to_string(n) + " at " + std::to_string(shift);
      Placed<T> in(values, shift), out(n, 0);
      expect_success(what, cuda::adjacent_difference(in.data(), out.data(), n));
      expect_same(what, out.download(), expected);
      out.poison();
      expect_success(what, cuda::adjacent_difference(in.data(), out.data(), n, Mix{}));
      expect_same(what + " mixed", out.download(), mixed);
      UPSWEEP_CHECK(out.surroundings_are_intact());
    }
  }
}

}  // namespace

// Shared memory before the first key of an array often has zeros.
UPSWEEP_TEST(GivenKeysThatBeginWithZeros_WhenMadeUnique_ThenTheFirstIsKept) {
  const std::size_t n = 100000;
  const std::vector<std::uint32_t> zeros(n, 0);
  const std::vector<std::uint32_t> values = any_values<std::uint32_t>(n);
  for (const std::size_t shift : {0, 1}) {
    Placed<std::uint32_t> keys(zeros, shift), in(values, shift), out_keys(n, 0), out(n, 0);
    Placed<std::uint64_t> count(1, 0);
    for (int call = 0; call < 3; ++call) {
      expect_success("zeros",
                     cuda::unique_by_key(shared_space(), keys.data(), in.data(), out_keys.data(), out.data(), count.data(), n));
      expect_begin("zeros", out.download(), {values[0]});
      expect_kept("zeros", count, 1);
    }
  }
}

UPSWEEP_TEST(GivenKeysOfWords_WhenWordsAreMadeUnique_ThenTheFirstOfEachRunIsKept) {
  check_unique_by_key<std::uint32_t, std::uint32_t>("u32, u32");
}
UPSWEEP_TEST(GivenKeysOfBytes_WhenLongsAreMadeUnique_ThenTheFirstOfEachRunIsKept) {
  check_unique_by_key<std::uint8_t, std::uint64_t>("u8, u64");
}
UPSWEEP_TEST(GivenKeysOfThreeWords_WhenBytesAreMadeUnique_ThenTheFirstOfEachRunIsKept) {
  check_unique_by_key<Heisenberg, std::uint8_t>("12 bytes, u8");
}
UPSWEEP_TEST(GivenNumbers_WhenNeighboursAreSubtracted_ThenDifferencesAreRight) {
  check_differences<std::uint32_t>("u32");
  check_differences<std::uint8_t>("u8");
  check_differences<double>("f64");
}
