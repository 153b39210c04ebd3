// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The address of the shadow of each pointer's memory. It takes the steps of the pointer's address, so that lanes access a row
// of shadows where they access a row of memory.
#ifndef UPSWEEP_PASSES_CPU_CHECK_SHADOW_POINTERS_H
#define UPSWEEP_PASSES_CPU_CHECK_SHADOW_POINTERS_H

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/MapVector.h>
#include <llvm/IR/IRBuilder.h>

namespace upsweep::passes {

class ShadowPointers {
public:
  explicit ShadowPointers(llvm::Function &item) : item_(item), layout_(item.getDataLayout()) {}

  /// Private variables have a second variable for their shadow, unless their address is in memory, too. The shadow of
  /// other memory has a constant distance from it (base/check_abi.h).
  llvm::Value *of(llvm::Value *pointer);
  /// The shadows of private variables.
  [[nodiscard]] const llvm::MapVector<llvm::AllocaInst *, llvm::Value *> &variables() const { return variables_; }

private:
  llvm::Value *of_root(llvm::Value *pointer);
  llvm::Value *of_variable(llvm::AllocaInst &variable);
  llvm::Value *of_phi(llvm::PHINode &phi);
  llvm::Value *of_address(llvm::GEPOperator &address);
  void go_to(llvm::IRBuilder<> &builder, llvm::Value *pointer);

  llvm::Function &item_;
  const llvm::DataLayout &layout_;
  llvm::DenseMap<llvm::Value *, llvm::Value *> known_;
  llvm::MapVector<llvm::AllocaInst *, llvm::Value *> variables_;
};

}  // namespace upsweep::passes
#endif
