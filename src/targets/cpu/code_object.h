// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loading of shared objects that the compiler made for the CPU.
#ifndef UPSWEEP_TARGETS_CPU_CODE_OBJECT_H
#define UPSWEEP_TARGETS_CPU_CODE_OBJECT_H

#include "base/result.h"
#include "runtime/code_object.h"
#include "targets/cpu/kernel_abi.h"
#include <cstdint>
#include <span>
#include <vector>

namespace upsweep {

class CpuCode final : public CodeObject {
public:
  /// `code` is of the kernels of `descriptions`, one for each, and lives as long as `library`, a handle of dlopen() or null.
  CpuCode(std::vector<KernelDescription> descriptions, const UpsweepKernelCode *code, uint64_t program_scope_bytes,
          void *library);

  std::span<const KernelDescription> kernels() const override { return std::span(descriptions_).first(num_kernels_); }
  /// The kernels of blocks, in the order of their numbers, which start at 1.
  std::span<const KernelDescription> blocks() const { return std::span(descriptions_).subspan(num_kernels_); }
  uint64_t program_scope_bytes() const override { return program_scope_bytes_; }

  /// Of one of kernels() or blocks().
  const UpsweepKernelCode &code(const KernelDescription &kernel) const { return code_[&kernel - descriptions_.data()]; }

private:
  ~CpuCode() override;

  std::vector<KernelDescription> descriptions_;
  size_t num_kernels_;
  const UpsweepKernelCode *code_;
  uint64_t program_scope_bytes_;
  void *library_;
};

/// Target::load_code, for an ELF image that exports an UpsweepCodeObject.
Result<Ref<CodeObject>> load_code_object(std::span<const uint8_t> elf);

}  // namespace upsweep
#endif
