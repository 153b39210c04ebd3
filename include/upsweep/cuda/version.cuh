// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The version of the library, and the namespace of all of it.
//
// A process may load several libraries that were compiled for other GPUs or with other versions of these headers. They must not
// share kernels or static variables. All names are therefore in an inline namespace of the version and the architectures:
// upsweep::cuda::plus is upsweep::v100_sm750900::cuda::plus.
#pragma once

#include <upsweep/common/cpp17.h>
#ifdef UPSWEEP_CPP17
#define UPSWEEP_CUDA_VERSION 100  // 10000 major + 100 minor + patch

// __CUDA_ARCH_LIST__ is 750,900 for -arch=sm_75 and sm_90 (nvcc).
#ifdef __CUDA_ARCH_LIST__
#define UPSWEEP_CUDA_ARCHITECTURES __CUDA_ARCH_LIST__
#else
#define UPSWEEP_CUDA_ARCHITECTURES
#endif
#define UPSWEEP_CUDA_JOIN(version, a, b, c, d, e, f, g, h, i, j, k, l, ...) v##version##_sm##a##b##c##d##e##f##g##h##i##j##k##l
#define UPSWEEP_CUDA_JOINED(...) UPSWEEP_CUDA_JOIN(__VA_ARGS__)

// The headers use `namespace upsweep::cuda`, which extends this namespace.
// clang-format off
namespace upsweep {
inline namespace UPSWEEP_CUDA_JOINED(UPSWEEP_CUDA_VERSION, UPSWEEP_CUDA_ARCHITECTURES, , , , , , , , , , , , ) {
namespace cuda {}
}
}  // namespace upsweep
// clang-format on
#endif
