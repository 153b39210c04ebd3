// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Adds the step to both sides of the comparison of a counter with a constant, if neither sum overflows.
#include "passes/gpu/loop_exits.h"

#include <llvm/Analysis/AssumptionCache.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/TargetParser/Triple.h>

using namespace llvm;
using namespace llvm::PatternMatch;

namespace upsweep::passes {
namespace {

void compare_next_value(const Loop &loop, ScalarEvolution &evolution) {
  const BasicBlock *latch = loop.getLoopLatch();
  const auto *branch = latch ? dyn_cast<BranchInst>(latch->getTerminator()) : nullptr;
  if (!branch || !branch->isConditional()) return;
  auto *compare = dyn_cast<ICmpInst>(branch->getCondition());
  if (!compare || !compare->hasOneUse() || compare->getParent() != latch || compare->isEquality()) return;
  auto *counter = dyn_cast<PHINode>(compare->getOperand(0));
  const APInt *limit = nullptr, *step = nullptr;
  if (!counter || counter->getParent() != loop.getHeader() || !match(compare->getOperand(1), m_APInt(limit))) return;
  auto *next = dyn_cast<Instruction>(counter->getIncomingValueForBlock(latch));
  if (!next || next->getParent() != latch || !match(next, m_Add(m_Specific(counter), m_APInt(step)))) return;
  const bool is_signed = compare->isSigned();
  bool overflows = false;
  const APInt sum = is_signed ? limit->sadd_ov(*step, overflows) : limit->uadd_ov(*step, overflows);
  if (overflows ||
      !evolution.willNotOverflow(Instruction::Add, is_signed, evolution.getSCEV(counter), evolution.getConstant(*step)))
    return;
  compare->moveBefore(const_cast<BranchInst *>(branch));
  compare->setOperand(0, next);
  compare->setOperand(1, ConstantInt::get(next->getType(), sum));
}

void go_back_if_true(const Loop &loop) {
  const BasicBlock *latch = loop.getLoopLatch();
  auto *branch = latch ? dyn_cast<BranchInst>(const_cast<Instruction *>(latch->getTerminator())) : nullptr;
  if (!branch || !branch->isConditional() || branch->getSuccessor(1) != loop.getHeader() ||
      branch->getSuccessor(0) == loop.getHeader())
    return;
  auto *compare = dyn_cast<CmpInst>(branch->getCondition());
  if (compare && compare->hasOneUse())
    compare->setPredicate(compare->getInversePredicate());
  else
    branch->setCondition(IRBuilder<>(branch).CreateNot(branch->getCondition()));
  branch->swapSuccessors();
}

}  // namespace

void write_loop_exits(Function &function) {
  if (function.isDeclaration()) return;
  DominatorTree tree(function);
  LoopInfo loops(tree);
  if (loops.empty()) return;
  AssumptionCache assumptions(function);
  TargetLibraryInfoImpl names{Triple(function.getParent()->getTargetTriple())};
  TargetLibraryInfo library(names, &function);
  ScalarEvolution evolution(function, library, assumptions, tree, loops);
  for (const Loop *loop : loops.getLoopsInPreorder()) {
    compare_next_value(*loop, evolution);
    go_back_if_true(*loop);
  }
}

}  // namespace upsweep::passes
