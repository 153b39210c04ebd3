// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// NVIDIA GPUs as devices.
#ifndef UPSWEEP_TARGETS_CUDA_CUDA_TARGET_H
#define UPSWEEP_TARGETS_CUDA_CUDA_TARGET_H

#include "runtime/target.h"
#include <memory>
#include <vector>

namespace upsweep {

/// One for each GPU that can be used; none where there is no CUDA driver.
std::vector<std::unique_ptr<Target>> make_cuda_targets();

}  // namespace upsweep
#endif
