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

/// Names of a kernel's versions in PTX, which has fewer names than OpenCL C; "" where a version does not exist.
struct GpuSymbols {
  std::string whole;
  std::string edges;             ///< for smaller work-groups, see passes/gpu/gpu_kernels.h
  std::string textures, orders;  ///< with texture objects, see passes/gpu/texture_kernels.h
};

struct GpuKernel {
  KernelDescription description;
  GpuSymbols symbols;
  std::vector<UpsweepTextureUse> textures;  ///< the texture reads of the versions with texture objects
};

/// A program-scope variable that the host may access (cl_intel_global_variable_access).
struct GpuVariable {
  std::string name;
  std::string symbol;  ///< in PTX
  uint64_t bytes = 0;
  bool host_reads = false, host_writes = false;
};

struct GpuImage {
  std::string ptx;
  bool is_optimised = true;        ///< false if NVIDIA's assembler must not optimise: -cl-opt-disable, irreducible control flow
  std::vector<GpuKernel> kernels;  ///< in source order
  std::vector<GpuVariable> variables;
  uint64_t program_scope_bytes = 0;
};

[[nodiscard]] Bytes encode(const GpuImage &image);
/// Empty if the bytes are damaged or have another version.
[[nodiscard]] std::optional<GpuImage> decode_gpu_image(ByteSpan bytes);

}  // namespace upsweep::compiler
#endif
