// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compiled only for the oldest GPU: a newer one runs this code too, and does not use its copy engine, for any placement of the
// arrays.
#include "scan_check.h"

#include <upsweep/cuda/axis.cuh>

using namespace upsweep::test;

UPSWEEP_TEST(GivenCodeForAnOlderGpu_WhenScanned_ThenResultsAreRight) {
  check_inclusive<std::uint32_t>("sum", cuda::plus{});
  check_exclusive<Affine<1>>("maps", Compose{});
}

UPSWEEP_TEST(GivenCodeForAnOlderGpu_WhenSegmentsAreScanned_ThenResultsAreRight) {
  const std::size_t n = is_short_run() ? 100000 : 3000000;
  const auto values = scan_values<std::uint32_t>(n);
  std::vector<std::uint32_t> offsets, expected = values;
  for (std::size_t at = 0; at < n; at += 1 + generator()() % 100) {
    offsets.push_back(static_cast<std::uint32_t>(at));
  }
  for (std::size_t segment = 0; segment < offsets.size(); ++segment) {
    const std::size_t end = segment + 1 < offsets.size() ? offsets[segment + 1] : n;
    for (std::size_t i = offsets[segment] + 1; i < end; ++i) {
      expected[i] += expected[i - 1];
    }
  }
  Placed<std::uint32_t> in(values, 0), out(n, 0), list(offsets, 0);
  Space space(cuda::segmented_scan_workspace_bytes<std::uint32_t>(n));
  UPSWEEP_CUDA(cuda::inclusive_scan_of_segments(space, in.data(), out.data(), n, list.data(), offsets.size(), cuda::plus{}));
  expect_same("segments", out.download(), expected);
}

// Wide and narrow rows, in one batch and in many, which other code would treat as boxes, pieces or whole rows.
UPSWEEP_TEST(GivenCodeForAnOlderGpu_WhenScannedAlongAnAxis_ThenResultsAreRight) {
  for (const std::size_t inner : {16, 101, 1000, 5000}) {
    for (const std::size_t batches : {1, 200}) {
      cuda::axis of;
      of.batches = batches;
      of.inner = inner;
      of.length = (is_short_run() ? 400000 : 12000000) / inner / batches;
      const auto values = scan_values<std::uint32_t>(of.batches * of.length * of.inner);
      std::vector<std::uint32_t> expected = values;
      for (std::size_t row = 0; row < of.batches * of.length; ++row) {
        for (std::size_t i = 0; i < inner && row % of.length > 0; ++i) {
          expected[row * inner + i] += expected[(row - 1) * inner + i];
        }
      }
      Placed<std::uint32_t> in(values, 0), out(values.size(), 0);
      Space space(cuda::axis_scan_workspace_bytes<std::uint32_t>(of));
      UPSWEEP_CUDA(cuda::inclusive_sum_of_axis(space, in.data(), out.data(), of));
      expect_same("rows of " + std::to_string(inner), out.download(), expected);
    }
  }
}
