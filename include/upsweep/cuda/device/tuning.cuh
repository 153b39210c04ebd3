// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Measured numbers are in a structure for each algorithm (tuning_*.cuh), with a template argument for the class of
// architectures. A new card needs specialisations. bench/cuda/tune.py measures other numbers (docs/cuda-tuning.md).
//
// Numbers that follow from a format, a limit of the language or other numbers stay where they are used.
#pragma once

#include <upsweep/cuda/version.cuh>

namespace upsweep::cuda::detail {

// The compute capability whose numbers the code takes: that of its GPUs if they are of one class, else 0 for the general ones.
#ifdef __CUDA_ARCH_LIST__
constexpr int tuned_major() {
  int major = 0;
  for (const int architecture : {__CUDA_ARCH_LIST__}) {
    major = major == 0 || major == architecture / 100 ? architecture / 100 : -1;
    if (major < 0) {
      return 0;
    }
  }
  return major;
}
inline constexpr int kTunedMajor = tuned_major();
#else
inline constexpr int kTunedMajor = 0;
#endif

}  // namespace upsweep::cuda::detail
