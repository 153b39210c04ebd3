// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Classifies instructions, and writes the calls and comparisons of checks.
#include "passes/cpu/check/access.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

using namespace llvm;

namespace upsweep::passes {
namespace {

FunctionCallee declare_check(Module &module, Ups check, ArrayRef<Type *> parameters) {
  auto *type = FunctionType::get(Type::getVoidTy(module.getContext()), parameters, false);
  FunctionCallee callee = module.getOrInsertFunction(name_of(check), type);
  auto *function = cast<Function>(callee.getCallee());
  // No access that IR can see is ordered by a check, so that loops keep their values in registers.
  function->setOnlyAccessesInaccessibleMemory();
  function->setDoesNotThrow();
  function->setWillReturn();
  return callee;
}

/// A store to components of a vector is a load, a change of these components and a store. The load reads nothing for the
/// program.
bool is_for_components(const LoadInst &load) {
  if (!load.getType()->isVectorTy()) return false;
  for (const Value *value = &load; value->hasOneUse();) {
    const User *user = *value->user_begin();
    if (const auto *store = dyn_cast<StoreInst>(user))
      return value != &load && store->getValueOperand() == value && store->getPointerOperand() == load.getPointerOperand();
    if (!isa<InsertElementInst, ShuffleVectorInst>(user)) return false;
    value = user;
  }
  return false;
}

}  // namespace

SmallVector<CheckedAccess, 2> checked_accesses(Instruction &instruction) {
  const DataLayout &layout = instruction.getDataLayout();
  Type *i64 = Type::getInt64Ty(instruction.getContext());
  const auto bytes = [&](Type *type) { return ConstantInt::get(i64, layout.getTypeStoreSize(type).getFixedValue()); };
  if (auto *load = dyn_cast<LoadInst>(&instruction)) {
    CheckedAccess access{load->getPointerOperand(), bytes(load->getType()), load->getAlign(), UPSWEEP_READS};
    access.is_silent = is_for_components(*load);
    if (access.is_silent) access.access = UPSWEEP_WRITES;
    return {access};
  }
  if (auto *store = dyn_cast<StoreInst>(&instruction)) {
    Value *value = store->getValueOperand();
    return {{store->getPointerOperand(), bytes(value->getType()), store->getAlign(), UPSWEEP_WRITES, value}};
  }
  constexpr uint32_t kBoth = UPSWEEP_READS | UPSWEEP_WRITES;
  if (auto *update = dyn_cast<AtomicRMWInst>(&instruction))
    return {{update->getPointerOperand(), bytes(update->getType()), update->getAlign(), kBoth}};
  if (auto *exchange = dyn_cast<AtomicCmpXchgInst>(&instruction))
    return {{exchange->getPointerOperand(), bytes(exchange->getNewValOperand()->getType()), exchange->getAlign(), kBoth}};
  if (auto *fill = dyn_cast<MemIntrinsic>(&instruction)) {
    Value *length = fill->getLength();
    if (length->getType() != i64) return {};
    SmallVector<CheckedAccess, 2> accesses{{fill->getRawDest(), length, fill->getDestAlign().valueOrOne(), UPSWEEP_WRITES}};
    if (auto *copy = dyn_cast<MemTransferInst>(fill))
      accesses.push_back({copy->getRawSource(), length, copy->getSourceAlign().valueOrOne(), UPSWEEP_READS});
    return accesses;
  }
  return {};
}

CallInst *add_check(IRBuilder<> &builder, Ups check, ArrayRef<Value *> operands) {
  Type *i64 = builder.getInt64Ty(), *pointer = builder.getPtrTy();
  Module &module = *builder.GetInsertBlock()->getModule();
  return builder.CreateCall(declare_check(module, check, {pointer, i64, i64, i64, i64, pointer}), operands);
}

void settle_checks(Function &item) {
  SmallVector<CallInst *, 32> checks;
  for (Instruction &instruction : instructions(item))
    if (intrinsic_of(instruction) == Ups::kCheck) checks.push_back(cast<CallInst>(&instruction));
  for (CallInst *check : reverse(checks)) {
    const Value *pointer = check->getArgOperand(kPointer);
    const auto is_checked = [&](const CheckedAccess &access) {
      // Checks of private variables do not use the address; the null pointer may be the address itself.
      return access.pointer == pointer ||
             (isa<ConstantPointerNull>(pointer) && isa<AllocaInst>(getUnderlyingObject(access.pointer)));
    };
    Instruction *access = check->getNextNode();
    while (access && none_of(checked_accesses(*access), is_checked)) access = access->getNextNode();
    if (!access) {
      check->eraseFromParent();
      continue;
    }
    Instruction *before = access;
    const auto is_other_check = [&](const Instruction *previous) {
      return previous && previous != check && intrinsic_of(*previous) == Ups::kCheck;
    };
    while (is_other_check(before->getPrevNode())) before = before->getPrevNode();
    check->moveBefore(before);
  }
}

Value *is_inside(IRBuilder<> &builder, Value *start, Value *bytes, Value *width) {
  Value *more = builder.CreateAdd(bytes, ConstantInt::get(bytes->getType(), 1));
  return builder.CreateICmpULT(start, builder.CreateBinaryIntrinsic(Intrinsic::usub_sat, more, width));
}

Value *passes_check(IRBuilder<> &builder, ArrayRef<Value *> operands) {
  Value *inside = is_inside(builder, operands[kStart], operands[kBytes], operands[kWidth]);
  const auto *align = cast<ConstantInt>(operands[kAlign]);
  if (align->isOne()) return inside;
  Value *low = builder.CreateAnd(builder.CreatePtrToInt(operands[kPointer], builder.getInt64Ty()),
                                 builder.getInt64(align->getZExtValue() - 1));
  return builder.CreateAnd(inside, builder.CreateIsNull(low));
}

void add_report(IRBuilder<> &builder, ArrayRef<Value *> operands, Value *value, Value *lane) {
  Type *i64 = builder.getInt64Ty(), *pointer = builder.getPtrTy();
  Module &module = *builder.GetInsertBlock()->getModule();
  FunctionCallee report = declare_check(module, Ups::kReport, {pointer, pointer, i64, i64, i64, i64, builder.getInt32Ty()});
  CallInst *call = builder.CreateCall(
      report, {operands[kSite], operands[kPointer], operands[kStart], operands[kBytes], operands[kWidth], value, lane});
  call->addFnAttr(Attribute::Cold);
}

Constant *skipped_value(const Instruction &access, Type *type) {
  if (!isa<AtomicCmpXchgInst>(access)) return Constant::getNullValue(type);
  auto *pair = cast<StructType>(type);
  return ConstantStruct::get(
      pair, {Constant::getNullValue(pair->getElementType(0)), Constant::getAllOnesValue(pair->getElementType(1))});
}

Value *value_bits(IRBuilder<> &builder, Value *value) {
  Type *type = value ? value->getType() : nullptr;
  if (!type || !(type->isIntegerTy() || type->isFloatingPointTy()) || type->getPrimitiveSizeInBits() > 64)
    return builder.getInt64(0);
  Value *bits = builder.CreateBitCast(value, builder.getIntNTy(static_cast<unsigned>(type->getPrimitiveSizeInBits())));
  return builder.CreateZExt(builder.CreateFreeze(bits), builder.getInt64Ty());
}

void go_behind(IRBuilder<> &builder, Function &item, Value *value) {
  auto *instruction = dyn_cast<Instruction>(value);
  if (!instruction)
    builder.SetInsertPoint(item.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
  else if (isa<PHINode>(instruction))
    builder.SetInsertPoint(instruction->getParent(), instruction->getParent()->getFirstInsertionPt());
  else
    builder.SetInsertPoint(instruction->getNextNode());
}

}  // namespace upsweep::passes
