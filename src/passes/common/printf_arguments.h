// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The arguments of a printf call after its format, packed as UpsweepHooks::print describes, for every target.
#ifndef UPSWEEP_PASSES_COMMON_PRINTF_ARGUMENTS_H
#define UPSWEEP_PASSES_COMMON_PRINTF_ARGUMENTS_H

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>

namespace upsweep::passes {

/// A multiple of 8.
[[nodiscard]] uint64_t packed_bytes(const llvm::CallInst &call);

/// Stores them from `place` on, which is aligned to 8 bytes.
void store_packed(llvm::IRBuilder<> &builder, const llvm::CallInst &call, llvm::Value *place);

}  // namespace upsweep::passes
#endif
