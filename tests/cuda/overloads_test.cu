// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Block forms for one value in each thread, blocks of two dimensions, numbers of valid values for segmented scans, and many
// calls on one object without barriers between them.
#include "elements.h"

#include <upsweep/cuda/block.cuh>
#include <upsweep/cuda/warp.cuh>

using namespace upsweep::cuda;
using namespace upsweep::test;

namespace {

constexpr int kForms = 12;

// All forms, one after another, with one storage; results are at out[form * kThreads + rank].
template <int kThreads>
__global__ void __launch_bounds__(kThreads) forms_kernel(const int *in, const unsigned char *heads, int valid, int *out) {
  __shared__ typename block_scan<int, kThreads>::storage scan_storage;
  __shared__ typename block_segmented_scan<int, kThreads>::storage segmented_storage;
  __shared__ typename block_reduce<int, kThreads>::storage reduce_storage;
  const int rank = static_cast<int>(threadIdx.y * blockDim.x + threadIdx.x);
  block_scan<int, kThreads> scan(scan_storage, valid, rank);
  block_segmented_scan<int, kThreads> segments(segmented_storage, valid, rank);
  block_reduce<int, kThreads> reduce(reduce_storage, valid, rank);
  const int value = in[rank];
  const bool head = heads[rank] != 0;
  int results[kForms];
  results[0] = scan.inclusive(value);
  results[1] = scan.inclusive(value, plus{}, results[2]);
  results[3] = scan.exclusive(value);
  results[4] = scan.exclusive(value, plus{}, 100);
  results[5] = scan.exclusive(value, plus{}, 100, results[6]);
  results[7] = segments.inclusive(value, head);
  results[8] = segments.exclusive(value, head, plus{}, 100);
  results[9] = reduce.reduce(value);
  const int values[1] = {value};
  const bool value_heads[1] = {head};
  int ignored[1];
  flagged<int> last{0, false};
  segments.inclusive(values, value_heads, ignored, plus{}, last);
  results[10] = last.value;
  segments.exclusive(values, value_heads, ignored, plus{}, 100, last);
  results[11] = last.value;
  for (int form = 0; form < kForms; ++form) {
    out[form * kThreads + rank] = results[form];
  }
}

template <int kThreads>
void check_forms(dim3 block, int valid) {
  const std::vector<int> values = random_elements<int>(kThreads);
  std::vector<unsigned char> heads = random_heads(kThreads, 9);
  heads[0] = 1;  // so that the total of the exclusive scan has its initial value
  DeviceArray<int> in(values), out(kForms * kThreads);
  DeviceArray<unsigned char> in_heads(heads);
  forms_kernel<kThreads><<<1, block>>>(in.data(), in_heads.data(), valid, out.data());
  UPSWEEP_CUDA(cudaGetLastError());
  const std::vector<int> got = out.download();
  const std::vector<int> part(values.begin(), values.begin() + valid);
  const auto scan = reference_scan(part, std::vector<unsigned char>(valid), plus{}, 100);
  const auto segments = reference_scan(part, heads, plus{}, 100);
  const int last_exclusive = segments.exclusive.back() + part.back();
  for (int i = 0; i < valid; ++i) {
    const int expected[kForms] = {scan.inclusive[i],       scan.inclusive[i],         scan.inclusive.back(),
                                  scan.exclusive[i] - 100, scan.exclusive[i],         scan.exclusive[i],
                                  scan.inclusive.back(),   segments.inclusive[i],     segments.exclusive[i],
                                  scan.inclusive.back(),   segments.inclusive.back(), last_exclusive};
    for (int form = 0; form < kForms; ++form) {
      UPSWEEP_CHECK(got[form * kThreads + i] == expected[form]);
    }
  }
}

// Each round's values depend on all values of the previous round, so that a single wrong exchange spoils all later ones.
template <int kThreads>
__global__ void __launch_bounds__(kThreads) rounds_kernel(const unsigned *in, int rounds, unsigned *out) {
  __shared__ typename block_scan<unsigned, kThreads>::storage scan_storage;
  __shared__ typename block_reduce<unsigned, kThreads>::storage reduce_storage;
  block_scan<unsigned, kThreads> scan(scan_storage);
  block_reduce<unsigned, kThreads> reduce(reduce_storage);
  unsigned value = in[threadIdx.x];
  for (int round = 0; round < rounds; ++round) {
    value = 3 * scan.exclusive(value) + reduce.reduce(value) + 1;
  }
  out[blockIdx.x * kThreads + threadIdx.x] = value;
}

template <int kThreads>
void check_rounds() {
  constexpr int kRounds = 200, kBlocks = 264;
  const std::vector<unsigned> values = random_elements<unsigned>(kThreads);
  DeviceArray<unsigned> in(values), out(kBlocks * kThreads);
  rounds_kernel<kThreads><<<kBlocks, kThreads>>>(in.data(), kRounds, out.data());
  UPSWEEP_CUDA(cudaGetLastError());
  std::vector<unsigned> expected = values;
  for (int round = 0; round < kRounds; ++round) {
    unsigned total = 0;
    for (const unsigned value : expected) {
      total += value;
    }
    unsigned before = 0;
    for (unsigned &value : expected) {
      const unsigned result = 3 * before + total + 1;
      before += value;
      value = result;
    }
  }
  const std::vector<unsigned> got = out.download();
  for (int i = 0; i < kBlocks * kThreads; ++i) {
    UPSWEEP_CHECK(got[i] == expected[i % kThreads]);
  }
}

__global__ void warp_forms_kernel(const int *in, int *out) {
  out[threadIdx.x] = warp_scan<int>().exclusive(in[threadIdx.x]);
  out[32 + threadIdx.x] = warp_scan<int>().inclusive(in[threadIdx.x]);
}

}  // namespace

UPSWEEP_TEST(GivenOneValueAThread_WhenEveryFormRuns_ThenResultsAreRight) {
  for (const int valid : {1, 31, 32, 33, 99, 100}) {
    check_forms<100>(100, valid);
  }
  for (const int valid : {1, 32, 255, 256}) {
    check_forms<256>(256, valid);
  }
}

UPSWEEP_TEST(GivenBlockOfTwoDimensions_WhenRankIsPassed_ThenValuesAreInItsOrder) {
  check_forms<128>(dim3(16, 8), 128);
  check_forms<300>(dim3(20, 15), 200);
}

UPSWEEP_TEST(GivenManyCallsOnOneObject_WhenNoBarrierIsBetween_ThenTheyDoNotMix) {
  check_rounds<128>();
  check_rounds<200>();
  check_rounds<256>();
  check_rounds<1024>();
}

UPSWEEP_TEST(GivenNoInitialValue_WhenWarpScans_ThenItStartsFromTheIdentity) {
  const std::vector<int> values = random_elements<int>(32);
  DeviceArray<int> in(values), out(64);
  warp_forms_kernel<<<1, 32>>>(in.data(), out.data());
  UPSWEEP_CUDA(cudaGetLastError());
  const std::vector<int> got = out.download();
  const auto scan = reference_scan(values, std::vector<unsigned char>(32), plus{}, 0);
  for (int i = 0; i < 32; ++i) {
    UPSWEEP_CHECK(got[i] == scan.exclusive[i] && got[32 + i] == scan.inclusive[i]);
  }
}
