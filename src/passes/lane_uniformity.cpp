// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sources of divergence of OpenCL kernels on the CPU, and the analysis over them.
#include "passes/lane_uniformity.h"

#include <llvm/ADT/GenericUniformityImpl.h>
#include <llvm/Analysis/CycleAnalysis.h>
#include <llvm/Analysis/TargetTransformInfoImpl.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IntrinsicInst.h>

using namespace llvm;

namespace upsweep::passes {

StringRef callee_name(const Value &value) {
  const auto *call = dyn_cast<CallBase>(&value);
  if (!call || !call->getCalledFunction()) return "";
  return call->getCalledFunction()->getName();
}

CallLanes call_lanes(const CallBase &call, Cover cover) {
  StringRef name = callee_name(call);
  if (!name.starts_with("__ups_")) {
    const Function *callee = call.getCalledFunction();
    if (callee && callee->isIntrinsic()) return CallLanes::kByArguments;
    // Another call is made once for all lanes only if nobody could tell.
    return call.onlyReadsMemory() && call.willReturn() ? CallLanes::kByArguments : CallLanes::kVarying;
  }
  if (name == "__ups_lane") return CallLanes::kVarying;
  if (name == "__ups_local_id") {
    const auto *dim = dyn_cast<ConstantInt>(call.getArgOperand(0));
    return shares_row(cover) && dim && !dim->isZero() ? CallLanes::kUniform : CallLanes::kVarying;
  }
  if (name.starts_with("__ups_sg_")) {
    bool uniform = name.starts_with("__ups_sg_reduce_") || name.starts_with("__ups_sg_broadcast_") ||
                   name == "__ups_sg_ballot" || name == "__ups_sg_barrier";
    return uniform ? CallLanes::kUniform : CallLanes::kVarying;
  }
  if (name == "__ups_is_local" || name == "__ups_is_private") return CallLanes::kByArguments;
  return CallLanes::kUniform;
}

namespace {

class LaneCosts : public TargetTransformInfoImplCRTPBase<LaneCosts> {
public:
  LaneCosts(const DataLayout &layout, Cover cover) : TargetTransformInfoImplCRTPBase(layout), cover_(cover) {}

  bool hasBranchDivergence(const Function * = nullptr) const { return true; }

  bool isSourceOfDivergence(const Value *value) const {
    // Private memory belongs to one work-item each.
    if (isa<AllocaInst, AtomicRMWInst, AtomicCmpXchgInst>(value)) return true;
    const auto *call = dyn_cast<CallBase>(value);
    return call && call_lanes(*call, cover_) == CallLanes::kVarying;
  }

  bool isAlwaysUniform(const Value *value) const {
    const auto *call = dyn_cast<CallBase>(value);
    return call && call_lanes(*call, cover_) == CallLanes::kUniform;
  }

private:
  Cover cover_;
};

}  // namespace

LaneUniformity::LaneUniformity(Function &function, const DominatorTree &tree, Cover cover)
    : lanes_(LaneCosts(function.getParent()->getDataLayout(), cover)) {
  cycles_.compute(function);
  info_ = UniformityInfo(tree, cycles_, &lanes_);
  info_.compute();
}

bool LaneUniformity::is_uniform(const Value &value) const {
  if (!isa<Instruction>(value)) return true;
  return info_.isUniform(&value);
}

bool LaneUniformity::has_divergent_branch(const BasicBlock &block) const {
  return info_.isDivergent(block.getTerminator()) || info_.hasDivergentTerminator(block);
}

}  // namespace upsweep::passes
