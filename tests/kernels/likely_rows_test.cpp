// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Accesses of lanes that are probably contiguous, at edges and between them, for elements of every size.
#include "kernel_runner.h"

namespace upsweep::tests {
namespace {

// Less than a sub-group, not a multiple of a sub-group, several sub-groups, and many, so that most work-items are far from an
// edge.
constexpr size_t kSizes[] = {8, 17, 32, 50, 64, 250, 1000};

class LikelyRows : public KernelRunner {
protected:
  template <typename T>
  static std::vector<cl_int> reference(size_t n) {
    std::vector<T> data(n), before(n), view(n);
    for (size_t x = 0; x < n; ++x) before[x] = static_cast<T>((x * 7 + 3) % 50);
    for (size_t x = 0; x < n; ++x) {
      const auto at = [&](size_t i) { return before[i]; };
      T sum = at((x + 1) % n);
      sum += at(x ? x - 1 : n - 1);
      sum += at(std::min(x + 5, n - 1));
      sum += at(x < 9 ? 0 : x - 9);
      sum += at(x % 8);
      if (x % 3) sum -= at((x + 2) % n);
      if (x > 20) sum += at((x - 21 + n) % n);
      data[(x + 11) % n] = sum;
    }
    for (size_t x = 0; x < n; ++x)
      if (x & 4) data[(x + n - 2) % n] = static_cast<T>(x % 100);
    for (size_t x = 0; x < n; ++x) view[(x + 3) % n] = data[x];
    return expected(n, [&](size_t x) { return static_cast<size_t>(static_cast<cl_int>(view[x])); });
  }

  template <typename T>
  void check(const char *kernel) {
    build("likely_rows.cl", kernel);
    for (const size_t n : kSizes) {
      const Range range{{n, 1, 1}, {n, 1, 1}};
      if (!fits(range)) continue;
      std::vector<cl_int> found = run(range, 3 * n + 1);
      found.resize(n);
      EXPECT_EQ(found, reference<T>(n)) << n;
    }
  }
};

TEST_F(LikelyRows, GivenBytes_WhenNeighboursWrapRound_ThenEachLaneHasItsOwn) { check<cl_uchar>("rows_uchar"); }
TEST_F(LikelyRows, GivenHalfWords_WhenNeighboursWrapRound_ThenEachLaneHasItsOwn) { check<cl_ushort>("rows_ushort"); }
TEST_F(LikelyRows, GivenWords_WhenNeighboursWrapRound_ThenEachLaneHasItsOwn) { check<cl_uint>("rows_uint"); }
TEST_F(LikelyRows, GivenLongWords_WhenNeighboursWrapRound_ThenEachLaneHasItsOwn) { check<cl_ulong>("rows_ulong"); }
TEST_F(LikelyRows, GivenFloats_WhenNeighboursWrapRound_ThenEachLaneHasItsOwn) { check<cl_float>("rows_float"); }
TEST_F(LikelyRows, GivenDoubles_WhenNeighboursWrapRound_ThenEachLaneHasItsOwn) { check<cl_double>("rows_double"); }

TEST_F(LikelyRows, GivenIndicesThatWrapBetweenLanes_WhenStored_ThenEachIsAtItsPlace) {
  build("likely_rows.cl", "wrapping");
  constexpr size_t kCount = 64;
  std::vector<cl_int> places(2 * kCount, -1);
  for (size_t x = 0; x < kCount; ++x) {
    const cl_uint index = std::min<cl_uint>(static_cast<cl_uint>(x) - 5, 0xfffffff8U);
    places[index < kCount ? index : kCount + (0U - index)] = x < 5 ? 1000 : static_cast<cl_int>(x);
  }
  EXPECT_EQ(run({{kCount, 1, 1}, {kCount, 1, 1}}, 2 * kCount), places);
}

}  // namespace
}  // namespace upsweep::tests
