// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The standard headers that warps and blocks use, and CUDA's own, which NVRTC has built in.
#pragma once

#include <upsweep/common/standard.h>

#ifndef __CUDACC_RTC__
#include <cuda_runtime.h>

#include <cmath>
#endif
