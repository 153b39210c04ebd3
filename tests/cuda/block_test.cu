// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// block_scan and block_reduce against a sequential scan. Warps are whole or partial, and threads have one item or several.
// Tiles follow each other with one storage, with every kind of seed. Numbers of valid values lie around each edge.
#include "elements.h"

#include <upsweep/cuda/block.cuh>

using namespace upsweep::cuda;
using namespace upsweep::test;

namespace {

template <int kItems, class T>
struct Tile {
  T items[kItems];
};

// An array whose elements need no default constructor.
template <int kItems, class T, int... kIndex>
__device__ Tile<kItems, T> load_items(const T *in, std::integer_sequence<int, kIndex...>) {
  return {{in[kIndex]...}};
}

enum Output { kInclusive, kExclusive, kInclusiveFrom, kInclusiveAfter, kExclusiveAfter, kOutputs };

// Scans one tile after another with one object for each kind and no barriers between them. Results are at out[kind * n + i].
// Each tile and thread also stores the totals of both scans and of the reduction.
template <int kThreads, int kItems, class T, class Op>
__global__ void __launch_bounds__(kThreads) block_kernel(const T *in, int n, T initial, Op op, T *out, T *totals) {
  using scan = block_scan<T, kThreads>;
  using reduce = block_reduce<T, kThreads>;
  constexpr int kTile = kThreads * kItems;
  __shared__ typename scan::storage storage, storage_after;
  __shared__ typename reduce::storage reduce_storage;
  scan after(storage_after);
  running_total<T, Op> inclusive_total{initial, op}, exclusive_total{initial, op};
  for (int first = 0, tile = 0; first < n; first += kTile, ++tile) {
    const int valid = n - first < kTile ? n - first : kTile;
    const int mine = static_cast<int>(threadIdx.x) * kItems;
    const auto loaded = load_items<kItems>(in + first + mine, std::make_integer_sequence<int, kItems>{});
    T total = initial, total_exclusive = initial;
    Tile<kItems, T> results[kOutputs] = {loaded, loaded, loaded, loaded, loaded};
    if (valid == kTile) {
      scan whole(storage);
      whole.inclusive(loaded.items, results[kInclusive].items, op, total);
      whole.exclusive(results[kExclusive].items, results[kExclusive].items, op, initial, total_exclusive);
      whole.inclusive_from(loaded.items, results[kInclusiveFrom].items, op, initial);
    } else {
      scan part(storage, valid);
      part.inclusive(loaded.items, results[kInclusive].items, op, total);
      part.exclusive(results[kExclusive].items, results[kExclusive].items, op, initial, total_exclusive);
      part.inclusive_from(loaded.items, results[kInclusiveFrom].items, op, initial);
    }
    after.inclusive_after(loaded.items, results[kInclusiveAfter].items, op, inclusive_total);
    after.exclusive_after(loaded.items, results[kExclusiveAfter].items, op, exclusive_total);
    const T reduced = valid == kTile ? reduce(reduce_storage).reduce(loaded.items, op)
                                     : reduce(reduce_storage, valid).reduce(loaded.items, op);
    for (int kind = 0; kind < kOutputs; ++kind) {
      for (int j = 0; j < kItems && mine + j < valid; ++j) {
        out[kind * n + first + mine + j] = results[kind].items[j];
      }
    }
    T *const at = totals + 3 * (tile * kThreads + threadIdx.x);
    at[0] = total;
    at[1] = total_exclusive;
    at[2] = reduced;
    __syncthreads();  // the next round creates new objects on the same storage
  }
}

template <int kThreads, int kItems, class T, class Op>
void check_block(int n, Op op) {
  constexpr int kTile = kThreads * kItems;
  const int tiles = (n + kTile - 1) / kTile;
  // The kernel loads whole tiles, with garbage behind the values.
  const std::vector<T> values = random_elements<T>(tiles * kTile);
  const T initial = random_element<T>();
  DeviceArray<T> in(values), out(kOutputs * n), totals(3 * tiles * kThreads);
  block_kernel<kThreads, kItems><<<1, kThreads>>>(in.data(), n, initial, op, out.data(), totals.data());
  UPSWEEP_CUDA(cudaGetLastError());
  const std::vector<T> got = out.download(), got_totals = totals.download();
  T before = initial;
  for (int first = 0; first < n; first += kTile) {
    const int valid = std::min(kTile, n - first);
    const std::vector<T> part(values.begin() + first, values.begin() + first + valid);
    const auto scan = reference_scan(part, std::vector<unsigned char>(valid), op, initial);
    for (int i = 0; i < valid; ++i) {
      const auto result = [&](Output kind) { return got[kind * n + first + i]; };
      UPSWEEP_CHECK(same(result(kInclusive), scan.inclusive[i]));
      UPSWEEP_CHECK(same(result(kExclusive), scan.exclusive[i]));
      UPSWEEP_CHECK(same(result(kInclusiveFrom), op(scan.exclusive[i], part[i])));
      UPSWEEP_CHECK(same(result(kExclusiveAfter), before));
      before = op(before, part[i]);
      UPSWEEP_CHECK(same(result(kInclusiveAfter), before));
    }
    for (int i = 0; i < 3 * kThreads; ++i) {
      UPSWEEP_CHECK(same(got_totals[3 * (first / kItems) + i], scan.inclusive.back()));
    }
  }
}

// One tile for each number of valid values around an edge, then several tiles.
template <int kThreads, int kItems, class T, class Op>
void check_sizes(Op op) {
  constexpr int kTile = kThreads * kItems;
  for (const int n : {1, 2, 31, 32, 33, kThreads - 1, kThreads, kThreads + 1, kTile - 1, kTile, 2 * kTile - 1, 2 * kTile,
                      2 * kTile + 1, 5 * kTile + kTile / 2}) {
    if (n >= 1) {
      check_block<kThreads, kItems, T>(n, op);
    }
  }
}

}  // namespace

UPSWEEP_TEST(GivenOneWarpOrLess_WhenBlockScans_ThenResultsAreRight) {
  check_sizes<1, 1, int>(plus{});
  check_sizes<17, 3, Affine<1>>(Compose{});
  check_sizes<32, 1, int>(plus{});
}
UPSWEEP_TEST(GivenPartialLastWarp_WhenBlockScans_ThenResultsAreRight) {
  check_sizes<33, 1, int>(plus{});
  check_sizes<100, 4, Affine<1>>(Compose{});
  check_sizes<1000, 1, int>(plus{});
}
UPSWEEP_TEST(GivenWholeWarps_WhenBlockScans_ThenResultsAreRight) {
  check_sizes<64, 1, Affine<1>>(Compose{});
  check_sizes<96, 2, Affine<8>>(Compose{});
  check_sizes<256, 7, int>(plus{});
  check_sizes<384, 1, Affine<1>>(Compose{});
  check_sizes<1024, 1, Affine<1>>(Compose{});
}
UPSWEEP_TEST(GivenOtherTypes_WhenBlockScans_ThenResultsAreRight) {
  check_sizes<128, 4, float>(maximum{});
  check_sizes<128, 3, Letter>(LastLetter{});
  check_sizes<64, 16, unsigned char>(plus{});
}
