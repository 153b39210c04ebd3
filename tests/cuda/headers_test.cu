// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// All headers in one of two translation units, compiled as separable code, without optimisations and as C++20
// (CMakeLists.txt): results must be the same.
#include "check.h"
#include "headers.h"

#include <upsweep/cuda/adjacent.cuh>
#include <upsweep/cuda/axis.cuh>
#include <upsweep/cuda/block.cuh>
#include <upsweep/cuda/compensated.cuh>
#include <upsweep/cuda/find.cuh>
#include <upsweep/cuda/gather.cuh>
#include <upsweep/cuda/histogram.cuh>
#include <upsweep/cuda/merge.cuh>
#include <upsweep/cuda/partition.cuh>
#include <upsweep/cuda/recurrence.cuh>
#include <upsweep/cuda/reduce.cuh>
#include <upsweep/cuda/reduce_by_key.cuh>
#include <upsweep/cuda/run_length.cuh>
#include <upsweep/cuda/run_length_decode.cuh>
#include <upsweep/cuda/scan.cuh>
#include <upsweep/cuda/segmented_reduce.cuh>
#include <upsweep/cuda/segmented_sort.cuh>
#include <upsweep/cuda/select.cuh>
#include <upsweep/cuda/select_of_rows.cuh>
#include <upsweep/cuda/sort.cuh>
#include <upsweep/cuda/summed_area.cuh>
#include <upsweep/cuda/three_way_partition.cuh>
#include <upsweep/cuda/top_k.cuh>
#include <upsweep/cuda/top_k_of_rows.cuh>
#include <upsweep/cuda/warp.cuh>

namespace up = upsweep::cuda;
using namespace upsweep::test;

namespace {

struct IsOdd {
  __host__ __device__ bool operator()(float x) const { return static_cast<int>(x) % 2 != 0; }
};

}  // namespace

UPSWEEP_TEST(GivenTwoUnits_WhenCompiledInAnyWay_ThenBothGiveTheSame) {
  constexpr std::size_t kCount = 200000;
  const std::vector<float> values(kCount, 1);
  DeviceArray<float> in(values), out(kCount), kept(kCount);
  DeviceArray<unsigned> number(1);
  std::vector<float> expected(kCount);
  for (std::size_t i = 0; i < kCount; ++i) {
    expected[i] = static_cast<float>(i + 1);
  }
  UPSWEEP_CUDA(up::inclusive_sum(in.data(), out.data(), kCount));
  UPSWEEP_CHECK(out.download() == expected);
  out.poison();
  UPSWEEP_CUDA(sum_elsewhere(in.data(), out.data(), kCount));
  UPSWEEP_CHECK(out.download() == expected);
  UPSWEEP_CUDA(up::select_if(out.data(), kept.data(), number.data(), kCount, IsOdd{}));
  UPSWEEP_CHECK(number.download()[0] == kCount / 2 && kept.download()[1000] == 2001.0f);
}
