// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// warp_scan, warp_reduce and warp_segmented_scan against a sequential scan: every number of valid lanes, with garbage in the
// other lanes, and with a block that lacks them.
#include "elements.h"

#include <upsweep/cuda/warp.cuh>

using namespace upsweep::cuda;
using namespace upsweep::test;

namespace {

template <class T>
struct Results {
  T *inclusive;
  T *exclusive;
  T *segmented_inclusive;
  T *segmented_exclusive;
  T *totals;  // of the scan, of the reduction, of the last segment
};

// Logical warps of kWidth lanes; the first `count` lanes of each are valid.
template <int kWidth, class T, class Op>
__global__ void warp_kernel(const T *in, const unsigned char *heads, int count, T initial, Op op, Results<T> results) {
  const int i = static_cast<int>(threadIdx.x);
  const warp_scan<T, kWidth> scan(count);
  T total = in[i];
  T ignored = in[i];
  flagged<T> last{in[i], false};
  const T inclusive = scan.inclusive(in[i], op, total);
  const T exclusive = scan.exclusive(in[i], op, initial, ignored);
  const warp_segmented_scan<T, kWidth> segments(count);
  const T segmented_inclusive = segments.inclusive(in[i], heads[i] != 0, op, last);
  const T segmented_exclusive = segments.exclusive(in[i], heads[i] != 0, op, initial);
  const T reduced = warp_reduce<T, kWidth>(count).reduce(in[i], op);
  results.totals[i] = total;
  results.totals[32 + i] = reduced;
  results.totals[64 + i] = last.value;
  if (i % kWidth < count) {
    results.inclusive[i] = inclusive;
    results.exclusive[i] = exclusive;
    results.segmented_inclusive[i] = segmented_inclusive;
    results.segmented_exclusive[i] = segmented_exclusive;
  }
}

// Compares all lanes of `threads` threads with a sequential scan for each logical warp.
template <int kWidth, class T, class Op>
void check_warps(int count, int threads, Op op) {
  const std::vector<T> values = random_elements<T>(32);
  const std::vector<unsigned char> heads = random_heads(32, 5);
  const T initial = random_element<T>();
  DeviceArray<T> in(values), inclusive(32), exclusive(32), segmented_inclusive(32), segmented_exclusive(32), totals(96);
  DeviceArray<unsigned char> in_heads(heads);
  warp_kernel<kWidth><<<1, threads>>>(
      in.data(), in_heads.data(), count, initial, op,
      Results<T>{inclusive.data(), exclusive.data(), segmented_inclusive.data(), segmented_exclusive.data(), totals.data()});
  UPSWEEP_CUDA(cudaGetLastError());
  const auto got_inclusive = inclusive.download(), got_exclusive = exclusive.download(), got_totals = totals.download(),
             got_segmented_inclusive = segmented_inclusive.download(), got_segmented_exclusive = segmented_exclusive.download();
  for (int first = 0; first < threads; first += kWidth) {
    const std::vector<T> part(values.begin() + first, values.begin() + first + count);
    const std::vector<unsigned char> part_heads(heads.begin() + first, heads.begin() + first + count);
    const auto scan = reference_scan(part, std::vector<unsigned char>(count), op, initial);
    const auto segments = reference_scan(part, part_heads, op, initial);
    for (int lane = 0; lane < count; ++lane) {
      UPSWEEP_CHECK(same(got_inclusive[first + lane], scan.inclusive[lane]));
      UPSWEEP_CHECK(same(got_exclusive[first + lane], scan.exclusive[lane]));
      UPSWEEP_CHECK(same(got_segmented_inclusive[first + lane], segments.inclusive[lane]));
      UPSWEEP_CHECK(same(got_segmented_exclusive[first + lane], segments.exclusive[lane]));
    }
    for (int lane = 0; lane < kWidth && first + lane < threads; ++lane) {
      UPSWEEP_CHECK(same(got_totals[first + lane], scan.inclusive.back()));
      UPSWEEP_CHECK(same(got_totals[32 + first + lane], scan.inclusive.back()));
      UPSWEEP_CHECK(same(got_totals[64 + first + lane], segments.inclusive.back()));
    }
  }
}

template <class T, class Op>
void check_all_counts(Op op) {
  for (int count = 1; count <= 32; ++count) {
    check_warps<32, T>(count, 32, op);
    check_warps<32, T>(count, count, op);
  }
}

template <int kWidth>
void check_logical_warps() {
  for (int count = 1; count <= kWidth; ++count) {
    check_warps<kWidth, Affine<1>>(count, 32, Compose{});
  }
}

// A warp reduces by an operator that has an instruction. The first `count` lanes are valid.
template <class T, class Op>
__global__ void reduce_kernel(const T *in, T *out, int count, Op op) {
  out[threadIdx.x] = warp_reduce<T>(count).reduce(in[threadIdx.x], op);
}
template <class T, class Op>
void check_reduce(Op op) {
  for (const int count : {1, 2, 17, 31, 32}) {
    const std::vector<T> values = random_elements<T>(32);
    DeviceArray<T> in(values), out(32);
    reduce_kernel<<<1, 32>>>(in.data(), out.data(), count, op);
    UPSWEEP_CUDA(cudaGetLastError());
    T expected = values[0];
    for (int i = 1; i < count; ++i) {
      expected = op(expected, values[i]);
    }
    for (const T &got : out.download()) {
      UPSWEEP_CHECK(same(got, expected));
    }
  }
}
template <class T>
void check_reduce_operators() {
  check_reduce<T>(plus{});
  check_reduce<T>(minimum{});
  check_reduce<T>(maximum{});
  check_reduce<T>(bit_and{});
  check_reduce<T>(bit_or{});
  check_reduce<T>(bit_xor{});
}

}  // namespace

UPSWEEP_TEST(GivenIntegers_WhenWarpScansThem_ThenSumsAreRight) { check_all_counts<int>(plus{}); }
UPSWEEP_TEST(GivenFloats_WhenWarpScansThem_ThenMaximaAreRight) { check_all_counts<float>(maximum{}); }
UPSWEEP_TEST(GivenBytesWithoutDefaultConstructor_WhenWarpScansThem_ThenLastOnesAreRight) {
  check_all_counts<Letter>(LastLetter{});
}
UPSWEEP_TEST(GivenOperatorThatDoesNotCommute_WhenWarpScans_ThenOrderIsKept) { check_all_counts<Affine<1>>(Compose{}); }
UPSWEEP_TEST(GivenElementsOf64Bytes_WhenWarpScansThem_ThenAllWordsAreRight) { check_all_counts<Affine<8>>(Compose{}); }
UPSWEEP_TEST(GivenLogicalWarps_WhenEachScans_ThenTheyDoNotMix) {
  check_logical_warps<1>();
  check_logical_warps<2>();
  check_logical_warps<8>();
  check_logical_warps<16>();
}
UPSWEEP_TEST(GivenSmallIntegers_WhenWarpReducesThem_ThenEveryOperatorIsRight) {
  check_reduce_operators<int>();
  check_reduce_operators<unsigned>();
  check_reduce_operators<signed char>();
}
