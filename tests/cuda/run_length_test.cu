// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Run-length encoding of runs of every magnitude, of types of 1 to 64 bytes.
#include "compact_check.h"

#include <upsweep/cuda/run_length.cuh>

using namespace upsweep::test;

namespace {

template <class T>
void check_runs(const char *type) {
  Placed<std::uint64_t> count(1, 0);
  for (const std::size_t n : compact_sizes<T>()) {
    for (const int most : {0, 3, 10, 22}) {
      const std::vector<T> all = runs<T>(n, most);
      std::vector<T> values;
      std::vector<std::uint32_t> lengths;
      for (std::size_t i = 0; i < n; ++i) {
        if (i == 0 || !SameBytes()(all[i - 1], all[i])) {
          values.push_back(all[i]);
          lengths.push_back(0);
        }
        ++lengths.back();
      }
      for (const std::size_t shift : {0, 1, 3}) {
        const std::string what = "run lengths " + std::string(type) + " to 2^" + std::to_string(most) + " of " +
                                 std::to_string(n) + " at " + std::to_string(shift);
        Placed<T> in(all, shift % 2), out(n, shift);
        Placed<std::uint32_t> out_lengths(n, shift);
        count.poison();
        expect_success(what, cuda::run_length_encode(shared_space(), in.data(), out.data(), out_lengths.data(), count.data(), n,
                                                     SameBytes()));
        expect_begin(what + ", values", out.download(), values);
        expect_begin(what + ", lengths", out_lengths.download(), lengths);
        expect_kept(what, count, values.size());
        UPSWEEP_CHECK(out.surroundings_are_intact() && out_lengths.surroundings_are_intact());
      }
      if (n < Pipelined<T>::kMost) {
        const std::string what =
            "run lengths pipelined " + std::string(type) + " to 2^" + std::to_string(most) + " of " + std::to_string(n);
        Pipelined<T> arrays(all);
        count.poison();
        expect_success(what, cuda::run_length_encode(shared_space(), arrays.in().data(), arrays.out(0),
                                                     arrays.template out<std::uint32_t>(1), count.data(), arrays.count(),
                                                     SameBytes()));
        expect_begin(what + ", values", arrays.download(0), values);
        expect_begin(what + ", lengths", arrays.template download<std::uint32_t>(1), lengths);
        expect_kept(what, count, values.size());
      }
    }
  }
}

}  // namespace

UPSWEEP_TEST(GivenRunsOfWords_WhenEncoded_ThenLengthsAreRight) { check_runs<std::uint32_t>("u32"); }
UPSWEEP_TEST(GivenRunsOfBytes_WhenEncoded_ThenLengthsAreRight) { check_runs<std::uint8_t>("u8"); }
UPSWEEP_TEST(GivenRunsOfLongs_WhenEncoded_ThenLengthsAreRight) { check_runs<std::uint64_t>("u64"); }
UPSWEEP_TEST(GivenRunsOfThreeWords_WhenEncoded_ThenLengthsAreRight) { check_runs<Heisenberg>("12 bytes"); }
UPSWEEP_TEST(GivenRunsOfLargeStructs_WhenEncoded_ThenLengthsAreRight) { check_runs<Affine<8>>("64 bytes"); }
