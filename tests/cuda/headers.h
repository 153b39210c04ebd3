// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The functions that two translation units, which both include all headers, share.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>

namespace upsweep::test {

cudaError_t sum_elsewhere(const float *in, float *out, std::size_t n);

}  // namespace upsweep::test
