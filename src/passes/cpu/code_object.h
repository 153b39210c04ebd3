// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The UpsweepCodeObject constant: what the driver finds in a shared object, and its only exported symbol.
#ifndef UPSWEEP_PASSES_CPU_CODE_OBJECT_H
#define UPSWEEP_PASSES_CPU_CODE_OBJECT_H

#include "passes/common/kernel_info.h"

#include <llvm/IR/Module.h>

namespace upsweep::passes {

/// A finished kernel.
struct KernelRecord {
  KernelDescription description;
  llvm::Function *entry = nullptr;
  llvm::Function *large_entry = nullptr;  ///< for memory objects of `large_bytes` or more; null: `entry` is for all
  uint64_t large_bytes = UINT64_MAX;
  uint64_t frame_bytes = 0;
  unsigned frame_unit = 1;
  uint32_t joins = 0;  ///< UpsweepJoin
};

void emit_code_object(llvm::Module &module, llvm::ArrayRef<KernelRecord> kernels);

}  // namespace upsweep::passes
#endif
