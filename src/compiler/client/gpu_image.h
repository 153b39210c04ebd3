// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The compiler's output for NVIDIA GPUs, in place of a shared object: PTX, and the driver's data about its kernels.
#ifndef UPSWEEP_COMPILER_CLIENT_GPU_IMAGE_H
#define UPSWEEP_COMPILER_CLIENT_GPU_IMAGE_H

#include "base/features.h"
#include "base/kernel_description.h"
#include "compiler/client/compiler.h"
#include "targets/cuda/texture_abi.h"

#include <optional>

namespace upsweep::compiler {

/// Prefix of GPU targets' names: "cuda-sm_90" follows target_id()'s rules.
inline constexpr std::string_view kGpuTargetPrefix = "cuda-";
inline bool is_gpu_target(std::string_view target) { return target.starts_with(kGpuTargetPrefix); }

/// The features that code for a target may use.
inline FeatureColumn features_of(std::string_view target) {
  return is_gpu_target(target) ? FeatureColumn::kCuda : FeatureColumn::kCpu;
}

struct GpuKernel {
  KernelDescription description;
  bool has_edges = false;  ///< whether a kernel with UPSWEEP_CUDA_EDGES_SUFFIX exists
  /// The texture reads of the kernels with UPSWEEP_CUDA_TEXTURES_SUFFIX and _ORDERS_SUFFIX; empty if these do not exist.
  std::vector<UpsweepTextureUse> textures;
};

struct GpuImage {
  std::string ptx;
  bool is_optimised = true;        ///< false if NVIDIA's assembler must not optimise: -cl-opt-disable, irreducible control flow
  std::vector<GpuKernel> kernels;  ///< in source order
  uint64_t program_scope_bytes = 0;
};

[[nodiscard]] Bytes encode(const GpuImage &image);
/// Empty if the bytes are damaged or have another version.
[[nodiscard]] std::optional<GpuImage> decode_gpu_image(ByteSpan bytes);

}  // namespace upsweep::compiler
#endif
