// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Code for a GPU: a CUDA module and the descriptions of its kernels.
#ifndef UPSWEEP_TARGETS_CUDA_CODE_OBJECT_H
#define UPSWEEP_TARGETS_CUDA_CODE_OBJECT_H

#include "compiler/client/gpu_image.h"
#include "runtime/code_object.h"
#include "targets/cuda/gpu.h"
#include <algorithm>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <vector>

namespace upsweep {

class CudaCode final : public CodeObject {
public:
  /// Passes the PTX of an image (compiler/client/gpu_image.h) to the CUDA driver's compiler. `gpu` must outlive the code; its
  /// context must be the calling thread's. A work-group has at most `most_local_bytes` of local memory.
  static Result<Ref<CodeObject>> load(const Gpu &gpu, uint64_t most_local_bytes, std::span<const uint8_t> image);

  std::span<const KernelDescription> kernels() const override { return std::span(kernels_).first(num_kernels_); }
  /// The kernels of blocks by number; numbers start at 1.
  std::span<const KernelDescription> blocks() const { return std::span(kernels_).subspan(num_kernels_); }
  uint64_t program_scope_bytes() const override { return program_scope_bytes_; }
  std::optional<ProgramVariable> variable(std::string_view name) const override;

  struct Function {
    CUfunction handle;
    uint64_t declared_local_bytes;  ///< the part of a launch's local memory that is not dynamic
    uint64_t private_bytes;
    uint32_t most_threads;
  };
  /// Versions for launches whose images have these textures; missing if `uses` is empty.
  struct WithTextures {
    Function plain, orders;  ///< `orders` is for images with a channel order that texture units lack
    std::vector<UpsweepTextureUse> uses;
  };
  /// The functions of a kernel in kernels() or blocks(): for work-groups of the whole size, and for smaller groups at a
  /// launch's edges.
  struct Functions {
    Function whole, edges;
    WithTextures textures;
    /// Offset of dynamic memory in a launch's local memory; all functions use the same, since they share the arguments'
    /// offsets.
    uint64_t declared_local_bytes() const {
      return std::max({whole.declared_local_bytes, edges.declared_local_bytes, textures.plain.declared_local_bytes,
                       textures.orders.declared_local_bytes});
    }
  };
  /// Makes the CUDA driver reserve the resources of the blocks' kernels before another kernel waits for any of them. If a
  /// kernel needs more private memory than all earlier kernels, the driver starts it only when nothing else runs.
  void load_blocks(CUstream stream) const;

  const Functions &functions(const KernelDescription &kernel) const { return functions_[index(kernel)]; }

  CudaCode(const Gpu &gpu, CUmodule module, uint64_t program_scope_bytes);
  ~CudaCode() override;

private:
  size_t index(const KernelDescription &kernel) const { return static_cast<size_t>(&kernel - kernels_.data()); }
  Result<Function> find_function(const std::string &name, uint64_t alignment, uint64_t most_local_bytes);
  Result<void> add(compiler::GpuKernel kernel, uint64_t most_local_bytes);
  Result<void> add(const compiler::GpuVariable &variable);

  const Gpu &gpu_;
  CUmodule module_;
  std::vector<KernelDescription> kernels_;
  size_t num_kernels_ = 0;            ///< kernels that are not blocks; blocks come after them
  std::vector<Functions> functions_;  ///< one per kernel and block
  uint64_t program_scope_bytes_;
  std::map<std::string, ProgramVariable, std::less<>> variables_;
  mutable std::once_flag blocks_loaded_;
};

}  // namespace upsweep
#endif
