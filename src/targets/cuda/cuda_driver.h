// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The CUDA driver's functions, from libcuda.so.1 where there is one.
#ifndef UPSWEEP_TARGETS_CUDA_CUDA_DRIVER_H
#define UPSWEEP_TARGETS_CUDA_CUDA_DRIVER_H

#include "base/result.h"
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

namespace upsweep {

using CUresult = int;
using CUdevice = int;
using CUdeviceptr = uint64_t;
using CUcontext = struct CudaContext *;
using CUstream = struct CudaStream *;
using CUevent = struct CudaEvent *;
using CUmodule = struct CudaModule *;
using CUfunction = struct CudaFunction *;
using CUarray = struct CudaArray *;
using CUtexObject = uint64_t;

/// CUDA_MEMCPY3D of the driver's interface; fields without a name here stay 0.
struct CudaCopy3D {
  struct End {
    size_t x = 0, y = 0, z = 0, level = 0;
    unsigned memory_type = 0;
    uint64_t host = 0;
    CUdeviceptr device = 0;
    CUarray array = nullptr;
    void *reserved = nullptr;
    size_t pitch = 0;   ///< bytes from row to row
    size_t height = 0;  ///< rows from slice to slice
  };
  End from;
  End to;
  size_t width = 0;  ///< bytes
  size_t height = 0;
  size_t depth = 0;
};

/// CUDA_ARRAY3D_DESCRIPTOR: sizes in texels, 0 where the array has none; of layered arrays the depth is the number of layers.
struct CudaArrayDescription {
  size_t width = 0, height = 0, depth = 0;
  unsigned format = 0;  ///< CUarray_format
  unsigned channels = 0;
  unsigned flags = 0;
};

/// CUDA_RESOURCE_DESC: an array, or rows in memory. Its union has room for 32 ints.
struct CudaTexels {
  enum Type : unsigned { kArray = 0, kRows = 3 };
  struct Rows {
    CUdeviceptr address;
    unsigned format, channels;
    size_t width, height;
    size_t pitch;  ///< bytes from row to row
  };
  unsigned type = kArray;
  union {
    CUarray array;
    Rows rows;
    int reserved[32] = {};
  };
  unsigned flags = 0;
};

/// CUDA_TEXTURE_DESC; fields without a name here stay 0.
struct CudaSampler {
  enum Address : unsigned { kWrap = 0, kClamp = 1, kMirror = 2, kBorder = 3 };
  enum Flags : unsigned { kReadAsIntegers = 1, kNormalizedCoordinates = 2, kSrgb = 0x10 };
  std::array<unsigned, 3> address{};
  unsigned is_linear = 0;  ///< CUfilter_mode
  unsigned flags = 0;
  unsigned reserved[5] = {};
  std::array<float, 4> border{};
  unsigned more_reserved[12] = {};
};

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
