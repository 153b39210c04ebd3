// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Replaces uniform intrinsics in a unit by loads from its work-group. The loads are invariant: later passes hoist and merge
// them.
#include "passes/cpu/lower_context.h"

#include "passes/common/flat_memory.h"
#include "passes/common/long_functions.h"
#include "passes/cpu/check/lower_checks.h"
#include "passes/cpu/group_joining.h"
#include "passes/cpu/group_layout.h"
#include "passes/cpu/lanes/whole_masks.h"
#include "passes/cpu/split_at_waits.h"

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/ADT/StringSwitch.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/IR/ValueHandle.h>

using namespace llvm;

namespace upsweep::passes {
namespace {

class Lowering {
public:
  Lowering(Function &unit, unsigned sub_group_size, bool waits, unsigned axis)
      : unit_(unit), group_(unit.getArg(0)), sub_group_size_(sub_group_size), waits_(waits), axis_(axis) {}
  void lower(CallInst &call);
  void separate_scratch();

private:
  LoadInst *field(IRBuilder<> &builder, size_t offset, Type *type);
  Value *lower_query(IRBuilder<> &builder, Ups intrinsic, CallInst &call);
  Value *lower_size(IRBuilder<> &builder, size_t offset, CallInst &call);
  Value *local_id(IRBuilder<> &builder, Value *dimension);
  Value *arguments(IRBuilder<> &builder, CallInst &call);
  Value *scratch(IRBuilder<> &builder);
  Value *is_within(IRBuilder<> &builder, Value *pointer, size_t begin, size_t end);
  Value *is_private(IRBuilder<> &builder, Value *pointer);

  Function &unit_;
  Value *group_;
  unsigned sub_group_size_;
  bool waits_;
  unsigned axis_;                          ///< of the lanes
  DenseMap<size_t, LoadInst *> fields_;    ///< by offset; loaded in the unit's entry
  SmallPtrSet<const Value *, 8> scratch_;  ///< addresses of scratch memory
};

constexpr size_t kNotASize = ~size_t(0);

size_t size_field(Ups intrinsic) {
  switch (intrinsic) {
  case Ups::kGlobalSize: return offsetof(UpsweepGroup, global_size);
  case Ups::kGlobalOffset: return offsetof(UpsweepGroup, global_offset);
  case Ups::kEnqueuedLocalSize: return offsetof(UpsweepGroup, enqueued_local_size);
  case Ups::kNumGroups: return offsetof(UpsweepGroup, num_groups);
  case Ups::kGroupId: return offsetof(UpsweepGroup, group_id);
  case Ups::kLocalSize: return offsetof(UpsweepGroup, local_size);
  default: return kNotASize;
  }
}

/// Emits one load for all uses at the unit's entry, so that it can leave the loop over units. Not in a unit that waits, where
/// it would be kept in the frame.
LoadInst *Lowering::field(IRBuilder<> &builder, size_t offset, Type *type) {
  if (waits_) return load_group_field(builder, group_, offset, type);
  LoadInst *&load = fields_[offset];
  if (!load) {
    IRBuilder<> entry(&unit_.getEntryBlock(), unit_.getEntryBlock().getFirstInsertionPt());
    load = load_group_field(entry, group_, offset, type);
  }
  assert(load->getType() == type && "a field has one type");
  return load;
}

Value *Lowering::lower_size(IRBuilder<> &builder, size_t offset, CallInst &call) {
  Value *dimension = call.getArgOperand(0);
  auto *constant = dyn_cast<ConstantInt>(dimension);
  LoadInst *load = constant ? field(builder, offset + 8 * constant->getZExtValue(), builder.getInt64Ty())
                            : load_group_field(builder, group_, offset, builder.getInt64Ty(),
                                               builder.CreateZExt(dimension, builder.getInt64Ty()));
  auto promise_at_most = [&](uint64_t items) {
    load->setMetadata(LLVMContext::MD_range, MDBuilder(builder.getContext()).createRange(APInt(64, 1), APInt(64, items + 1)));
  };
  if (offset == offsetof(UpsweepGroup, local_size)) promise_at_most(UPSWEEP_MAX_JOINED_ITEMS);
  if (offset == offsetof(UpsweepGroup, enqueued_local_size)) promise_at_most(UPSWEEP_MAX_WORK_GROUP_SIZE);
  return load;
}

Value *Lowering::local_id(IRBuilder<> &builder, Value *dimension) {
  Value *id = unit_.getArg(4);
  for (unsigned i : {1, 0}) {
    id = builder.CreateSelect(builder.CreateICmpEQ(dimension, builder.getInt32(i)), unit_.getArg(2 + i), id);
  }
  return builder.CreateZExt(id, builder.getInt64Ty());
}

Value *Lowering::is_within(IRBuilder<> &builder, Value *pointer, size_t begin, size_t end) {
  Value *address = builder.CreatePtrToInt(pointer, builder.getInt64Ty());
  Value *low = load_group_field(builder, group_, begin, builder.getInt64Ty());  // pointers in other units
  Value *high = load_group_field(builder, group_, end, builder.getInt64Ty());
  return builder.CreateAnd(builder.CreateICmpUGE(address, low), builder.CreateICmpULT(address, high));
}

Value *Lowering::is_private(IRBuilder<> &builder, Value *pointer) {
  if (isa<AllocaInst>(getUnderlyingObject(pointer))) return builder.getTrue();
  Value *in_frame = is_within(builder, pointer, offsetof(UpsweepGroup, frames), offsetof(UpsweepGroup, frames_end));
  Value *in_stack = is_within(builder, pointer, offsetof(UpsweepGroup, stack_low), offsetof(UpsweepGroup, stack_high));
  return builder.CreateOr(in_frame, in_stack);
}

void promise_bytes(LoadInst &pointer, uint64_t bytes) {
  if (bytes == 0) return;
  Constant *number = ConstantInt::get(Type::getInt64Ty(pointer.getContext()), bytes);
  pointer.setMetadata(LLVMContext::MD_dereferenceable, MDNode::get(pointer.getContext(), ConstantAsMetadata::get(number)));
}

Value *Lowering::arguments(IRBuilder<> &builder, CallInst &call) {
  LoadInst *block = field(builder, offsetof(UpsweepGroup, arguments), builder.getPtrTy());
  promise_bytes(*block, call.getRetDereferenceableBytes());
  return block;
}

Value *Lowering::scratch(IRBuilder<> &builder) {
  LoadInst *memory = field(builder, offsetof(UpsweepGroup, scratch), builder.getPtrTy());
  promise_bytes(*memory, UPSWEEP_SCRATCH_BYTES);
  scratch_.insert(memory);
  return memory;
}

/// Separates scratch memory, whose address kernels cannot know, from all other accesses, so that a running total can stay in a
/// register while the units of a row store their results.
void Lowering::separate_scratch() {
  if (scratch_.empty()) return;
  MDBuilder metadata(unit_.getContext());
  MDNode *scope = metadata.createAliasScope("scratch", metadata.createAliasScopeDomain("upsweep"));
  MDNode *scopes = MDNode::get(unit_.getContext(), scope);
  for (Instruction &instruction : instructions(unit_)) {
    bool accesses = isa<LoadInst, StoreInst, AtomicRMWInst, AtomicCmpXchgInst>(instruction) ||
                    (isa<IntrinsicInst>(instruction) && instruction.mayReadOrWriteMemory());
    if (!accesses) continue;
    const Value *pointer = getLoadStorePointerOperand(&instruction);
    bool of_scratch = pointer && scratch_.contains(getUnderlyingObject(pointer));
    instruction.setMetadata(of_scratch ? LLVMContext::MD_alias_scope : LLVMContext::MD_noalias, scopes);
  }
}

Value *Lowering::lower_query(IRBuilder<> &builder, Ups intrinsic, CallInst &call) {
  if (size_t offset = size_field(intrinsic); offset != kNotASize) return lower_size(builder, offset, call);
  switch (intrinsic) {
  case Ups::kWorkDim:
    return builder.CreateTrunc(field(builder, offsetof(UpsweepGroup, work_dim), builder.getInt64Ty()), builder.getInt32Ty());
  case Ups::kLocalId: return local_id(builder, call.getArgOperand(0));
  case Ups::kLane: return builder.CreateAnd(unit_.getArg(1), builder.getInt32(sub_group_size_ - 1));
  case Ups::kSubGroupId: return builder.CreateUDiv(unit_.getArg(1), builder.getInt32(sub_group_size_));
  case Ups::kMaxSubGroupSize: return builder.getInt32(sub_group_size_);
  case Ups::kArguments: return arguments(builder, call);
  case Ups::kLocal: return field(builder, offsetof(UpsweepGroup, local), builder.getPtrTy());
  case Ups::kScratch: return scratch(builder);
  case Ups::kDefaultQueue: return field(builder, offsetof(UpsweepGroup, default_queue), builder.getInt64Ty());
  case Ups::kArgumentsApart:
    return builder.CreateTrunc(field(builder, offsetof(UpsweepGroup, arguments_apart), builder.getInt64Ty()),
                               builder.getInt1Ty());
  case Ups::kEnqueue:
  case Ups::kEvent:
  case Ups::kBlockQuery:
  case Ups::kAssertFail: return lower_enqueuing(builder, intrinsic, call, group_);
  case Ups::kIsLocal:
    return is_within(builder, call.getArgOperand(0), offsetof(UpsweepGroup, local), offsetof(UpsweepGroup, local_end));
  case Ups::kBounds:
  case Ups::kFindObject: return lower_report(builder, intrinsic, call, axis_);
  case Ups::kIsPrivate: return is_private(builder, call.getArgOperand(0));
  default: return nullptr;
  }
}

void Lowering::lower(CallInst &call) {
  const Ups intrinsic = intrinsic_of(call);
  if (intrinsic == Ups::kPrintf) return lower_printf(call, group_);
  if (intrinsic == Ups::kSubGroupBarrier) {  // lanes of a vector never diverge here
    call.eraseFromParent();
    return;
  }
  IRBuilder<> builder(&call);
  if (intrinsic == Ups::kRaceRow || intrinsic == Ups::kRaceMeet) return lower_race(builder, call, axis_, sub_group_size_);
  if (intrinsic == Ups::kReport) {
    (void)lower_report(builder, intrinsic, call, axis_);
    call.eraseFromParent();
    return;
  }
  if (intrinsic == Ups::kMeetRow) {
    lower_meeting(builder, call, sub_group_size_, axis_);
    call.eraseFromParent();
    return;
  }
  Value *value = lower_query(builder, intrinsic, call);
  if (!value) return;
  call.replaceAllUsesWith(value);
  call.eraseFromParent();
}

}  // namespace

void lower_context(Function &unit, const LocalLayout &locals, unsigned sub_group_size, bool waits, unsigned axis) {
  promise_group(unit);
  Lowering lowering(unit, sub_group_size, waits, axis);
  SmallVector<WeakVH, 32> calls;  // lowering makes blocks
  for (Instruction &instruction : instructions(unit))
    if (isa<CallInst>(instruction)) calls.emplace_back(&instruction);
  for (const WeakVH &call : calls)
    if (call) lowering.lower(*cast<CallInst>(call));
  lowering.separate_scratch();
  place_locals(unit, locals, [&](IRBuilder<> &builder) {
    return load_group_pointer(builder, unit.getArg(0), offsetof(UpsweepGroup, local));
  });
}

namespace {

// In the loop over a work-group's units, a unit's constants and addresses are loop invariants. A long unit has more of them
// than there are registers, and each hoisted invariant is live through the whole loop. Since the number of blocks grows as
// well, liveness and register allocation take quadratic time.
void inline_into_loop(Function &unit) {
  if (!is_too_long_to_inline(unit)) unit.addFnAttr(Attribute::AlwaysInline);
}

/// A work-group of one unit waits for no other unit.
void forget_waits(const Kernel &kernel) {
  const GroupSize &size = kernel.description.required_local_size;
  const uint64_t items = uint64_t{size[0]} * size[1] * size[2];
  const Units &units = kernel.units;
  if (items == 0 || items > units.lanes || kernel.global_ids_alone) return;
  for (Function *unit : {units.full, units.row, units.column, units.part}) {
    if (!unit) continue;
    for (Instruction &instruction : make_early_inc_range(instructions(*unit)))
      if (is_contained({Ups::kWorkGroupBarrier, Ups::kYield}, intrinsic_of(instruction))) instruction.eraseFromParent();
  }
}

}  // namespace

void lower_units(Kernel &kernel, Program &) {
  Units &units = kernel.units;
  forget_waits(kernel);
  units.wait = (units.full && waits(*units.full)) || (units.part && waits(*units.part));
  if (kernel.large) kernel.large->wait = units.wait;
  if (kernel.global_ids_alone && units.full && !units.wait)
    kernel.joins = units.row && walks_rows(*units.full) ? UPSWEEP_JOIN_ROWS : UPSWEEP_JOIN_LINES;
  for (Function *unit : {units.full, units.row, units.column, units.part, kernel.large ? kernel.large->full : nullptr})
    if (unit)
      lower_context(*unit, kernel.locals, kernel.description.sub_group_size, units.wait,
                    unit == units.column ? units.column_axis : 0);
  for (Function *unit : {units.full, units.column})
    if (unit && !units.wait) inline_into_loop(*unit);
  if (units.row) {
    mark_odd_masks(*units.row);
    inline_into_loop(*units.row);
  }
  if (units.part) units.part->addFnAttr(Attribute::NoInline);
}

}  // namespace upsweep::passes
