// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Elements of 4 and 8 bytes in arrays at any address.
#include "scan_placed.h"

using namespace upsweep::test;

UPSWEEP_TEST(GivenFewWords_WhenSummed_ThenAllPlacesAreRight) { check_short<std::uint32_t>("u32 sum", cuda::plus{}); }
UPSWEEP_TEST(GivenFewMaps_WhenComposed_ThenOrderIsKept) { check_short<Affine<1>>("maps", Compose{}); }
UPSWEEP_TEST(GivenWordsThatBeginAnywhere_WhenSummed_ThenAllPlacesAreRight) {
  check_shifts<std::uint32_t>("u32 sum", cuda::plus{});
}
UPSWEEP_TEST(GivenMapsThatBeginAnywhere_WhenComposed_ThenOrderIsKept) { check_shifts<Affine<1>>("maps", Compose{}); }

// Structs of words may begin at any word, and need not be a whole number of elements away from a vector.
UPSWEEP_TEST(GivenFewMapsBetweenVectorsElements_WhenComposed_ThenOrderIsKept) {
  for (const std::size_t n : {std::size_t(1), std::size_t(1000), 2 * kRow<Affine<1>> + 1, 130 * kRow<Affine<1>>}) {
    const auto values = scan_values<Affine<1>>(n);
    for (const std::size_t in_words : {0, 1, 2, 3}) {
      for (const std::size_t out_words : {0, 1, 2, 3}) {
        DeviceArray<std::uint32_t> in(2 * n + 4), out(2 * n + 4);
        UPSWEEP_CUDA(cudaMemcpy(in.data() + in_words, values.data(), n * sizeof(values[0]), cudaMemcpyHostToDevice));
        const auto *from = reinterpret_cast<const Affine<1> *>(in.data() + in_words);
        auto *to = reinterpret_cast<Affine<1> *>(out.data() + out_words);
        UPSWEEP_CUDA(cuda::inclusive_scan(shared_space(), from, to, n, Compose{}));
        const std::vector<std::uint32_t> words = out.download();
        std::vector<std::uint32_t> expected(2 * n + 4, 0x01010101u * kPoison);
        const auto results = inclusive_reference(values, Compose{});
        std::memcpy(expected.data() + out_words, results.data(), n * sizeof(results[0]));
        expect_same("maps from word " + std::to_string(in_words) + " to word " + std::to_string(out_words), words, expected);
      }
    }
  }
}

// Only the input's placement decides where tiles begin.
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
