// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Short arrays that begin anywhere: blocks of one tile each, which take vectors as they lie in the input, and move the results
// to those of the output. How many rows of vectors a thread has depends on the most elements that there may be.
#include "scan_placed.h"

using namespace upsweep::test;

namespace {

template <class T>
constexpr std::size_t kVector = 16 / sizeof(T);
template <class T>
constexpr std::size_t kRow = 512 * kVector<T>;

// Around the ends of vectors, of what a lane and a warp have, of tiles, and of the blocks that read what is before theirs.
// Those of the output are elsewhere than those of the input.
template <class T>
std::vector<std::size_t> short_sizes(std::size_t rows, std::size_t in_shift, std::size_t out_shift) {
  constexpr std::size_t v = kVector<T>;
  const std::size_t lead = generator()() % 2 == 0 ? in_shift : out_shift;
  std::vector<std::size_t> sizes = {0, 1, v - lead, v + 1, 2 * v + generator()() % v};
  for (const std::size_t edge : {32 * v, rows * 32 * v, rows * kRow<T>, 2 * rows * kRow<T>}) {
    sizes.insert(sizes.end(), {edge - lead, edge - lead + 1, edge + generator()() % v - v / 2});
  }
  sizes.push_back(rows * kRow<T> + generator()() % (2 * kRow<T>));
  return sizes;
}

// Sanitizers get a few placements alone.
bool is_taken(std::size_t in_shift, std::size_t out_shift) { return !is_short_run() || in_shift + out_shift <= 5; }

template <class T, class Op>
void check_placements(const char *name, Op op, std::size_t rows) {
  // The most elements that the kernel with so many rows gets, wherever they lie (device/launch.cuh).
  const std::size_t most = (rows == 1 ? 96 : 129) * rows * kRow<T> - kVector<T> + 1;
  const std::size_t step = sizeof(T) == 1 ? 5 : sizeof(T) == 2 ? 3 : 1;
  for (std::size_t in_shift = 0; in_shift < kVector<T>; in_shift += step) {
    for (std::size_t out_shift = 0; out_shift < kVector<T>; ++out_shift) {
      if (!is_taken(in_shift, out_shift)) {
        continue;
      }
      PlacedScan<T, Op> scan(name, op, in_shift, out_shift, most);
      for (const std::size_t n : short_sizes<T>(rows, in_shift, out_shift)) {
        scan.check_counted_there(n);
        scan.check_counted_there(n, cuda::backward);
      }
      if (out_shift <= 1 && in_shift <= step) {
        scan.check_counted_there(most);
        scan.check_counted_there(most, cuda::backward);
      }
    }
  }
}

// Blocks read what is before their tiles if the first vector in the order of the scan is whole.
template <class T, class Op>
void check_reading(const char *name, Op op) {
  for (std::size_t in_shift = 0; in_shift < kVector<T>; ++in_shift) {
    for (std::size_t out_shift = 0; out_shift < kVector<T>; ++out_shift) {
      if (!is_taken(in_shift, out_shift)) {
        continue;
      }
      PlacedScan<T, Op> scan(name, op, in_shift, out_shift, 10 * kRow<T>);
      for (const std::size_t tiles : {0, 1, 2, 4, 5, 8, 9}) {
        const std::size_t n = tiles * kRow<T> + generator()() % (kRow<T> / 2);
        scan.check_counted_here(n);
        scan.check_counted_here(tiles * kRow<T>);
        // From the end of a vector on.
        scan.check_counted_here((n / kVector<T> + 1) * kVector<T> - in_shift, cuda::backward);
        scan.check_counted_here(n, cuda::backward);
      }
    }
  }
}

template <class T, class Op>
void check_short(const char *name, Op op) {
  check_placements<T>(name, op, 1);
  check_placements<T>(name, op, 4);
  if (!is_short_run()) {
    check_placements<T>(name, op, 8);
    if (kVector<T> <= 4) {
      check_placements<T>(name, op, 12);
    }
  }
  check_reading<T>(name, op);
}

}  // namespace

UPSWEEP_TEST(GivenFewBytes_WhenSummed_ThenAllPlacesAreRight) { check_short<std::uint8_t>("u8 sum", cuda::plus{}); }
UPSWEEP_TEST(GivenFewShorts_WhenTheLargestIsFound_ThenAllPlacesAreRight) {
  check_short<std::int16_t>("i16 max", cuda::maximum{});
}
UPSWEEP_TEST(GivenFewWords_WhenSummed_ThenAllPlacesAreRight) { check_short<std::uint32_t>("u32 sum", cuda::plus{}); }
UPSWEEP_TEST(GivenFewDoubles_WhenSummed_ThenAllPlacesAreRight) { check_short<double>("f64 sum", cuda::plus{}); }
UPSWEEP_TEST(GivenFewMaps_WhenComposed_ThenOrderIsKept) { check_short<Affine<1>>("maps", Compose{}); }

// Structs of words may lie at any word, and are then no whole elements away from a vector.
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
