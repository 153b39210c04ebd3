// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Unrolls by four, as NVIDIA's compiler does.
#include "passes/gpu/unroll_collective_loops.h"

#include <llvm/Analysis/AssumptionCache.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/OptimizationRemarkEmitter.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Utils/LoopSimplify.h>
#include <llvm/Transforms/Utils/LoopUtils.h>
#include <llvm/Transforms/Utils/UnrollLoop.h>

using namespace llvm;

namespace upsweep::passes {
namespace {

constexpr unsigned kRounds = 4;
/// Per iteration. A work-group scan of 64-bit numbers has 60.
constexpr unsigned kMostInstructions = 96;

/// Whether the value is equal for all work-items: an argument, or a property of the launch.
bool is_common(const Value &value) {
  if (isa<Argument>(value)) return true;
  const auto *load = dyn_cast<LoadInst>(&value);
  return load && load->hasMetadata(LLVMContext::MD_invariant_load) &&
         isa<Argument>(load->getPointerOperand()->stripInBoundsConstantOffsets());
}

bool has_common_rounds(const Loop &loop, ScalarEvolution &evolution) {
  const SCEV *rounds = evolution.getBackedgeTakenCount(&loop);
  if (isa<SCEVCouldNotCompute, SCEVConstant>(rounds)) return false;
  return !SCEVExprContains(rounds, [](const SCEV *part) {
    const auto *unknown = dyn_cast<SCEVUnknown>(part);
    return isa<SCEVAddRecExpr>(part) || (unknown && !is_common(*unknown->getValue()));
  });
}

bool is_short_and_collective(const Loop &loop) {
  if (!loop.isInnermost() || findOptionMDForLoop(&loop, "llvm.loop.unroll.disable")) return false;
  unsigned count = 0;
  bool is_collective = false;
  for (const BasicBlock *block : loop.blocks())
    for (const Instruction &instruction : *block) {
      count += !instruction.isDebugOrPseudoInst();
      const auto *call = dyn_cast<CallBase>(&instruction);
      is_collective |= call && call->isConvergent();
    }
  return is_collective && count <= kMostInstructions;
}

}  // namespace

PreservedAnalyses UnrollCollectiveLoops::run(Function &function, FunctionAnalysisManager &analyses) {
  auto &loops = analyses.getResult<LoopAnalysis>(function);
  auto &evolution = analyses.getResult<ScalarEvolutionAnalysis>(function);
  auto &tree = analyses.getResult<DominatorTreeAnalysis>(function);
  auto &assumptions = analyses.getResult<AssumptionAnalysis>(function);
  auto &target = analyses.getResult<TargetIRAnalysis>(function);
  auto &remarks = analyses.getResult<OptimizationRemarkEmitterAnalysis>(function);
  bool has_changed = false;
  for (Loop *loop : loops.getLoopsInPreorder()) {
    if (!is_short_and_collective(*loop) || !has_common_rounds(*loop, evolution)) continue;
    UnrollLoopOptions options{};
    options.Count = kRounds;
    options.Runtime = true;
    has_changed |= simplifyLoop(loop, &tree, &loops, &evolution, &assumptions, nullptr, false);
    has_changed |= formLCSSARecursively(*loop, tree, &loops, &evolution);
    const LoopUnrollResult result = UnrollLoop(loop, options, &loops, &evolution, &tree, &assumptions, &target, &remarks, true);
    if (result == LoopUnrollResult::Unmodified) continue;
    has_changed = true;
    if (result == LoopUnrollResult::PartiallyUnrolled) loop->setLoopAlreadyUnrolled();
  }
  return has_changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

}  // namespace upsweep::passes
