// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shadows of values and memory, in the order of the values' definitions.
#include "passes/cpu/check/shadow_writer.h"

#include "passes/common/intrinsics.h"
#include "passes/cpu/check/mark_uninitialised.h"

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IntrinsicInst.h>

using namespace llvm;

namespace upsweep::passes {
namespace {

Constant *constant_shadow(Constant &constant, Type *type) {
  if (!has_undefined_part(constant)) return Constant::getNullValue(type);
  if (isa<UndefValue>(constant)) return Constant::getAllOnesValue(type);
  SmallVector<Constant *, 8> parts;
  for (unsigned i = 0; i < constant.getNumOperands(); ++i) {
    Constant *part = constant.getAggregateElement(i);
    Type *of_part = isa<FixedVectorType>(type) ? type->getScalarType() : ExtractValueInst::getIndexedType(type, i);
    parts.push_back(constant_shadow(*part, of_part));
  }
  if (isa<FixedVectorType>(type)) return ConstantVector::get(parts);
  if (auto *array = dyn_cast<ArrayType>(type)) return ConstantArray::get(array, parts);
  return ConstantStruct::get(cast<StructType>(type), parts);
}

}  // namespace

/// Null for values without a shadow, such as metadata.
Value *ShadowWriter::shadow(Value *value) {
  if (value->getType()->isVoidTy() || value->getType()->isMetadataTy() || value->getType()->isLabelTy()) return nullptr;
  Type *type = shadow_type(value->getType(), layout_);
  if (!type) return nullptr;
  if (auto *constant = dyn_cast<Constant>(value)) return constant_shadow(*constant, type);
  const auto known = known_.find(value);
  return known == known_.end() ? Constant::getNullValue(type) : known->second;
}

Value *ShadowWriter::write_load(LoadInst &load) {
  Value *pointer = pointers_.of(load.getPointerOperand());
  builder_.SetInsertPoint(load.getNextNode());
  LoadInst *made = builder_.CreateAlignedLoad(shadow_type(load.getType(), layout_), pointer, load.getAlign());
  guard(load, load.getPointerOperand(), pointer);
  return made;
}

void ShadowWriter::write_store(StoreInst &store) {
  Value *stored = shadow(store.getValueOperand());
  if (!stored || !values_.may_be_at(*store.getPointerOperand(), store)) return;
  if (tests_) test_stored(store, *store.getPointerOperand(), *store.getValueOperand());
  Value *pointer = pointers_.of(store.getPointerOperand());
  // Before the store: another work-item that waits for the stored value must see its shadow.
  builder_.SetInsertPoint(&before_checks(store));
  builder_.CreateAlignedStore(stored, pointer, store.getAlign());
  guard(store, store.getPointerOperand(), pointer);
}

Value *ShadowWriter::write_update(AtomicRMWInst &update) {
  if (!values_.may_be_at(*update.getPointerOperand(), update)) return nullptr;
  Value *operand = shadow(update.getValOperand());
  if (tests_) test_stored(update, *update.getPointerOperand(), *update.getValOperand());
  Value *pointer = pointers_.of(update.getPointerOperand());
  Instruction *behind = update.getNextNode();
  builder_.SetInsertPoint(behind);
  Value *old = builder_.CreateAlignedLoad(operand->getType(), pointer, update.getAlign());
  guard(update, update.getPointerOperand(), pointer);
  const bool is_exchange = update.getOperation() == AtomicRMWInst::Xchg;
  const auto *constant = dyn_cast<Constant>(operand);
  if (!is_exchange && constant && constant->isNullValue()) return old;
  builder_.SetInsertPoint(behind);
  ShadowRules rules(builder_, layout_, [](Value *) -> Value * { return nullptr; });
  builder_.CreateAlignedStore(is_exchange ? operand : rules.either(old, operand), pointer, update.getAlign());
  guard(update, update.getPointerOperand(), pointer);
  return old;
}

Value *ShadowWriter::write_exchange(AtomicCmpXchgInst &exchange) {
  if (!values_.may_be_at(*exchange.getPointerOperand(), exchange)) return nullptr;
  Value *expected = exchange.getCompareOperand();
  Value *pointer = pointers_.of(exchange.getPointerOperand());
  Instruction *behind = exchange.getNextNode();
  builder_.SetInsertPoint(behind);
  Value *old = builder_.CreateAlignedLoad(shadow_type(expected->getType(), layout_), pointer, exchange.getAlign());
  guard(exchange, exchange.getPointerOperand(), pointer);
  builder_.SetInsertPoint(behind);
  ShadowRules rules(builder_, layout_, [](Value *) -> Value * { return nullptr; });
  Value *success = builder_.CreateExtractValue(&exchange, 1);
  Value *is_unknown = rules.of_equality(builder_.CreateExtractValue(&exchange, 0), expected, old, shadow(expected));
  builder_.CreateAlignedStore(builder_.CreateSelect(success, shadow(exchange.getNewValOperand()), old), pointer,
                              exchange.getAlign());
  guard(exchange, exchange.getPointerOperand(), pointer);
  builder_.SetInsertPoint(behind);
  Value *pair = builder_.CreateInsertValue(PoisonValue::get(shadow_type(exchange.getType(), layout_)), old, 0);
  return builder_.CreateInsertValue(pair, is_unknown, 1);
}

void ShadowWriter::write_fill(MemIntrinsic &fill) {
  if (!values_.may_be_at(*fill.getRawDest(), fill)) return;
  Value *to = pointers_.of(fill.getRawDest());
  Value *from = nullptr;
  auto *copy = dyn_cast<MemTransferInst>(&fill);
  if (copy && values_.may_be_at(*copy->getRawSource(), fill)) from = pointers_.of(copy->getRawSource());
  builder_.SetInsertPoint(fill.getNextNode());
  const Align align = fill.getDestAlign().valueOrOne();
  if (from && isa<MemMoveInst>(copy)) {
    builder_.CreateMemMove(to, align, from, copy->getSourceAlign(), fill.getLength());
  } else if (from) {
    builder_.CreateMemCpy(to, align, from, copy->getSourceAlign(), fill.getLength());
  } else {
    auto *set = dyn_cast<MemSetInst>(&fill);
    builder_.CreateMemSet(to, set ? shadow(set->getValue()) : builder_.getInt8(0), fill.getLength(), align);
  }
  guard(fill, fill.getRawDest(), to);
  if (from) guard(fill, copy->getRawSource(), from);
}

/// A move of the shadow, or its bits in any of the work-items that are combined. A ballot has the bits of the predicates.
Value *ShadowWriter::write_collective(CallInst &call) {
  Value *of_value = shadow(call.getArgOperand(0));
  builder_.SetInsertPoint(call.getNextNode());
  SmallVector<Value *, 2> operands(call.args());
  const auto no_operands = [](Value *) -> Value * { return nullptr; };
  ShadowRules rules(builder_, layout_, no_operands);
  std::string name = call.getCalledFunction()->getName().str();
  if (intrinsic_of(call) == Ups::kSgBallot) {
    operands[0] = builder_.CreateZExt(rules.any(of_value), builder_.getInt32Ty());
  } else {
    operands[0] = of_value;
    const std::string element = "i" + std::to_string(of_value->getType()->getIntegerBitWidth());
    name.resize(name.rfind('_') + 1);
    const UpsFunction &function = ups_function(call);
    if (function.operation != Operation::kNone) name.resize(name.rfind('_', name.size() - 2) + 1);
    name += (function.operation != Operation::kNone ? "or_" : "") + element;
  }
  SmallVector<Type *, 2> types;
  for (Value *operand : operands) types.push_back(operand->getType());
  Type *result = shadow_type(call.getType(), layout_);
  FunctionCallee callee = item_.getParent()->getOrInsertFunction(name, FunctionType::get(result, types, false),
                                                                 call.getCalledFunction()->getAttributes());
  CallInst *made = builder_.CreateCall(callee, operands);
  made->setAttributes(call.getAttributes());
  if (operands.size() < 2) return made;
  return rules.either(made, rules.spread(shadow(operands[1]), result));
}

/// A function that is not inlined may write to the variables whose addresses it gets.
void ShadowWriter::write_call(CallBase &call) {
  if (call.onlyReadsMemory()) return;
  for (Value *argument : call.args()) {
    if (!argument->getType()->isPointerTy()) continue;
    auto *variable = dyn_cast<AllocaInst>(getUnderlyingObject(argument));
    const std::optional<TypeSize> bytes = variable ? variable->getAllocationSize(layout_) : std::nullopt;
    if (!bytes) continue;
    Value *pointer = pointers_.of(variable);
    builder_.SetInsertPoint(call.getNextNode());
    builder_.CreateMemSet(pointer, builder_.getInt8(0), bytes->getFixedValue(), variable->getAlign());
  }
}

/// The shadow of the result; null if it has none.
Value *ShadowWriter::write_memory(Instruction &instruction) {
  if (auto *load = dyn_cast<LoadInst>(&instruction)) return values_.may_be(*load) ? write_load(*load) : nullptr;
  if (auto *update = dyn_cast<AtomicRMWInst>(&instruction)) return write_update(*update);
  if (auto *exchange = dyn_cast<AtomicCmpXchgInst>(&instruction)) return write_exchange(*exchange);
  if (auto *store = dyn_cast<StoreInst>(&instruction)) write_store(*store);
  if (auto *fill = dyn_cast<MemIntrinsic>(&instruction)) write_fill(*fill);
  return nullptr;
}

void ShadowWriter::write(Instruction &instruction) {
  if (tests_) test_uses(instruction);
  auto *call = dyn_cast<CallInst>(&instruction);
  if (call && intrinsic_of(*call) == Ups::kUninitialised) {
    marks_.push_back(call);
    known_[call] = Constant::getAllOnesValue(call->getType());
    return;
  }
  if (instruction.mayReadOrWriteMemory() && (!call || isa<MemIntrinsic>(call))) {
    if (Value *made = write_memory(instruction)) known_[&instruction] = made;
    return;
  }
  if (call && intrinsic_of(*call) == Ups::kWriteTexel) return write_texel_write(*call);
  if (call && intrinsic_of(*call) == Ups::kReadTexel) {
    known_[call] = write_texel_read(*call);
    return;
  }
  if (call && !isa<IntrinsicInst>(call)) write_call(*call);
  if (call && values_.may_be(*call) && is_followed_collective(*call)) {
    known_[call] = write_collective(*call);
    return;
  }
  if (instruction.isTerminator() || !values_.may_be(instruction)) return;
  Type *type = shadow_type(instruction.getType(), layout_);
  if (!type) return;
  if (auto *phi = dyn_cast<PHINode>(&instruction)) {
    builder_.SetInsertPoint(phi);
    PHINode *made = builder_.CreatePHI(type, phi->getNumIncomingValues());
    phis_.emplace_back(phi, made);
    known_[phi] = made;
    return;
  }
  builder_.SetInsertPoint(instruction.getNextNode());
  const auto of_operand = [this](Value *operand) { return shadow(operand); };
  known_[&instruction] = ShadowRules(builder_, layout_, of_operand).of(instruction);
}

void ShadowWriter::fill_phis() {
  for (const auto &[phi, made] : phis_)
    for (unsigned i = 0; i < phi->getNumIncomingValues(); ++i)
      made->addIncoming(shadow(phi->getIncomingValue(i)), phi->getIncomingBlock(i));
}

Instruction *ShadowWriter::begin_of_item(Value &shadow) const {
  // The address of the shadow is computed in front of all accesses.
  if (auto *computed = dyn_cast<IntToPtrInst>(&shadow)) return computed->getNextNode();
  return &*item_.getEntryBlock().getFirstNonPHIOrDbgOrAlloca();
}

/// Private variables are uninitialised where their life begins. Variables without marks are cleared too, since LLVM may exploit
/// that a value is undefined.
void ShadowWriter::begin_variables() {
  for (const auto &[variable, made] : pointers_.variables()) {
    const std::optional<TypeSize> bytes = variable->getAllocationSize(layout_);
    const bool is_marked = variable->hasMetadata(kMarkedVariable);
    if (!bytes || (is_marked && isa<AllocaInst>(made))) continue;
    SmallVector<Instruction *, 2> places;
    for (User *user : variable->users())
      if (auto *life = dyn_cast<IntrinsicInst>(user); life && life->getIntrinsicID() == Intrinsic::lifetime_start)
        places.push_back(life->getNextNode());
    if (places.empty()) places.push_back(begin_of_item(*made));
    for (Instruction *place : places) {
      builder_.SetInsertPoint(place);
      builder_.CreateMemSet(made, builder_.getInt8(255), bytes->getFixedValue(), variable->getAlign());
      if (!is_marked) builder_.CreateMemSet(variable, builder_.getInt8(0), bytes->getFixedValue(), variable->getAlign());
    }
  }
}

void ShadowWriter::run() {
  SmallVector<Instruction *, 64> all;
  for (BasicBlock *block : ReversePostOrderTraversal<Function *>(&item_))
    for (Instruction &instruction : *block) all.push_back(&instruction);
  for (Instruction *instruction : all) write(*instruction);
  fill_phis();
  begin_variables();
  for (CallInst *mark : marks_) {
    mark->replaceAllUsesWith(Constant::getNullValue(mark->getType()));
    mark->eraseFromParent();
  }
}

}  // namespace upsweep::passes
