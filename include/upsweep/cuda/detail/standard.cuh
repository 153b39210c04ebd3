// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The standard headers that warps and blocks use. NVRTC has none; libcu++'s stand for them there.
#pragma once

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

#include <cuda_runtime.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>
#include <utility>

#endif
