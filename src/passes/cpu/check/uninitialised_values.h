// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The values of an item that may depend on memory or variables that were never written. All others need no shadow.
#ifndef UPSWEEP_PASSES_CPU_CHECK_UNINITIALISED_VALUES_H
#define UPSWEEP_PASSES_CPU_CHECK_UNINITIALISED_VALUES_H

#include "passes/cpu/check/provenance.h"

#include <llvm/ADT/DenseSet.h>

namespace upsweep::passes {

class UninitialisedValues {
public:
  UninitialisedValues(llvm::Function &item, ProvenanceFinder &finder);

  [[nodiscard]] bool may_be(const llvm::Value &value) const;
  /// Whether the kernel or the host may have left the memory uninitialised.
  [[nodiscard]] bool may_be_at(llvm::Value &pointer, const llvm::Instruction &access);
  /// The variables and arguments that the value may come from, such as "variable 'a' or argument 'b'"; empty if unknown.
  [[nodiscard]] std::string origins_of(const llvm::Value &value);

private:
  [[nodiscard]] bool is_source(llvm::Instruction &instruction);
  [[nodiscard]] std::string name_of_source(const llvm::Instruction &source);

  ProvenanceFinder &finder_;
  llvm::DenseSet<const llvm::Value *> found_;
};

/// A collective of the sub-group whose result depends on its operands, and whose shadow is a collective of their shadows.
[[nodiscard]] bool is_followed_collective(const llvm::Value &call);

/// Constants of which a part is undefined. `poison` stands for elements without a meaning.
[[nodiscard]] bool has_undefined_part(const llvm::Constant &constant);

}  // namespace upsweep::passes
#endif
