// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// block_segmented_scan against a sequential scan: segments of every length within threads, across threads, warps and tiles.
#include "elements.h"

#include <upsweep/cuda/block.cuh>

using namespace upsweep::cuda;
using namespace upsweep::test;

namespace {

enum Output { kInclusive, kExclusive, kInclusiveAfter, kExclusiveAfter, kOutputs };

template <int kThreads, int kItems, class T, class Op>
__global__ void __launch_bounds__(kThreads)
    segmented_kernel(const T *in, const unsigned char *in_heads, int n, T initial, Op op, T *out) {
  using scan = block_segmented_scan<T, kThreads>;
  constexpr int kTile = kThreads * kItems;
  __shared__ typename scan::storage storage;
  scan all(storage);
  // An inclusive scan's first value is a head, so that what precedes it does not matter.
  running_total<flagged<T>, segmented<Op>> inclusive_total{{initial, false}, {op}}, exclusive_total{{initial, false}, {op}};
  for (int first = 0; first < n; first += kTile) {
    const int mine = first + static_cast<int>(threadIdx.x) * kItems;
    T items[kItems], results[kOutputs][kItems];
    bool heads[kItems];
    for (int j = 0; j < kItems; ++j) {
      items[j] = in[mine + j];
      heads[j] = in_heads[mine + j] != 0;
    }
    all.inclusive(items, heads, results[kInclusive], op);
    all.exclusive(items, heads, results[kExclusive], op, initial);
    all.inclusive_after(items, heads, results[kInclusiveAfter], op, inclusive_total);
    all.exclusive_after(items, heads, results[kExclusiveAfter], op, initial, exclusive_total);
    for (int kind = 0; kind < kOutputs; ++kind) {
      for (int j = 0; j < kItems; ++j) {
        out[kind * n + mine + j] = results[kind][j];
      }
    }
  }
}

template <int kThreads, int kItems, class T, class Op>
void check_segments(unsigned length, Op op) {
  constexpr int kTile = kThreads * kItems;
  const int n = 3 * kTile;
  const std::vector<T> values = random_elements<T>(n);
  std::vector<unsigned char> heads = random_heads(n, length);
  heads[0] = 1;
  const T initial = random_element<T>();
  DeviceArray<T> in(values), out(kOutputs * n);
  DeviceArray<unsigned char> in_heads(heads);
  segmented_kernel<kThreads, kItems><<<1, kThreads>>>(in.data(), in_heads.data(), n, initial, op, out.data());
  UPSWEEP_CUDA(cudaGetLastError());
  const std::vector<T> got = out.download();
  const auto whole = reference_scan(values, heads, op, initial);
  for (int first = 0; first < n; first += kTile) {
    const std::vector<T> part(values.begin() + first, values.begin() + first + kTile);
    const std::vector<unsigned char> part_heads(heads.begin() + first, heads.begin() + first + kTile);
    const auto tile = reference_scan(part, part_heads, op, initial);
    for (int i = 0; i < kTile; ++i) {
      const auto result = [&](Output kind) { return got[kind * n + first + i]; };
      UPSWEEP_CHECK(same(result(kInclusive), tile.inclusive[i]));
      UPSWEEP_CHECK(same(result(kExclusive), tile.exclusive[i]));
      UPSWEEP_CHECK(same(result(kInclusiveAfter), whole.inclusive[first + i]));
      UPSWEEP_CHECK(same(result(kExclusiveAfter), whole.exclusive[first + i]));
    }
  }
}

template <int kThreads, int kItems, class T, class Op>
void check_lengths(Op op) {
  for (const unsigned length : {1u, 2u, 7u, 31u, 64u, 500u, 1000000u}) {
    check_segments<kThreads, kItems, T>(length, op);
  }
}

}  // namespace

UPSWEEP_TEST(GivenSegmentsOfAnyLength_WhenBlockScansThem_ThenResultsAreRight) {
  check_lengths<32, 1, int>(plus{});
  check_lengths<100, 3, Affine<1>>(Compose{});
  check_lengths<256, 4, int>(plus{});
  check_lengths<1024, 1, float>(maximum{});
  check_lengths<96, 2, Affine<8>>(Compose{});
}

// The listing in "GPU prefix sums" scans each warp separately: a segment that crosses a warp's edge restarts there.
UPSWEEP_TEST(GivenSegmentAcrossWarps_WhenScannedWarpByWarpAsPrinted_ThenThatIsWrongAndOursIsNot) {
  const std::vector<int> values(256, 1);
  std::vector<unsigned char> heads(256, 0);
  heads[0] = 1;
  std::vector<int> printed;
  for (int i = 0; i < 256; ++i) {
    printed.push_back(i % 32 == 0 || heads[i] != 0 ? values[i] : printed.back() + values[i]);
  }
  DeviceArray<int> in(values), out(kOutputs * 256);
  DeviceArray<unsigned char> in_heads(heads);
  segmented_kernel<256, 1><<<1, 256>>>(in.data(), in_heads.data(), 256, 0, plus{}, out.data());
  UPSWEEP_CUDA(cudaGetLastError());
  const std::vector<int> got = out.download();
  for (int i = 0; i < 256; ++i) {
    UPSWEEP_CHECK(got[i] == i + 1);
  }
  UPSWEEP_CHECK(printed[255] == 32);
}
