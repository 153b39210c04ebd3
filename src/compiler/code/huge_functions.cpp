// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The gate asks LLVM's own question of each optional pass: whether to run it on a function, by the names of both.
#include "compiler/code/huge_functions.h"

#include "passes/llvm_ties.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"

namespace upsweep::compiler {
namespace {

// A block of this many accesses (or, for want of those, instructions) takes the passes below a quarter of its compile time.
constexpr unsigned kManyAccesses = 800, kManyInstructions = 4000;

// For each loop ScalarEvolution walks along all loops before it.
constexpr size_t kManyLoops = 200;

constexpr llvm::StringRef kSquarePasses[] = {
    // Keep lists of all memory accesses of a block that may alias.
    "Post RA top-down list latency scheduler",
    "Machine Instruction Scheduler",
    "X86 Domain Reassignment Pass",
    "Constant Hoisting",
};

// Looks along a block for every value with many users: 16 of 22 s for a block of 4992 lines.
constexpr llvm::StringRef kTwoAddresses = "Two-Address instruction pass";
constexpr unsigned kTwoAddressesInstructions = 16000;

bool is_huge(const llvm::Function &function) {
  if (function.getInstructionCount() > kManyInstructions) return true;
  return llvm::any_of(function, [](const llvm::BasicBlock &block) {
    return llvm::count_if(block, [](const llvm::Instruction &i) { return i.mayReadOrWriteMemory(); }) > kManyAccesses;
  });
}

}  // namespace

HugeFunctionGate::HugeFunctionGate(llvm::Module &module) : context_(module.getContext()) {
  bool has_many_loops = false;
  for (llvm::Function &function : module) {
    if (function.isDeclaration() || !is_huge(function)) continue;
    huge_[("function (" + function.getName() + ")").str()] = function.getInstructionCount();
    const llvm::DominatorTree tree(function);
    has_many_loops |= llvm::LoopInfo(tree).getLoopsInPreorder().size() > kManyLoops;
  }
  if (has_many_loops) no_strength_reduction_ = passes::registered_option(passes::kNoStrengthReductionOption);
  if (no_strength_reduction_) no_strength_reduction_->addOccurrence(0, no_strength_reduction_->ArgStr, "true");
  context_.setOptPassGate(*this);
}

HugeFunctionGate::~HugeFunctionGate() {
  if (no_strength_reduction_) no_strength_reduction_->reset();
  context_.setOptPassGate(llvm::getGlobalPassGate());
}

bool HugeFunctionGate::shouldRunPass(llvm::StringRef pass, llvm::StringRef unit) {
  // -opt-bisect-limit
  llvm::OptPassGate &bisection = llvm::getGlobalPassGate();
  if (bisection.isEnabled() && !bisection.shouldRunPass(pass, unit)) return false;
  auto found = huge_.find(unit);
  if (found == huge_.end()) return true;
  if (pass == kTwoAddresses) return found->second <= kTwoAddressesInstructions;
  return !llvm::is_contained(kSquarePasses, pass);
}

}  // namespace upsweep::compiler
