// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The CUDA driver's functions, from libcuda.so.1 if it is installed.
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
using CUgraph = struct CudaGraph *;
using CUgraphNode = struct CudaGraphNode *;
using CUgraphExec = struct CudaGraphExec *;

/// CUDA_MEMCPY3D of the CUDA driver API; unnamed fields stay 0.
struct CudaCopy3D {
  struct End {
    size_t x = 0, y = 0, z = 0, level = 0;
    unsigned memory_type = 0;
    uint64_t host = 0;
    CUdeviceptr device = 0;
    CUarray array = nullptr;
    void *reserved = nullptr;
    size_t pitch = 0;   ///< bytes between rows
    size_t height = 0;  ///< rows between slices
  };
  End from;
  End to;
  size_t width = 0;  ///< bytes
  size_t height = 0;
  size_t depth = 0;
};

/// CUDA_KERNEL_NODE_PARAMS (version 1): a grid of a kernel. A graph's node copies the parameters.
struct CudaKernel {
  CUfunction function = nullptr;
  std::array<unsigned, 3> blocks{1, 1, 1};
  std::array<unsigned, 3> threads{1, 1, 1};  ///< per block
  unsigned shared_bytes = 0;                 ///< dynamic
  void **parameters = nullptr;
  void **extra = nullptr;
};

/// CUDA_MEMSET_NODE_PARAMS (version 1): fills a line.
struct CudaFill {
  CUdeviceptr to = 0;
  size_t pitch = 0;  ///< unused for one row
  unsigned value = 0;
  unsigned element_bytes = 1;  ///< 1, 2 or 4
  size_t width = 0;            ///< elements
  size_t height = 1;
};

/// CUDA_ARRAY3D_DESCRIPTOR: sizes in texels, 0 for missing dimensions; the depth of a layered array is the number of layers.
struct CudaArrayDescription {
  size_t width = 0, height = 0, depth = 0;
  unsigned format = 0;  ///< CUarray_format
  unsigned channels = 0;
  unsigned flags = 0;
};

/// CUDA_RESOURCE_DESC: an array, or rows in memory. Its union takes 32 ints.
struct CudaTexels {
  enum Type : unsigned { kArray = 0, kRows = 3 };
  struct Rows {
    CUdeviceptr address;
    unsigned format, channels;
    size_t width, height;
    size_t pitch;  ///< bytes between rows
  };
  unsigned type = kArray;
  union {
    CUarray array;
    Rows rows;
    int reserved[32] = {};
  };
  unsigned flags = 0;
};

/// CUDA_TEXTURE_DESC; unnamed fields stay 0.
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

/// CU_DEVICE_CPU, for advice and prefetches.
constexpr CUdevice kCudaHost = -1;
/// CUmem_advise values.
enum MemoryAdvice { kSetPreferredLocation = 3, kUnsetPreferredLocation = 4 };

struct CudaDriver {
// NOLINTNEXTLINE(bugprone-macro-parentheses): a declarator
#define UPSWEEP_CUDA(member, symbol, parameters) CUresult(*member) parameters = nullptr;
#include "targets/cuda/cuda_driver.def"
#undef UPSWEEP_CUDA

  /// Null if there is no CUDA driver, or if it lacks a function. The first call loads and initialises it.
  static const CudaDriver *get();

  /// Success, or `code` with the error's name and `what` failed.
  Result<void> check(CUresult result, cl_int code, const char *what) const;
};

}  // namespace upsweep
#endif
