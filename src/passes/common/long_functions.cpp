// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each limit is where a pass begins to take a quarter of the compile time, or well above the benchmarks' kernels.
#include "passes/common/long_functions.h"

#include <llvm/IR/Dominators.h>
#include <llvm/Support/CommandLine.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

using namespace llvm;

namespace upsweep::passes {
namespace {

// For each comparison and freeze, InstCombine searches the branches above it for facts about its operands: 1248 lines of `ifs`
// spent three quarters of 11 s there. LLVM's uniformity analysis follows each divergent branch to its join: a tenth of the time
// of 2496 `returns`, and two fifths for 9984. Machine sinking compares the dominance of all pairs of blocks that use a value: a
// third of 31 s for 4992 `returns`.
constexpr unsigned kManyBlocks = 1000;

// ScalarEvolution examines all loops and branches before a loop to compute its trip count. When a loop changes, it forgets its
// results about all later loops. This took more than half of the time of 2496 lines of `loops`.
constexpr unsigned kManyLoops = 200;

// Schedulers keep lists of a block's accesses that may alias (`one_place`, `private_table`); constant hoisting and machine CSE
// visit all uses of a constant.
constexpr unsigned kManyAccesses = 800, kManyInstructions = 4000;

// The two-address pass scans a block for every value with many users: 16 of 22 s for a block of 4992 lines.
constexpr unsigned kVeryManyInstructions = 16000;

// Splitting live ranges within a block and searching for clobbered copies take time quadratic in the block's length: 66 and 86
// % of the compile time of 4992 lines of `nested_expressions`, vector and scalar.
constexpr unsigned kLongestBlock = 4000, kPartOfBlock = 2000;

// If a unit is inlined into the loop over the work-group, its constants and addresses become loop invariants, which stay live
// through the whole kernel (`returns`, `prints`, `functions`).
constexpr unsigned kLongestInlined = 2000;

cl::opt<unsigned> divisor("upsweep-long-functions-divisor", cl::init(1), cl::Hidden,
                          cl::desc("divides the limits from which on functions count as long, for tests"));

unsigned limit(unsigned length) { return length / std::max(divisor.getValue(), 1u); }

}  // namespace

bool has_many_blocks(const Function &function) { return function.size() > limit(kManyBlocks); }

bool has_many_loops(const LoopInfo &loops) { return loops.getLoopsInPreorder().size() > limit(kManyLoops); }

bool has_many_loops(const Function &function) {
  if (function.size() <= limit(kManyLoops)) return false;
  return has_many_loops(LoopInfo(DominatorTree(const_cast<Function &>(function))));
}

bool is_long(const Function &function) {
  if (function.getInstructionCount() > limit(kManyInstructions)) return true;
  return any_of(function, [](const BasicBlock &block) {
    return count_if(block, [](const Instruction &i) { return i.mayReadOrWriteMemory(); }) > limit(kManyAccesses);
  });
}

bool is_very_long(const Function &function) { return function.getInstructionCount() > limit(kVeryManyInstructions); }

bool is_too_long_to_inline(const Function &unit) { return unit.getInstructionCount() > limit(kLongestInlined); }

// Starts at the end, since a cut moves all following instructions.
bool cut_long_blocks(Function &function) {
  // each part has a branch
  const unsigned longest = std::max(limit(kLongestBlock), 2u), part = std::max(limit(kPartOfBlock), 2u);
  SmallVector<BasicBlock *, 4> blocks;
  for (BasicBlock &block : function)
    if (block.size() > longest) blocks.push_back(&block);
  for (BasicBlock *block : blocks) {
    size_t left = block->size();
    auto at = block->end();
    while (left > longest) {
      bool below_variables = true;  // variables must stay in the first block
      for (unsigned i = 0; i < part; ++i, --left) below_variables &= !isa<PHINode, AllocaInst>(*--at);
      if (!below_variables) break;
      SplitBlock(block, at);
      at = std::next(block->getTerminator()->getIterator());
      ++left;
    }
  }
  return !blocks.empty();
}

}  // namespace upsweep::passes
