// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks the functions that a kernel calls, and the generated vector code.
#include "passes/cpu/group_joining.h"

#include "passes/common/flat_memory.h"
#include "passes/common/intrinsics.h"
#include "passes/common/link_builtins.h"
#include "passes/cpu/image_functions.h"
#include "passes/cpu/lanes/lane_uniformity.h"

#include <llvm/ADT/SetVector.h>
#include <llvm/ADT/StringSwitch.h>
#include <llvm/Analysis/CFG.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>

using namespace llvm;

namespace upsweep::passes {
namespace {

/// Library functions whose results do not depend on the grouping of work-items, although their bodies query the group.
bool is_position(const Function &function) {
  return function.hasFnAttribute(kLibraryAttribute) &&
         StringSwitch<bool>(function.getName()).Cases("_Z13get_global_idj", "_Z20get_global_linear_idv", true).Default(false);
}

bool is_of_launch(Ups intrinsic) {
  static constexpr Ups kOfLaunch[] = {Ups::kGlobalSize,        Ups::kGlobalOffset, Ups::kNumGroups,
                                      Ups::kEnqueuedLocalSize, Ups::kWorkDim,      Ups::kArguments};
  return is_contained(kOfLaunch, intrinsic);
}

/// An access of lanes that are not contiguous: a gather, a scatter, or a lane's address extracted from a vector. (The first
/// active lane is not extracted by a constant index.)
bool is_spread_access(const Instruction &instruction) {
  if (auto *call = dyn_cast<CallBase>(&instruction); call && call->hasFnAttr(kSpreadTexels)) return true;
  if (auto *call = dyn_cast<IntrinsicInst>(&instruction))
    return call->getIntrinsicID() == Intrinsic::masked_gather || call->getIntrinsicID() == Intrinsic::masked_scatter;
  auto *element = dyn_cast<ExtractElementInst>(&instruction);
  return element && element->getType()->isPointerTy() && isa<ConstantInt>(element->getIndexOperand());
}

}  // namespace

bool has_global_ids_alone(const Function &item) {
  SmallSetVector<const Function *, 16> called;
  called.insert(&item);
  for (unsigned i = 0; i < called.size(); ++i) {
    for (const Instruction &instruction : instructions(*called[i])) {
      if (any_of(instruction.operands(), uses_local_variable)) return false;
      auto *call = dyn_cast<CallBase>(&instruction);
      if (!call) continue;
      const Function *callee = call->getCalledFunction();
      if (!callee) return false;
      if (callee->isIntrinsic() || is_position(*callee) || is_of_launch(intrinsic_of(*callee))) continue;
      if (ups_function(*callee).is_image_access()) continue;
      if (callee->isDeclaration()) return false;
      called.insert(callee);
    }
  }
  return true;
}

void find_joinable_kernel(Kernel &kernel, Program &) { kernel.global_ids_alone = has_global_ids_alone(*kernel.item); }

bool walks_rows(const Function &full) {
  SmallVector<std::pair<const BasicBlock *, const BasicBlock *>, 4> back;
  FindFunctionBackedges(full, back);
  erase_if(back, [](const auto &edge) { return edge.first->getTerminator()->hasMetadata(kRareLoop); });
  return back.empty() && none_of(instructions(full), is_spread_access);
}

}  // namespace upsweep::passes
