// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Code for a GPU: a module of the CUDA driver and the descriptions of its kernels.
#ifndef UPSWEEP_TARGETS_CUDA_CODE_OBJECT_H
#define UPSWEEP_TARGETS_CUDA_CODE_OBJECT_H

#include "compiler/client/gpu_image.h"
#include "runtime/code_object.h"
#include "targets/cuda/gpu.h"
#include <algorithm>
#include <mutex>
#include <vector>

namespace upsweep {

class CudaCode final : public CodeObject {
public:
  /// Hands the PTX of an image (compiler/client/gpu_image.h) to the driver's compiler. `gpu` outlives the code; its context is
  /// the calling thread's; a work-group has `most_local_bytes` at most.
  static Result<Ref<CodeObject>> load(const Gpu &gpu, uint64_t most_local_bytes, std::span<const uint8_t> image);

  std::span<const KernelDescription> kernels() const override { return std::span(kernels_).first(num_kernels_); }
  /// The kernels of blocks, in the order of their numbers, which start at 1.
  std::span<const KernelDescription> blocks() const { return std::span(kernels_).subspan(num_kernels_); }
  uint64_t program_scope_bytes() const override { return program_scope_bytes_; }

  struct Function {
    CUfunction handle;
    uint64_t declared_local_bytes;  ///< what of a launch's local memory is not dynamic
    uint64_t private_bytes;
    uint32_t most_threads;
  };
  /// For launches whose images have these textures; there is none where `uses` is empty.
  struct WithTextures {
    Function plain, orders;  ///< the latter where an image has an order that texture units lack
    std::vector<UpsweepTextureUse> uses;
  };
  /// What is behind one of kernels() or blocks(): for groups of the whole size, and for the smaller ones at a launch's edges.
  struct Functions {
    Function whole, edges;
    WithTextures textures;
    /// The local memory of a launch up to where dynamic memory starts: of all, as they share the arguments' offsets.
    uint64_t declared_local_bytes() const {
      return std::max({whole.declared_local_bytes, edges.declared_local_bytes, textures.plain.declared_local_bytes,
                       textures.orders.declared_local_bytes});
    }
  };
  /// Has the CUDA driver make room for what the blocks' kernels need, before another kernel waits for one of them: the driver
  /// lets a kernel that needs more private memory than all before it start when nothing else runs.
  void load_blocks(CUstream stream) const;

  const Functions &functions(const KernelDescription &kernel) const { return functions_[index(kernel)]; }

  CudaCode(const Gpu &gpu, CUmodule module, uint64_t program_scope_bytes);
  ~CudaCode() override;

private:
  size_t index(const KernelDescription &kernel) const { return static_cast<size_t>(&kernel - kernels_.data()); }
  Result<Function> find_function(const std::string &name, uint64_t alignment, uint64_t most_local_bytes);
  Result<void> add(compiler::GpuKernel kernel, uint64_t most_local_bytes);

  const Gpu &gpu_;
  CUmodule module_;
  std::vector<KernelDescription> kernels_;
  size_t num_kernels_ = 0;            ///< that are not of blocks, which come after them
  std::vector<Functions> functions_;  ///< of each
  uint64_t program_scope_bytes_;
  mutable std::once_flag blocks_loaded_;
};

}  // namespace upsweep
#endif
