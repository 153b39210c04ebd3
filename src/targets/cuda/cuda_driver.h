// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The CUDA driver's functions, from libcuda.so.1 where there is one.
#ifndef UPSWEEP_TARGETS_CUDA_CUDA_DRIVER_H
#define UPSWEEP_TARGETS_CUDA_CUDA_DRIVER_H

#include "base/result.h"
#include <cstddef>
#include <cstdint>
#include <string>

namespace upsweep {

using CUresult = int;
using CUdevice = int;
using CUdeviceptr = uint64_t;
using CUcontext = struct CudaContext *;
using CUstream = struct CudaStream *;
using CUmodule = struct CudaModule *;
using CUfunction = struct CudaFunction *;

struct CudaDriver {
// NOLINTNEXTLINE(bugprone-macro-parentheses): a declarator
#define UPSWEEP_CUDA(member, symbol, parameters) CUresult(*member) parameters = nullptr;
#include "targets/cuda/cuda_driver.def"
#undef UPSWEEP_CUDA

  /// Null where there is no driver, or one that lacks a function. Loaded by the first call and initialised.
  static const CudaDriver *get();

  /// Nothing when `result` is success, else `code` with the error's name and what failed.
  Result<void> check(CUresult result, cl_int code, const char *what) const;
};

}  // namespace upsweep
#endif
