// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The standard headers of the common vocabulary, and UPSWEEP_HOST_DEVICE, which marks functions for host and device code. NVRTC
// has no standard headers; libcu++'s stand for them there.
#pragma once

#ifdef __CUDACC__
#define UPSWEEP_HOST_DEVICE __host__ __device__
#else
#define UPSWEEP_HOST_DEVICE
#endif

#ifdef __CUDACC_RTC__

#include <cuda/std/cstddef>
#include <cuda/std/cstdint>
#include <cuda/std/cstring>
#include <cuda/std/limits>
#include <cuda/std/type_traits>
#include <cuda/std/utility>

namespace std {
using namespace ::cuda::std;
}

#else

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>
#include <utility>

#endif
