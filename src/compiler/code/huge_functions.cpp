// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The gate asks LLVM's own question of each optional pass: whether to run it on a function, by the names of both.
#include "compiler/code/huge_functions.h"

#include "passes/common/long_functions.h"

#include "llvm/Transforms/Utils/BasicBlockUtils.h"

namespace upsweep::compiler {
namespace {

// A block of this many accesses (or, for want of those, instructions) takes the passes below a quarter of its compile time.
constexpr unsigned kManyAccesses = 800, kManyInstructions = 4000;

// Local splits of live ranges, and the search for clobbered copies, take the square of a block's length: 66 and 86 % of
// the compile time for 4992 lines of `nested_expressions`, vector and scalar.
constexpr unsigned kLongestBlock = kManyInstructions, kPartOfBlock = 2000;

constexpr llvm::StringRef kSquarePasses[] = {
    // Keep lists of all memory accesses of a block that may alias.
    "Post RA top-down list latency scheduler",
    "Machine Instruction Scheduler",
    "X86 Domain Reassignment Pass",
    "Constant Hoisting",
};

constexpr llvm::StringRef kSquarePassesOfBlocks[] = {
    // Compares the dominance of all pairs of blocks that use a value: a third of 31 s for 4992 lines of `returns`.
    "Machine code sinking",
    // Looks through a block's predecessors for each of them.
    "Branch Probability Basic Block Placement",
};

// Merges blocks that follow each other alone.
constexpr llvm::StringRef kMerger = "CodeGen Prepare";

// Walks all uses of a constant for each instruction that it drops.
constexpr llvm::StringRef kMachineCse = "Machine Common Subexpression Elimination";

// Looks along a block for every value with many users: 16 of 22 s for a block of 4992 lines.
constexpr llvm::StringRef kTwoAddresses = "Two-Address instruction pass";
constexpr unsigned kTwoAddressesInstructions = 16000;

bool is_huge(const llvm::Function &function) {
  if (function.getInstructionCount() > kManyInstructions) return true;
  return llvm::any_of(function, [](const llvm::BasicBlock &block) {
    return llvm::count_if(block, [](const llvm::Instruction &i) { return i.mayReadOrWriteMemory(); }) > kManyAccesses;
  });
}

/// Cuts off parts from the end on, as a cut moves all that follows. True when there was something to cut.
bool split_long_blocks(llvm::Function &function) {
  llvm::SmallVector<llvm::BasicBlock *, 4> blocks;
  for (llvm::BasicBlock &block : function)
    if (block.size() > kLongestBlock) blocks.push_back(&block);
  for (llvm::BasicBlock *block : blocks) {
    size_t left = block->size();
    auto at = block->end();
    while (left > kLongestBlock) {
      bool below_variables = true;  // which have their places in the first block alone
      for (unsigned i = 0; i < kPartOfBlock; ++i, --left) below_variables &= !llvm::isa<llvm::PHINode, llvm::AllocaInst>(*--at);
      if (!below_variables) break;
      llvm::SplitBlock(block, at);
      at = block->getTerminator()->getIterator();
      ++at;
      ++left;
    }
  }
  return !blocks.empty();
}

}  // namespace

HugeFunctionGate::HugeFunctionGate(llvm::Module &module) : context_(module.getContext()) {
  bool many_loops = false;
  for (llvm::Function &function : module) {
    if (function.isDeclaration() || !is_huge(function)) continue;
    const bool split = split_long_blocks(function);
    huge_[("function (" + function.getName() + ")").str()] = {function.getInstructionCount(), function.size(), split};
    many_loops |= passes::has_many_loops(function);
  }
  if (many_loops) no_strength_reduction_ = llvm::cl::getRegisteredOptions().lookup("disable-lsr");
  if (no_strength_reduction_) no_strength_reduction_->addOccurrence(0, no_strength_reduction_->ArgStr, "true");
  context_.setOptPassGate(*this);
}

HugeFunctionGate::~HugeFunctionGate() {
  if (no_strength_reduction_) no_strength_reduction_->reset();
  context_.setOptPassGate(llvm::getGlobalPassGate());
}

bool HugeFunctionGate::shouldRunPass(llvm::StringRef pass, llvm::StringRef unit) {
  auto found = huge_.find(unit);
  if (found == huge_.end()) return true;
  if (pass == kTwoAddresses) return found->second.instructions <= kTwoAddressesInstructions;
  if (found->second.blocks > passes::kManyBlocks && llvm::is_contained(kSquarePassesOfBlocks, pass)) return false;
  if (found->second.split && pass == kMerger) return false;
  if (pass == kMachineCse) return !found->second.split && found->second.blocks <= passes::kManyBlocks;
  return !llvm::is_contained(kSquarePasses, pass);
}

}  // namespace upsweep::compiler
