// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Replaces intrinsics by values that follow from the required size.
#include "passes/cpu/required_size.h"

#include "passes/common/optimise.h"
#include "passes/cpu/collective_operation.h"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/MDBuilder.h>

using namespace llvm;

namespace upsweep::passes {
namespace {

constexpr unsigned kLeastLanes = 4;  // also the least intel_reqd_sub_group_size

class SizeFolder {
public:
  explicit SizeFolder(const Kernel &kernel) : kernel_(kernel), required_(kernel.description.required_local_size) {}
  void fold(CallInst &call) const;

private:
  Value *answer(CallInst &call, const UpsFunction &callee) const;
  Value *answer_size(CallInst &call, Ups intrinsic) const;
  Value *answer_for_one(CallInst &call, const UpsFunction &callee) const;

  const Kernel &kernel_;
  const GroupSize &required_;
};

void promise_range(CallInst &call, uint64_t begin, uint64_t end) {
  call.setMetadata(LLVMContext::MD_range, MDBuilder(call.getContext()).createRange(APInt(64, begin), APInt(64, end)));
}

/// Work-groups at a range's edges may be smaller than the required size; all others have it.
Value *SizeFolder::answer_size(CallInst &call, Ups intrinsic) const {
  auto *dimension = dyn_cast<ConstantInt>(call.getArgOperand(0));
  if (!dimension) return nullptr;
  const uint64_t at = dimension->getZExtValue(), required = required_[at];
  const auto number = [&](uint64_t value) { return ConstantInt::get(call.getType(), value); };
  if (intrinsic == Ups::kEnqueuedLocalSize) return number(required);
  if (kernel_.global_ids_alone) return nullptr;
  if (intrinsic == Ups::kLocalId) {
    if (required == 1) return number(0);
    promise_range(call, 0, required);
    return nullptr;
  }
  if (kernel_.units.sizes[at]) return number(required);
  promise_range(call, 1, required + 1);
  return nullptr;
}

bool is_wait_of_one(Ups intrinsic) {
  static constexpr Ups kWaits[] = {Ups::kWorkGroupBarrier, Ups::kSubGroupBarrier, Ups::kScratchBarrier};
  return is_contained(kWaits, intrinsic);
}

/// The result for the only work-item of a work-group.
Value *SizeFolder::answer_for_one(CallInst &call, const UpsFunction &callee) const {
  IRBuilder<> builder(&call);
  switch (callee.id) {
  case Ups::kLane:
  case Ups::kSubGroupId: return ConstantInt::get(call.getType(), 0);
  case Ups::kMaxSubGroupSize: {
    const uint32_t lanes = kernel_.description.required_sub_group_size;
    return ConstantInt::get(call.getType(), lanes ? lanes : kLeastLanes);
  }
  case Ups::kInOrder: return builder.getTrue();
  case Ups::kSgBallot: return builder.CreateZExt(builder.CreateIsNotNull(call.getArgOperand(0)), call.getType());
  case Ups::kSgScanExclusive: return scan_start(callee.operation, call.getType());
  default: break;
  }
  return callee.is_of_sub_group() ? call.getArgOperand(0) : nullptr;
}

Value *SizeFolder::answer(CallInst &call, const UpsFunction &callee) const {
  switch (callee.id) {
  case Ups::kEnqueuedLocalSize:
  case Ups::kLocalSize:
  case Ups::kLocalId: return answer_size(call, callee.id);
  default: return kernel_.units.is_one_item() ? answer_for_one(call, callee) : nullptr;
  }
}

void SizeFolder::fold(CallInst &call) const {
  const UpsFunction &callee = ups_function(call);
  if (kernel_.units.is_one_item() && is_wait_of_one(callee.id)) {
    call.eraseFromParent();
    return;
  }
  Value *value = answer(call, callee);
  if (!value) return;
  call.replaceAllUsesWith(value);
  call.eraseFromParent();
}

}  // namespace

unsigned most_lanes(const Kernel &kernel, unsigned lanes) {
  const GroupSize &size = kernel.description.required_local_size;
  const uint64_t items = uint64_t{size[0]} * size[1] * size[2];
  if (items == 0 || items >= lanes || kernel.global_ids_alone) return lanes;
  return static_cast<unsigned>(std::max<uint64_t>(PowerOf2Ceil(items), kLeastLanes));
}

void fold_required_size(Kernel &kernel, Program &) {
  const GroupSize &required = kernel.description.required_local_size;
  if (!required[0]) return;
  for (unsigned i = 0; i < 3 && !kernel.global_ids_alone; ++i)
    if (required[i] == 1 || kernel.description.uniform_work_group_size) kernel.units.sizes[i] = required[i];
  const SizeFolder folder(kernel);
  for (Instruction &instruction : make_early_inc_range(instructions(*kernel.item)))
    if (auto *call = dyn_cast<CallInst>(&instruction)) folder.fold(*call);
  if (kernel.units.is_one_item()) kernel.item->addFnAttr(kOneItemAttribute);
}

}  // namespace upsweep::passes
