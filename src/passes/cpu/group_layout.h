// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// kernel_abi.h in LLVM IR: addresses of UpsweepGroup's fields.
#ifndef UPSWEEP_PASSES_CPU_GROUP_LAYOUT_H
#define UPSWEEP_PASSES_CPU_GROUP_LAYOUT_H

#include "base/kernel_description.h"
#include "targets/cpu/kernel_abi.h"

#include <llvm/IR/IRBuilder.h>

#include <cstddef>

namespace upsweep::passes {

static_assert(sizeof(void *) == 8 && sizeof(UpsweepGroup) == 33 * 8, "generated code takes every field for 8 bytes");
static_assert(UPSWEEP_MEMORY_ALIGN == kLargestAlign, "the argument block is memory that a group points to");
static_assert(UPSWEEP_CPU_ABI == 15, "the contract changed: look through the users of this header");

/// Declares a function's first parameter, the group, readable at any time, so that loads of its fields can be hoisted out of
/// conditions and loops.
inline void promise_group(llvm::Function &function) {
  llvm::Argument *group = function.getArg(0);
  group->setName("group");
  llvm::AttrBuilder promises(function.getContext());
  promises.addDereferenceableAttr(sizeof(UpsweepGroup)).addAlignmentAttr(64).addAttribute(llvm::Attribute::NoUndef);
  group->addAttrs(promises);
}

/// Loads a field (element `index` of an array) of the group, which is constant while an entry runs.
inline llvm::LoadInst *load_group_field(llvm::IRBuilder<> &builder, llvm::Value *group, size_t offset, llvm::Type *type,
                                        llvm::Value *index = nullptr) {
  llvm::Value *address = builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), group, offset);
  if (index) address = builder.CreateInBoundsGEP(builder.getInt64Ty(), address, index);
  llvm::LoadInst *load = builder.CreateAlignedLoad(type, address, llvm::Align(8));
  load->setMetadata(llvm::LLVMContext::MD_invariant_load, llvm::MDNode::get(builder.getContext(), {}));
  load->setMetadata(llvm::LLVMContext::MD_noundef, llvm::MDNode::get(builder.getContext(), {}));
  return load;
}

inline llvm::Value *load_group_size(llvm::IRBuilder<> &builder, llvm::Value *group, size_t offset, unsigned dimension) {
  return load_group_field(builder, group, offset + 8 * dimension, builder.getInt64Ty());
}

inline llvm::LoadInst *load_group_pointer(llvm::IRBuilder<> &builder, llvm::Value *group, size_t offset) {
  return load_group_field(builder, group, offset, builder.getPtrTy());
}

}  // namespace upsweep::passes
#endif
