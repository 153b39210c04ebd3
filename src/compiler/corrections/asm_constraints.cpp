// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Inline assembly is for the target, but Clang compiles for spir64, which only knows the constraint "r". PTX registers have
// their own letters; the target's code generator checks that the register exists. The linker replaces Clang's functions by
// these (--wrap, see CMakeLists.txt).
#include "clang/Basic/TargetInfo.h"
#include "llvm/ADT/StringRef.h"

#define INPUT_CONSTRAINT "_ZNK5clang10TargetInfo23validateInputConstraintEN4llvm15MutableArrayRefINS0_14ConstraintInfoEEERS3_"
#define OUTPUT_CONSTRAINT "_ZNK5clang10TargetInfo24validateOutputConstraintERNS0_14ConstraintInfoE"

namespace clang {

using Constraint = TargetInfo::ConstraintInfo;

bool clang_validate(const TargetInfo &, llvm::MutableArrayRef<Constraint>, Constraint &) asm("__real_" INPUT_CONSTRAINT);
bool validate(const TargetInfo &, llvm::MutableArrayRef<Constraint>, Constraint &) asm("__wrap_" INPUT_CONSTRAINT);
bool clang_validate(const TargetInfo &, Constraint &) asm("__real_" OUTPUT_CONSTRAINT);
bool validate(const TargetInfo &, Constraint &) asm("__wrap_" OUTPUT_CONSTRAINT);

namespace {

/// Registers of 16, 32 and 64 bits, float and double, a byte, a predicate.
bool is_ptx_register(const Constraint &constraint) {
  const llvm::StringRef letter = llvm::StringRef(constraint.getConstraintStr()).ltrim("=+&");
  return letter.size() == 1 && llvm::StringRef("hrlfdcb").contains(letter);
}

bool accept(Constraint &constraint) {
  if (!is_ptx_register(constraint)) return false;
  constraint.setAllowsRegister();
  if (llvm::StringRef(constraint.getConstraintStr()).starts_with("+")) constraint.setIsReadWrite();
  return true;
}

}  // namespace

bool validate(const TargetInfo &target, llvm::MutableArrayRef<Constraint> outputs, Constraint &input) {
  return clang_validate(target, outputs, input) || accept(input);
}

bool validate(const TargetInfo &target, Constraint &output) { return clang_validate(target, output) || accept(output); }

}  // namespace clang
