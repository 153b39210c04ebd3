// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the compiler makes for NVIDIA GPUs, in the place of a shared object: PTX, and what the driver must know of its kernels.
#ifndef UPSWEEP_COMPILER_CLIENT_GPU_IMAGE_H
#define UPSWEEP_COMPILER_CLIENT_GPU_IMAGE_H

#include "base/features.h"
#include "base/kernel_description.h"
#include "compiler/client/compiler.h"
#include "targets/cuda/texture_abi.h"

#include <optional>

namespace upsweep::compiler {

/// The start of a target's name for GPUs: "cuda-sm_90" follows target_id()'s rules.
inline constexpr std::string_view kGpuTargetPrefix = "cuda-";
inline bool is_gpu_target(std::string_view target) { return target.starts_with(kGpuTargetPrefix); }

/// What code for a target may use.
inline FeatureColumn features_of(std::string_view target) {
  return is_gpu_target(target) ? FeatureColumn::kCuda : FeatureColumn::kCpu;
}

struct GpuKernel {
  KernelDescription description;
  bool has_edges = false;  ///< there is also a kernel with UPSWEEP_CUDA_EDGES_SUFFIX
  /// What the kernels with UPSWEEP_CUDA_TEXTURES_SUFFIX and _ORDERS_SUFFIX read by textures; empty where there are none.
  std::vector<UpsweepTextureUse> textures;
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
