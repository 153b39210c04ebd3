// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The size of the unrolled loop decides, in scalar operations.
#include "passes/gpu/unroll_short_loops.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/Scalar/LoopPassManager.h>
#include <llvm/Transforms/Utils/LoopUtils.h>

using namespace llvm;

namespace upsweep::passes {
namespace {

/// NVIDIA's compiler unrolled 64 iterations of five instructions in a test.
constexpr unsigned kMostOperations = 1024;
/// An array in memory costs hundreds of cycles per access. LLVM's limit is 16 Ki.
constexpr unsigned kMostOperationsWithArray = 8192;
/// Limit of a partially unrolled loop: the cost of counting is then negligible.
constexpr unsigned kMostOperationsOfCopies = 1024;

bool is_decided(const Loop &loop) {
  return findStringMetadataForLoop(&loop, "llvm.loop.unroll.disable") ||
         findStringMetadataForLoop(&loop, "llvm.loop.unroll.enable") ||
         findStringMetadataForLoop(&loop, "llvm.loop.unroll.count") ||
         findStringMetadataForLoop(&loop, "llvm.loop.unroll.full");
}

bool indexes_private_array(const Instruction &instruction) {
  if (const auto *place = dyn_cast<GetElementPtrInst>(&instruction))
    return !place->hasAllConstantIndices() && isa<AllocaInst>(getUnderlyingObject(place));
  if (const auto *insert = dyn_cast<InsertElementInst>(&instruction)) return !isa<Constant>(insert->getOperand(2));
  if (const auto *extract = dyn_cast<ExtractElementInst>(&instruction)) return !isa<Constant>(extract->getIndexOperand());
  return false;
}

unsigned operations(const Instruction &instruction) {
  if (instruction.isDebugOrPseudoInst() || isa<PHINode>(instruction)) return 0;
  const auto *vector = dyn_cast<FixedVectorType>(instruction.getType());
  return vector ? vector->getNumElements() : 1;
}

/// The unroll factor, which divides the number of iterations; 1 leaves the loop to LLVM.
unsigned copies_of_steps(const Loop &loop, unsigned steps, uint64_t operations) {
  if (!loop.isInnermost()) return 1;
  for (const BasicBlock *block : loop.blocks())
    for (const Instruction &instruction : *block)
      if (const auto *call = dyn_cast<CallBase>(&instruction); call && (call->isConvergent() || !isa<IntrinsicInst>(call)))
        return 1;
  unsigned copies = 1;
  while (steps % (2 * copies) == 0 && 2 * copies * operations <= kMostOperationsOfCopies) copies *= 2;
  return copies;
}

}  // namespace

PreservedAnalyses UnrollShortLoops::run(Loop &loop, LoopAnalysisManager &, LoopStandardAnalysisResults &results, LPMUpdater &) {
  const unsigned steps = results.SE.getSmallConstantTripCount(&loop);
  if (steps == 0 || is_decided(loop)) return PreservedAnalyses::all();
  uint64_t count = 0;
  bool has_array = false;
  for (const BasicBlock *block : loop.blocks())
    for (const Instruction &instruction : *block) {
      count += operations(instruction);
      has_array |= indexes_private_array(instruction);
    }
  if (count * steps <= (has_array ? kMostOperationsWithArray : kMostOperations))
    addStringMetadataToLoop(&loop, "llvm.loop.unroll.full");
  else if (const unsigned copies = copies_of_steps(loop, steps, count); copies > 1)
    addStringMetadataToLoop(&loop, "llvm.loop.unroll.count", copies);
  return PreservedAnalyses::all();
}

}  // namespace upsweep::passes
