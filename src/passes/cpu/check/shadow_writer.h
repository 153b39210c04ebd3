// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes the shadows of an item's values, beside the values.
#ifndef UPSWEEP_PASSES_CPU_CHECK_SHADOW_WRITER_H
#define UPSWEEP_PASSES_CPU_CHECK_SHADOW_WRITER_H

#include "passes/cpu/check/shadow_pointers.h"
#include "passes/cpu/check/shadow_rules.h"
#include "passes/cpu/check/uninitialised_values.h"

#include <llvm/IR/IntrinsicInst.h>

namespace upsweep::passes {

/// The first of the bounds checks of an access, or the access.
llvm::Instruction &before_checks(llvm::Instruction &access);

class ShadowWriter {
public:
  /// With `tests`, values are tested where they decide something.
  ShadowWriter(llvm::Function &item, const KernelDescription &kernel, bool tests)
      : item_(item), layout_(item.getDataLayout()), finder_(item, kernel), values_(item, finder_), pointers_(item),
        sites_(*item.getParent(), kernel.name), builder_(item.getContext()), tests_(tests) {}
  void run();

private:
  using Instruction = llvm::Instruction;
  using Value = llvm::Value;

  Value *shadow(Value *value);
  void write(Instruction &instruction);
  Value *write_memory(Instruction &instruction);
  Value *write_load(llvm::LoadInst &load);
  void write_store(llvm::StoreInst &store);
  Value *write_update(llvm::AtomicRMWInst &update);
  Value *write_exchange(llvm::AtomicCmpXchgInst &exchange);
  void write_fill(llvm::MemIntrinsic &fill);
  void write_call(llvm::CallBase &call);
  Value *write_collective(llvm::CallInst &call);
  // Images (shadow_images.cpp)
  Value *write_texel_read(llvm::CallInst &call);
  void write_texel_write(llvm::CallInst &call);
  void begin_variables();
  Instruction *begin_of_item(Value &shadow) const;
  void fill_phis();

  // Checks (shadow_checks.cpp)
  void test(Instruction &at, Value *value, uint32_t use, Value *stored_at = nullptr, uint64_t width = 0);
  void test_uses(Instruction &instruction);
  void test_stored(Instruction &access, Value &pointer, Value &value);
  void guard(Instruction &access, Value *pointer, Value *shadow);

  llvm::Function &item_;
  const llvm::DataLayout &layout_;
  ProvenanceFinder finder_;
  UninitialisedValues values_;
  ShadowPointers pointers_;
  SiteTable sites_;
  llvm::IRBuilder<> builder_;
  llvm::DenseMap<const Value *, Value *> known_;
  llvm::SmallVector<std::pair<llvm::PHINode *, llvm::PHINode *>, 16> phis_;
  llvm::SmallVector<llvm::CallInst *, 16> marks_;
  const bool tests_;
};

}  // namespace upsweep::passes
#endif
