// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The UpsweepCodeObject constant: what the driver finds in a shared object, and its only exported symbol.
#ifndef UPSWEEP_PASSES_CODE_OBJECT_H
#define UPSWEEP_PASSES_CODE_OBJECT_H

#include "passes/common/kernel_info.h"

#include <llvm/IR/Module.h>

namespace upsweep::passes {

/// A finished kernel.
struct KernelRecord {
  std::string name;
  KernelInfo info;
  llvm::Function *entry = nullptr;
  uint64_t local_bytes = 0;
  uint64_t private_bytes = 0;
  uint64_t frame_bytes = 0;
  uint64_t stack_bytes = 0;
  unsigned frame_unit = 1;
  unsigned sub_group_size = 1;
  uint32_t joins = 0;  ///< UpsweepJoin
};

/// Bytes of the program-scope variables that kernels may write.
[[nodiscard]] uint64_t program_scope_bytes(const llvm::Module &module);

void emit_code_object(llvm::Module &module, llvm::ArrayRef<KernelRecord> kernels);

}  // namespace upsweep::passes
#endif
