// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tuning of linear recurrences (recurrence_launch.cuh). H100: docs/decisions/cuda-recurrence.md.
#pragma once

#include <upsweep/cuda/device/tuning.cuh>

namespace upsweep::cuda::detail {

template <int kMajor>
struct TuningOfRecurrence {
  static constexpr int kVectors = 7;
  static constexpr int kVectorsOfBytes = 3;
  static constexpr int kWarps = 6;
  static constexpr int kWarpsOfLarger = 4;  // of totals of over 8 bytes
  static constexpr int kMostRows = 32;      // of a column, read together, in 128 bytes at most
};
using TunedRecurrence = TuningOfRecurrence<kTunedMajor>;

}  // namespace upsweep::cuda::detail
