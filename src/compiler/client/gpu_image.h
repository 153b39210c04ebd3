// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the compiler makes for NVIDIA GPUs, in the place of a shared object: PTX, and what the driver must know of its kernels.
#ifndef UPSWEEP_COMPILER_CLIENT_GPU_IMAGE_H
#define UPSWEEP_COMPILER_CLIENT_GPU_IMAGE_H

#include "compiler/client/compiler.h"
#include "targets/cpu/kernel_abi.h"

#include <array>
#include <optional>

namespace upsweep::compiler {

/// The start of a target's name for GPUs: "cuda-sm_90" follows target_id()'s rules.
inline constexpr std::string_view kGpuTargetPrefix = "cuda-";

struct GpuKernel {
  struct Argument {
    std::string name, type_name;
    UpsweepArgument figures{};  ///< without the two names
  };
  std::string name, attributes;
  std::vector<Argument> arguments;
  UpsweepKernel figures{};  ///< without what points to something; local_bytes: variables in dynamic memory
  bool prints = false;      ///< calls printf
  bool has_edges = false;   ///< there is also a kernel with UPSWEEP_CUDA_EDGES_SUFFIX
};

struct GpuImage {
  std::string ptx;
  std::vector<GpuKernel> kernels;  ///< in source order
  uint64_t program_scope_bytes = 0;
};

[[nodiscard]] Bytes encode(const GpuImage &image);
/// Nothing when the bytes are damaged or of another version.
[[nodiscard]] std::optional<GpuImage> decode_gpu_image(ByteSpan bytes);

}  // namespace upsweep::compiler
#endif
