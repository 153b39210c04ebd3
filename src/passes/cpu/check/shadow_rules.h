// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The shadow of an instruction's result: a number of the same size with 1 for each bit that depends on bits that were never
// written. The rules follow MemorySanitizer (Stepanov and Serebryany, CGO 2015), with exact comparisons.
#ifndef UPSWEEP_PASSES_CPU_CHECK_SHADOW_RULES_H
#define UPSWEEP_PASSES_CPU_CHECK_SHADOW_RULES_H

#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/IR/IRBuilder.h>

namespace upsweep::passes {

/// Integers for numbers and pointers, vectors, structs and arrays of them; null for types without a shadow.
[[nodiscard]] llvm::Type *shadow_type(llvm::Type *type, const llvm::DataLayout &layout);

class ShadowRules {
public:
  /// `shadow_of` gives the shadow of an operand.
  ShadowRules(llvm::IRBuilder<> &builder, const llvm::DataLayout &layout,
              llvm::function_ref<llvm::Value *(llvm::Value *)> shadow_of)
      : builder_(builder), layout_(layout), shadow_of_(shadow_of) {}

  /// The shadow of the result. Not for memory, phis, and calls of functions other than LLVM's arithmetic.
  llvm::Value *of(llvm::Instruction &instruction);
  /// The shadow of an atomic operation's result of equal operands: whether an old value may equal an expected value.
  llvm::Value *of_equality(llvm::Value *a, llvm::Value *b, llvm::Value *shadow_a, llvm::Value *shadow_b);

  llvm::Value *either(llvm::Value *a, llvm::Value *b);
  llvm::Value *both(llvm::Value *a, llvm::Value *b);
  /// An i1: any bit of a value of any type is 1.
  llvm::Value *any(llvm::Value *shadow);
  /// All bits of each element of `type`, a shadow's type, if any bit of the element of `shadow` is 1.
  llvm::Value *spread(llvm::Value *shadow, llvm::Type *type);
  /// All bits of all operands decide all bits of the result.
  llvm::Value *mixed(llvm::ArrayRef<llvm::Value *> operands, llvm::Type *type);

private:
  llvm::Value *of_binary(llvm::BinaryOperator &binary);
  llvm::Value *of_product(llvm::BinaryOperator &product, llvm::Value *shadow);
  llvm::Value *of_shift(llvm::BinaryOperator &shift);
  llvm::Value *of_order(llvm::ICmpInst &compare);
  llvm::Value *of_compare(llvm::CmpInst &compare);
  llvm::Value *of_select(llvm::SelectInst &select);
  llvm::Value *of_cast(llvm::CastInst &cast);
  llvm::Value *of_elements(llvm::Instruction &instruction);
  llvm::Value *of_intrinsic(llvm::CallInst &call);
  llvm::Value *bits(llvm::Value *value);

  llvm::IRBuilder<> &builder_;
  const llvm::DataLayout &layout_;
  llvm::function_ref<llvm::Value *(llvm::Value *)> shadow_of_;
};

}  // namespace upsweep::passes
#endif
