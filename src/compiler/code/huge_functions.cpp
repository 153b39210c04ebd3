// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// LLVM asks the gate whether to run each optional pass on a function, by the names of both.
#include "compiler/code/huge_functions.h"

#include "passes/common/long_functions.h"
#include "passes/llvm_ties.h"

namespace upsweep::compiler {
namespace {

constexpr llvm::StringRef kSquarePasses[] = {
    // These passes keep lists of all memory accesses of a block that may alias.
    "Post RA top-down list latency scheduler",
    "Machine Instruction Scheduler",
    "X86 Domain Reassignment Pass",
    "Constant Hoisting",
};

constexpr llvm::StringRef kSquarePassesOfBlocks[] = {
    // Compares the dominance of all pairs of blocks that use a value: a third of 31 s for 4992 lines of `returns`.
    "Machine code sinking",
    // Searches a block's predecessors for each of them.
    "Branch Probability Basic Block Placement",
};

constexpr llvm::StringRef kSquarePassesOfLoops[] = {
    // These passes ask ScalarEvolution for sums over all earlier loops: 93 % of the time for 2496 lines of `loops` as PTX.
    "Nary reassociation",
    "Straight line strength reduction",
};

// Merges a block into its only predecessor.
constexpr llvm::StringRef kMerger = "CodeGen Prepare";

// Visits all uses of a constant for each instruction that it removes.
constexpr llvm::StringRef kMachineCse = "Machine Common Subexpression Elimination";

// Scans a block for every value with many users: 16 of 22 s for a block of 4992 lines.
constexpr llvm::StringRef kTwoAddresses = "Two-Address instruction pass";

}  // namespace

HugeFunctionGate::HugeFunctionGate(llvm::Module &module) : context_(module.getContext()) {
  bool many_loops = false;
  for (llvm::Function &function : module) {
    if (function.isDeclaration() || !passes::is_long(function)) continue;
    const bool cut = passes::cut_long_blocks(function);
    huge_[("function (" + function.getName() + ")").str()] = {cut, passes::has_many_blocks(function),
                                                              passes::has_many_loops(function), passes::is_very_long(function)};
    many_loops |= passes::has_many_loops(function);
  }
  if (many_loops) no_strength_reduction_ = passes::registered_option(passes::kNoStrengthReductionOption);
  if (no_strength_reduction_) no_strength_reduction_->addOccurrence(0, no_strength_reduction_->ArgStr, "true");
  context_.setOptPassGate(*this);
}

HugeFunctionGate::~HugeFunctionGate() {
  if (no_strength_reduction_) no_strength_reduction_->reset();
  context_.setOptPassGate(llvm::getGlobalPassGate());
}

bool HugeFunctionGate::shouldRunPass(llvm::StringRef pass, llvm::StringRef unit) {
  // Keep -opt-bisect-limit working.
  llvm::OptPassGate &bisection = llvm::getGlobalPassGate();
  if (bisection.isEnabled() && !bisection.shouldRunPass(pass, unit)) return false;
  auto found = huge_.find(unit);
  if (found == huge_.end()) return true;
  if (pass == kTwoAddresses) return !found->second.very_long;
  if (found->second.many_blocks && llvm::is_contained(kSquarePassesOfBlocks, pass)) return false;
  if (found->second.many_loops && llvm::is_contained(kSquarePassesOfLoops, pass)) return false;
  if (found->second.cut && pass == kMerger) return false;
  if (pass == kMachineCse) return !found->second.cut && !found->second.many_blocks;
  return !llvm::is_contained(kSquarePasses, pass);
}

}  // namespace upsweep::compiler
