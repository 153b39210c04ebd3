// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An index space as the grids of CUDA that make it up (kernel_abi.h).
#ifndef UPSWEEP_TARGETS_CUDA_GRIDS_H
#define UPSWEEP_TARGETS_CUDA_GRIDS_H

#include "runtime/command_body.h"
#include "targets/cuda/kernel_abi.h"
#include <array>
#include <functional>

namespace upsweep {

struct Grid {
  std::array<unsigned, 3> blocks;
  std::array<unsigned, 3> threads;  ///< of a block
  UpsweepGrid parameter;
};

/// Calls use(grid) for each; ends early, with its error, when that fails.
Result<void> for_each_grid(const NDRange &range, const std::function<Result<void>(Grid &)> &use);

}  // namespace upsweep
#endif
