// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sorts of segments and rows of other types, descending and by some bits, against std::stable_sort of each.
#include "segmented_sort_check.h"

namespace upsweep::test {

namespace {

struct Triple {
  std::uint32_t words[3];
};

}  // namespace

UPSWEEP_TEST(GivenSegmentsByBits_WhenSorted_ThenTheyAloneCount) {
  const auto part = [](std::uint64_t key) { return key << 20 >> 20 >> 7; };  // 37 bits
  check_all_segments<std::uint64_t, Triple, std::int64_t>(
      "u64 by bits", [&](std::uint64_t a, std::uint64_t b) { return part(a) < part(b); }, cuda::key_bits(7, 44));
}

UPSWEEP_TEST(GivenRows_WhenSorted_ThenEachIsAsOnTheHost) {
  for (const std::size_t length : {1, 2, 31, 32, 33, 100, 128, 129, 256, 257, 512, 513, 2048, 2049, 7168, 7169, 30000}) {
    const std::size_t rows = 100000 / length + 1, n = rows * length;
    const std::vector<float> keys = sort_keys_of<float>(n, length % 2 == 0 ? Spread::kRandom : Spread::kFewValues);
    std::vector<std::uint64_t> offsets;
    for (std::size_t row = 0; row <= rows; ++row) {
      offsets.push_back(row * length);
    }
    const auto places =
        places_in_segments(n, offsets, [&](std::uint32_t a, std::uint32_t b) { return is_before(keys[b], keys[a]); });
    std::vector<std::uint32_t> indices = places;
    for (std::size_t i = 0; i < n; ++i) {
      indices[i] -= static_cast<std::uint32_t>(i / length * length);
    }
    DeviceArray<float> in(keys), out(n);
    DeviceArray<std::uint32_t> order(n);
    const SortSpaceOf space(cuda::sort_rows_workspace_bytes<float, std::uint32_t>(rows, length) + 16);
    const std::string what = "rows of " + std::to_string(length);
    UPSWEEP_CUDA(cuda::arg_sort_of_rows(space.space, static_cast<const float *>(in.data()), out.data(), order.data(), rows,
                                        length, cuda::descending));
    check_sorted(out, taken_from(keys, places), what);
    check_sorted(order, indices, what + " indices");
  }
}

}  // namespace upsweep::test
