// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Device-wide scans of rows of every length.
#include "scan_check.h"

using namespace upsweep::test;

namespace {

// Rows of 1, 3 and 1000 elements, of about a tile, of all elements, and longer.
template <bool kInclusive, bool kBackward, class T, class Op>
void check_rows(const char *name, Op op) {
  for (const std::size_t size : edge_sizes<T, T, T, cuda::detail::ByRow>()) {
    std::vector<std::size_t> lengths = {3, size + 7};
    if (!is_short_run()) {
      lengths.insert(lengths.end(), {1, 1000, 5377, size});
    }
    for (const std::size_t length : lengths) {
      // Backward scans need whole rows.
      const std::size_t n = kBackward ? size / std::max<std::size_t>(length, 1) * length : size;
      if (n == 0 || length == 0) {
        continue;
      }
      auto values = scan_values<T>(n);
      const T initial = scan_values<T>(1).front();
      auto expected =
          reference<kInclusive>(kBackward ? reversed(values) : values, op, initial, !kInclusive, [&](std::size_t i) {
            return i % length == 0;
          }).results;
      if (kBackward) {
        expected = reversed(expected);
      }
      check_places(
          std::string(name) + " rows of " + std::to_string(length), values, expected,
          [&](const T *in, T *out, auto... options) {
            if constexpr (kBackward) {
              return cuda::inclusive_scan_of_rows(shared_space(), in, out, n, length, op, nullptr, cuda::backward, options...);
            } else if constexpr (kInclusive) {
              return cuda::inclusive_scan_of_rows(shared_space(), in, out, n, length, op, nullptr, options...);
            } else {
              return cuda::exclusive_scan_of_rows(shared_space(), in, out, n, length, op, initial, nullptr, options...);
            }
          });
    }
  }
}

}  // namespace

UPSWEEP_TEST(GivenRowsOfWords_WhenSummed_ThenEachIsOnItsOwn) { check_rows<true, false, std::uint32_t>("u32", cuda::plus{}); }
UPSWEEP_TEST(GivenRowsOfBytes_WhenSummed_ThenEachIsOnItsOwn) { check_rows<true, false, std::uint8_t>("u8", cuda::plus{}); }
UPSWEEP_TEST(GivenRowsOfStructs_WhenScanned_ThenOrderIsKept) {
  check_rows<false, false, Affine<1>>("exclusive affine", Compose{});
}
UPSWEEP_TEST(GivenRows_WhenBackward_ThenEachStartsAtItsEnd) { check_rows<true, true, Affine<1>>("backward", Compose{}); }
UPSWEEP_TEST(GivenRowsWithoutElements_WhenScanned_ThenRefused) {
  Placed<std::uint32_t> in(100, 0), out(100, 0);
  UPSWEEP_CHECK(cuda::inclusive_scan_of_rows(shared_space(), static_cast<const std::uint32_t *>(in.data()), out.data(),
                                             std::size_t(100), std::size_t(0), cuda::plus{}) == cudaErrorInvalidValue);
  UPSWEEP_CHECK(out.surroundings_are_intact());
}
