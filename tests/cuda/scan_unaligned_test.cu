// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Long arrays that begin anywhere: the pipeline starts with the vector that the first element is in, and moves results that
// begin elsewhere in a vector. Their number is known on the device alone, so that the pipeline gets short ones, too.
#include "scan_placed.h"

using namespace upsweep::test;

namespace {

// Beyond what the blocks with one tile each take (device/launch.cuh).
template <class T>
std::size_t most_of_pipeline() {
  constexpr std::size_t kRow = 512 * (16 / sizeof(T));
  return 129 * 12 * kRow + 12345;
}

// None and few elements, around the ends of the first vectors, of the first tile and of later ones; and all.
template <class T>
std::vector<std::size_t> pipeline_sizes(std::size_t shift, bool is_short) {
  constexpr std::size_t kVector = 16 / sizeof(T);
  constexpr std::size_t kTile = tile_items<T, T, T, cuda::detail::Whole>();
  std::vector<std::size_t> sizes = {0, 1, 2, kVector - shift, kVector - shift + 1, 2 * kVector - shift};
  for (const std::size_t tiles : {1, 2, 133}) {
    for (const std::size_t past : {-std::size_t(1), std::size_t(0), std::size_t(1), kVector}) {
      sizes.push_back(tiles * kTile - shift + past);
    }
  }
  if (is_short) {
    sizes = {0, 1, kVector - shift, kTile - shift, kTile - shift + 1, 3 * kTile};
  } else {
    sizes.push_back(most_of_pipeline<T>());
  }
  return sizes;
}

template <class T, class Op>
void check_shifts(const char *name, Op op) {
  constexpr std::size_t kVector = 16 / sizeof(T);
  const std::size_t step = sizeof(T) == 1 ? 5 : sizeof(T) == 2 ? 3 : 1;
  for (std::size_t in_shift = 0; in_shift < kVector; in_shift += step) {
    // As far from aligned as the input, and otherwise; every distance of the two.
    for (std::size_t distance = 0; distance < kVector; ++distance) {
      const std::size_t out_shift = (in_shift + distance) % kVector;
      if (in_shift == 0 && out_shift == 0) {
        continue;
      }
      PlacedScan<T, Op> scan(name, op, in_shift, out_shift, most_of_pipeline<T>());
      for (const std::size_t n : pipeline_sizes<T>(in_shift, is_short_run() || distance > 1)) {
        scan.check_counted_there(n);
      }
    }
  }
}

}  // namespace

UPSWEEP_TEST(GivenBytesThatBeginAnywhere_WhenSummed_ThenAllPlacesAreRight) {
  check_shifts<std::uint8_t>("u8 sum", cuda::plus{});
}
UPSWEEP_TEST(GivenShortsThatBeginAnywhere_WhenTheLargestIsFound_ThenAllPlacesAreRight) {
  check_shifts<std::int16_t>("i16 max", cuda::maximum{});
}
UPSWEEP_TEST(GivenWordsThatBeginAnywhere_WhenSummed_ThenAllPlacesAreRight) {
  check_shifts<std::uint32_t>("u32 sum", cuda::plus{});
}
UPSWEEP_TEST(GivenMapsThatBeginAnywhere_WhenComposed_ThenOrderIsKept) { check_shifts<Affine<1>>("maps", Compose{}); }

// Where tiles begin is the input's matter alone.
UPSWEEP_TEST(GivenFloatsAndResultsThatBeginAnywhere_WhenReproducible_ThenSumsAreThoseOfAlignedOnes) {
  const std::size_t n = most_of_pipeline<float>();
  std::vector<float> values(n);
  std::uniform_real_distribution<float> any(-1, 1);
  std::generate(values.begin(), values.end(), [&] { return any(generator()); });
  Placed<float> in(values, 0), aligned(n, 0);
  UPSWEEP_CUDA(cuda::inclusive_sum(shared_space(), in.data(), aligned.data(), n, nullptr, cuda::reproducible));
  for (const std::size_t shift : {1, 2, 3}) {
    Placed<float> out(n, shift), shifted(values, shift), both(n, 0);
    UPSWEEP_CUDA(cuda::inclusive_sum(shared_space(), in.data(), out.data(), n, nullptr, cuda::reproducible));
    expect_same("results behind " + std::to_string(shift), out.download(), aligned.download());
    UPSWEEP_CUDA(cuda::inclusive_sum(shared_space(), shifted.data(), both.data(), n, nullptr, cuda::reproducible));
    expect_same("from behind " + std::to_string(shift), both.download(), aligned.download());
  }
}
