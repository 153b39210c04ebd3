// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The loops over the units of a work-group, optimised for work-groups of few units.
//
// Units that wait: the first pass starts all of them; each further pass resumes the units that can continue. While some unit
// has yielded (it polls memory), only yielded units run: units at a barrier wait until all others are there or done.
#include "passes/cpu/work_group_loop.h"

#include "passes/common/optimise.h"
#include "passes/common/remarks.h"
#include "passes/cpu/check/lower_checks.h"
#include "passes/cpu/group_layout.h"
#include "passes/cpu/prefetch_rows.h"
#include "passes/cpu/stack_use.h"
#include "passes/cpu/unit_state.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

using namespace llvm;

namespace upsweep::passes {
namespace {

// Keeps units in separate cache lines.
constexpr uint64_t kLeastFrameAlign = 64;

class LoopBuilder {
public:
  LoopBuilder(const Units &units, Function &entry)
      : units_(units), entry_(entry), builder_(BasicBlock::Create(entry.getContext(), "start", &entry)) {}
  void build();

private:
  BasicBlock *block(const char *name) { return BasicBlock::Create(builder_.getContext(), name, &entry_); }
  AllocaInst *variable(const char *name) {
    AllocaInst *place = builder_.CreateAlloca(builder_.getInt32Ty(), nullptr, name);
    builder_.CreateStore(builder_.getInt32(0), place);
    return place;
  }
  Value *get(AllocaInst *place) { return builder_.CreateLoad(builder_.getInt32Ty(), place); }
  Value *local_size(unsigned dimension) {
    if (units_.sizes[dimension]) return builder_.getInt32(units_.sizes[dimension]);
    Value *size = load_group_size(builder_, entry_.getArg(0), offsetof(UpsweepGroup, local_size), dimension);
    return builder_.CreateTrunc(size, builder_.getInt32Ty());
  }
  Value *frames();
  Value *frame_of(Value *frames, Value *unit);
  void add_state(AllocaInst *seen, Value *frame);
  void start_units(Value *frames, AllocaInst *seen);
  void start_unit(Function *unit, Value *frames, AllocaInst *seen, unsigned axis = 0);
  void start_odd_unit(Value *frames, AllocaInst *seen, Value *size_x, BasicBlock *next);
  void start_rest_of_row(Value *size_x);
  void start_columns(Value *frames, AllocaInst *seen, ArrayRef<Value *> sizes, BasicBlock *exit);
  void start_parts(Value *frames, AllocaInst *seen, ArrayRef<Value *> sizes);
  Value *fits(Value *size_x);
  void wrap(ArrayRef<Value *> sizes, BasicBlock *row, BasicBlock *exit);
  void run_passes(Value *frames, AllocaInst *seen);
  void resume_units(Value *frames, AllocaInst *seen, Value *mask);

  const Units &units_;
  Function &entry_;
  IRBuilder<> builder_;
  AllocaInst *at_[4] = {};  ///< the next unit's first work-item: its linear local id, x, y, z
};

Value *LoopBuilder::frames() {
  Value *frames = load_group_pointer(builder_, entry_.getArg(0), offsetof(UpsweepGroup, frames));
  uint64_t align = units_.frame.align.value();
  if (align <= UPSWEEP_MEMORY_ALIGN) return frames;
  Value *end = builder_.CreateConstInBoundsGEP1_64(builder_.getInt8Ty(), frames, align - UPSWEEP_MEMORY_ALIGN);
  return builder_.CreateIntrinsic(Intrinsic::ptrmask, {builder_.getPtrTy(), builder_.getInt64Ty()},
                                  {end, builder_.getInt64(~(align - 1))});
}

Value *LoopBuilder::frame_of(Value *frames, Value *unit) {
  Value *offset =
      builder_.CreateNUWMul(builder_.CreateZExt(unit, builder_.getInt64Ty()), builder_.getInt64(frame_stride(units_.frame)));
  return builder_.CreateInBoundsGEP(builder_.getInt8Ty(), frames, offset, "frame");
}

void LoopBuilder::add_state(AllocaInst *seen, Value *frame) {
  Value *place = builder_.CreateConstInBoundsGEP1_64(builder_.getInt8Ty(), frame, kUnitRecordOffset);
  Value *state = builder_.CreateLoad(builder_.getInt32Ty(), place);
  builder_.CreateStore(builder_.CreateOr(get(seen), state), seen);
}

// Calls a unit for the current work-items and advances to the next unit along `axis`.
void LoopBuilder::start_unit(Function *unit, Value *frames, AllocaInst *seen, unsigned axis) {
  SmallVector<Value *, 6> arguments{entry_.getArg(0)};
  for (AllocaInst *place : at_) arguments.push_back(get(place));
  std::swap(arguments[2], arguments[2 + axis]);
  Value *lanes = builder_.getInt32(units_.lanes);
  if (units_.wait) arguments.push_back(frame_of(frames, builder_.CreateUDiv(arguments[1], lanes)));
  builder_.CreateCall(unit, arguments);
  if (units_.wait) add_state(seen, arguments.back());
  builder_.CreateStore(builder_.CreateNUWAdd(arguments[1], lanes), at_[0]);
  builder_.CreateStore(builder_.CreateNUWAdd(arguments[2], lanes), at_[1 + axis]);
}

// True while a unit with all lanes fits into the rest of the row.
Value *LoopBuilder::fits(Value *size_x) {
  return builder_.CreateICmpULE(builder_.CreateNUWAdd(get(at_[1]), builder_.getInt32(units_.lanes)), size_x);
}

// Advances from the end of a row's last unit to the start of the next unit, possibly some rows further.
void LoopBuilder::wrap(ArrayRef<Value *> sizes, BasicBlock *row, BasicBlock *exit) {
  BasicBlock *wrap = block("wrap"), *more = block("more");
  builder_.CreateBr(wrap);
  builder_.SetInsertPoint(wrap);
  Value *x = builder_.CreateNUWSub(get(at_[1]), sizes[0]);
  builder_.CreateStore(x, at_[1]);
  Value *y = builder_.CreateNUWAdd(get(at_[2]), builder_.getInt32(1));
  Value *end_of_plane = builder_.CreateICmpEQ(y, sizes[1]);
  builder_.CreateStore(builder_.CreateSelect(end_of_plane, builder_.getInt32(0), y), at_[2]);
  Value *z = builder_.CreateNUWAdd(get(at_[3]), builder_.CreateZExt(end_of_plane, builder_.getInt32Ty()));
  builder_.CreateStore(z, at_[3]);
  Value *in_group = builder_.CreateICmpULT(z, sizes[2]);
  builder_.CreateCondBr(builder_.CreateLogicalAnd(builder_.CreateICmpUGE(x, sizes[0]), in_group), wrap, more);
  builder_.SetInsertPoint(more);
  builder_.CreateCondBr(in_group, row, exit);
}

// Handles the rest of a row. If rows fill less than half of the lanes, sub-groups that span several rows are faster, although
// their memory accesses are gathers.
void LoopBuilder::start_odd_unit(Value *frames, AllocaInst *seen, Value *size_x, BasicBlock *next) {
  if (units_.row && units_.part) {
    BasicBlock *row = block("rest_of_row"), *part = block("part");
    builder_.CreateCondBr(builder_.CreateICmpUGE(size_x, builder_.getInt32(units_.lanes / 2)), row, part);
    builder_.SetInsertPoint(row);
    start_rest_of_row(size_x);
    builder_.CreateBr(next);
    builder_.SetInsertPoint(part);
  }
  if (units_.part)
    start_unit(units_.part, frames, seen);
  else
    start_rest_of_row(size_x);
}

void LoopBuilder::start_rest_of_row(Value *size_x) {
  SmallVector<Value *, 5> arguments{entry_.getArg(0)};
  for (AllocaInst *place : at_) arguments.push_back(get(place));
  builder_.CreateCall(units_.row, arguments);
  builder_.CreateStore(builder_.CreateNUWAdd(arguments[1], builder_.CreateNUWSub(size_x, arguments[2])), at_[0]);
  builder_.CreateStore(size_x, at_[1]);
}

// Sub-groups of consecutive linear ids, wherever they are: a part finds its work-items from the first work-item's linear id.
void LoopBuilder::start_parts(Value *frames, AllocaInst *seen, ArrayRef<Value *> sizes) {
  Value *items = builder_.CreateNUWMul(builder_.CreateNUWMul(sizes[0], sizes[1]), sizes[2]);
  BasicBlock *unit = block("unit"), *exit = block("started");
  builder_.CreateBr(unit);
  builder_.SetInsertPoint(unit);
  start_unit(units_.part, frames, seen);
  builder_.CreateCondBr(builder_.CreateICmpULT(get(at_[0]), items), unit, exit);
  builder_.SetInsertPoint(exit);
}

// Handles work-groups whose columns are whole units: one column after another. A kernel that can observe its sub-groups uses
// columns only if they have consecutive linear ids. Falls through for other work-groups.
void LoopBuilder::start_columns(Value *frames, AllocaInst *seen, ArrayRef<Value *> sizes, BasicBlock *exit) {
  const unsigned axis = units_.column_axis, other = 3 - axis;
  Value *one = builder_.getInt32(1), *zero = builder_.getInt32(0);
  Value *is_whole = builder_.CreateIsNull(builder_.CreateURem(sizes[axis], builder_.getInt32(units_.lanes)));
  for (unsigned dimension = 0; units_.tells && dimension < axis; ++dimension)
    is_whole = builder_.CreateAnd(is_whole, builder_.CreateICmpEQ(sizes[dimension], one));
  BasicBlock *columns = block("columns"), *column = block("column"), *next = block("next_column"), *rows = block("rows");
  builder_.CreateCondBr(is_whole, columns, rows);
  builder_.SetInsertPoint(columns);
  builder_.CreateBr(column);
  builder_.SetInsertPoint(column);
  start_unit(units_.column, frames, seen, axis);
  builder_.CreateCondBr(builder_.CreateICmpULT(get(at_[1 + axis]), sizes[axis]), column, next);
  builder_.SetInsertPoint(next);
  builder_.CreateStore(zero, at_[1 + axis]);
  Value *x = builder_.CreateNUWAdd(get(at_[1]), one);
  Value *end_of_plane = builder_.CreateICmpEQ(x, sizes[0]);
  builder_.CreateStore(builder_.CreateSelect(end_of_plane, zero, x), at_[1]);
  Value *outer = builder_.CreateNUWAdd(get(at_[1 + other]), builder_.CreateZExt(end_of_plane, builder_.getInt32Ty()));
  builder_.CreateStore(outer, at_[1 + other]);
  builder_.CreateCondBr(builder_.CreateICmpULT(outer, sizes[other]), columns, exit);
  builder_.SetInsertPoint(rows);
}

// Starts units row by row, so that values that depend only on y and z are computed once per row. First come the units whose
// lanes are all in the row, then a unit that reaches into the next rows or beyond the last work-item.
void LoopBuilder::start_units(Value *frames, AllocaInst *seen) {
  const char *names[] = {"first", "x", "y", "z"};
  for (unsigned i = 0; i < 4; ++i) at_[i] = variable(names[i]);
  Value *sizes[] = {local_size(0), local_size(1), local_size(2)};
  if (!units_.full) {
    start_parts(frames, seen, sizes);
    return;
  }
  BasicBlock *row = block("row"), *before = block("before"), *unit = block("unit"), *rest = block("rest"),
             *next = block("next"), *exit = block("started");
  if (units_.column) start_columns(frames, seen, sizes, exit);
  builder_.CreateBr(row);
  builder_.SetInsertPoint(row);
  builder_.CreateCondBr(fits(sizes[0]), before, rest);
  builder_.SetInsertPoint(before);
  builder_.CreateBr(unit);
  builder_.SetInsertPoint(unit);
  start_unit(units_.full, frames, seen);
  builder_.CreateCondBr(fits(sizes[0]), unit, rest);
  builder_.SetInsertPoint(rest);
  if (units_.row || units_.part) {
    BasicBlock *odd = block("odd");
    builder_.CreateCondBr(builder_.CreateICmpULT(get(at_[1]), sizes[0]), odd, next);
    builder_.SetInsertPoint(odd);
    start_odd_unit(frames, seen, sizes[0], next);
  }
  builder_.CreateBr(next);
  builder_.SetInsertPoint(next);
  wrap(sizes, row, exit);
  builder_.SetInsertPoint(exit);
}

// Runs a pass over all units, or in scalar code with sub-group operations over all sub-groups.
void LoopBuilder::resume_units(Value *frames, AllocaInst *seen, Value *mask) {
  Value *items = builder_.CreateNUWMul(builder_.CreateNUWMul(local_size(0), local_size(1)), local_size(2));
  Value *lanes = builder_.getInt32(units_.lanes);
  Value *count = builder_.CreateUDiv(builder_.CreateNUWAdd(items, builder_.getInt32(units_.lanes - 1)), lanes);
  BasicBlock *before = builder_.GetInsertBlock(), *loop = block("resume_units"), *next = block("next"), *exit = block("passed");
  builder_.CreateBr(loop);
  builder_.SetInsertPoint(loop);
  PHINode *unit = builder_.CreatePHI(builder_.getInt32Ty(), 2, "unit");
  unit->addIncoming(builder_.getInt32(0), before);
  Value *frame = frame_of(frames, unit);
  unsigned step = units_.run_sub_group ? units_.sub_group_size : 1;
  if (units_.run_sub_group) {
    Value *rest = builder_.CreateNUWSub(count, unit);
    Value *present = builder_.CreateBinaryIntrinsic(Intrinsic::umin, rest, builder_.getInt32(step));
    Value *state =
        builder_.CreateCall(units_.run_sub_group, {frame, present, mask, builder_.getInt64(frame_stride(units_.frame))});
    builder_.CreateStore(builder_.CreateOr(get(seen), state), seen);
    builder_.CreateBr(next);
  } else {
    BasicBlock *go_on = block("resume");
    Value *place = builder_.CreateConstInBoundsGEP1_64(builder_.getInt8Ty(), frame, kUnitRecordOffset);
    Value *state = builder_.CreateLoad(builder_.getInt32Ty(), place);
    BasicBlock *stay = block("stay");
    builder_.CreateCondBr(builder_.CreateIsNotNull(builder_.CreateAnd(state, mask)), go_on, stay);
    builder_.SetInsertPoint(go_on);
    emit_resume(builder_, frame);
    builder_.CreateBr(stay);
    builder_.SetInsertPoint(stay);
    add_state(seen, frame);
    builder_.CreateBr(next);
  }
  builder_.SetInsertPoint(next);
  Value *following = builder_.CreateNUWAdd(unit, builder_.getInt32(step));
  unit->addIncoming(following, next);
  builder_.CreateCondBr(builder_.CreateICmpULT(following, count), loop, exit);
  builder_.SetInsertPoint(exit);
}

void LoopBuilder::run_passes(Value *frames, AllocaInst *seen) {
  BasicBlock *check = block("check"), *pass = block("pass"), *exit = block("exit");
  builder_.CreateBr(check);
  builder_.SetInsertPoint(check);
  Value *states = get(seen);
  builder_.CreateCondBr(builder_.CreateIsNull(states), exit, pass);
  builder_.SetInsertPoint(pass);
  builder_.CreateStore(builder_.getInt32(0), seen);
  Value *mask = builder_.getInt32(kAtBarrier | kYielded);
  if (units_.yield || units_.run_sub_group) {
    Value *only_barriers = builder_.CreateICmpEQ(states, builder_.getInt32(kAtBarrier));
    mask = builder_.CreateSelect(only_barriers, mask, builder_.getInt32(kYielded));
  }
  resume_units(frames, seen, mask);
  builder_.CreateBr(check);
  builder_.SetInsertPoint(exit);
}

void LoopBuilder::build() {
  if (units_.full && !units_.wait && units_.sizes == GroupSize{units_.lanes, 1, 1}) {  // the work-group is one unit
    Value *zero = builder_.getInt32(0);
    builder_.CreateCall(units_.full, {entry_.getArg(0), zero, zero, zero, zero});
    builder_.CreateRetVoid();
    return;
  }
  AllocaInst *seen = units_.wait ? variable("seen") : nullptr;
  Value *place = units_.wait ? frames() : nullptr;
  start_units(place, seen);
  if (units_.wait) run_passes(place, seen);
  builder_.CreateRetVoid();
}

}  // namespace

uint64_t frame_stride(const Frame &frame) { return alignTo(frame.bytes, std::max(frame.align, Align(kLeastFrameAlign))); }

uint64_t frame_bytes_per_unit(const Units &units) {
  if (!units.wait) return 0;
  // Padding to align the first frame is included in each unit's bytes.
  uint64_t align = units.frame.align.value();
  return frame_stride(units.frame) + (align > UPSWEEP_MEMORY_ALIGN ? align - UPSWEEP_MEMORY_ALIGN : 0);
}

void emit_resume(IRBuilderBase &builder, Value *frame) {
  auto *type = FunctionType::get(builder.getVoidTy(), builder.getPtrTy(), false);
  CallInst *call = builder.CreateCall(type, builder.CreateLoad(builder.getPtrTy(), frame, "resume"), frame);
  call->setCallingConv(CallingConv::Fast);  // LLVM gives all resuming functions this convention
  call->setDoesNotThrow();
}

namespace {

Function *make_work_group_loop(const Units &units, const Twine &name) {
  Module &module = *(units.full ? units.full : units.part)->getParent();
  LLVMContext &context = module.getContext();
  auto *type = FunctionType::get(Type::getVoidTy(context), PointerType::get(context, 0), false);
  Function *entry = Function::Create(type, GlobalValue::InternalLinkage, name, module);
  entry->setDoesNotThrow();
  promise_group(*entry);
  LoopBuilder(units, *entry).build();
  return entry;
}

/// The entry `lanes` for work-groups in which each sub-group is in one row, or plane; `scalar` for others.
Function *choose_entry(const Kernel &kernel, Function &lanes, Function &scalar) {
  Function *entry = Function::Create(lanes.getFunctionType(), GlobalValue::InternalLinkage, kernel.description.name + ".choose",
                                     lanes.getParent());
  entry->setDoesNotThrow();
  promise_group(*entry);
  LLVMContext &context = entry->getContext();
  IRBuilder<> builder(BasicBlock::Create(context, "start", entry));
  Value *inside = builder.getInt64(1), *outside = inside;
  const unsigned spread = kernel.lane_groups == LaneGroups::kRows ? 1 : 2;  // dimensions of a row or plane
  for (unsigned dimension = 0; dimension < 3; ++dimension) {
    const uint32_t known = kernel.units.sizes[dimension];
    Value *size = known ? builder.getInt64(known)
                        : load_group_size(builder, entry->getArg(0), offsetof(UpsweepGroup, local_size), dimension);
    Value *&product = dimension < spread ? inside : outside;
    product = builder.CreateNUWMul(product, size);
  }
  Value *is_whole = builder.CreateIsNull(builder.CreateURem(inside, builder.getInt64(kernel.units.lanes)));
  Value *is_only = builder.CreateICmpEQ(outside, builder.getInt64(1));
  BasicBlock *ways[] = {BasicBlock::Create(context, "lanes", entry), BasicBlock::Create(context, "scalar", entry)};
  builder.CreateCondBr(builder.CreateOr(is_whole, is_only), ways[0], ways[1]);
  Function *entries[] = {&lanes, &scalar};
  for (unsigned i = 0; i < 2; ++i) {
    builder.SetInsertPoint(ways[i]);
    builder.CreateCall(entries[i], entry->getArg(0))->setTailCall();
    builder.CreateRetVoid();
  }
  return entry;
}

/// Expects the entries of `kernel.scalar`.
void choose_entries(Kernel &kernel) {
  Function &scalar = *kernel.scalar->entry;
  for (Function **entry : {&kernel.entry, &kernel.large_entry})
    if (*entry) *entry = choose_entry(kernel, **entry, scalar);
  kernel.description.stack_bytes = std::max(kernel.description.stack_bytes, kernel.scalar->description.stack_bytes);
}

void make_own_entries(Kernel &kernel) {
  Units &units = kernel.units;
  const std::string &name = kernel.description.name;
  if (units.wait)
    for (Function *unit : {units.full, units.column, units.part}) {
      if (!unit) continue;
      const Frame frame = take_frame(*unit);
      units.frame.bytes = std::max(units.frame.bytes, frame.bytes);
      units.frame.align = std::max(units.frame.align, frame.align);
    }
  if (Function *unit = units.full; units.wait && unit && wants_remarks(*unit))
    remark(*unit, "barriers: values that live across them take a frame of " + Twine(units.frame.bytes) + " bytes for " +
                      Twine(units.lanes) + (units.lanes == 1 ? " work-item" : " work-items"));
  kernel.entry = make_work_group_loop(units, name + ".entry");
  if (kernel.meets) end_meetings(*kernel.entry);
  if (units.is_one_item()) kernel.entry->addFnAttr(kOneItemAttribute);
  if (kernel.joins == UPSWEEP_JOIN_ROWS) kernel.entry->addFnAttr(kRowsAttribute);
  kernel.description.stack_bytes = stack_bytes(*kernel.entry);
  if (!kernel.large) return;
  kernel.large->frame = units.frame;
  kernel.large_entry = make_work_group_loop(*kernel.large, name + ".large");
  if (kernel.meets) end_meetings(*kernel.large_entry);
  kernel.large_entry->addFnAttr(Attribute::OptimizeForSize);
  kernel.description.stack_bytes = std::max(kernel.description.stack_bytes, stack_bytes(*kernel.large_entry));
}

}  // namespace

void make_entries(Kernel &kernel, Program &) {
  make_own_entries(kernel);
  if (kernel.scalar) choose_entries(kernel);
}

}  // namespace upsweep::passes
