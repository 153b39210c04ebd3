// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs the programs by LLVM's language reference, lane by lane.
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/GetElementPtrTypeIterator.h>
#include <llvm/IR/Operator.h>

#include "lane_programs.h"

using namespace llvm;

namespace upsweep::tests {
namespace {

LaneValue evaluate_binary(const BinaryOperator &op, const APInt &a, const APInt &b) {
  bool overflows_unsigned = false, overflows_signed = false;
  const bool shifts = op.isShift();
  if (shifts && b.uge(a.getBitWidth())) return {};
  if (op.isIntDivRem() && b.isZero()) return {};
  APInt result;
  switch (op.getOpcode()) {
  case Instruction::Add: result = (void(a.sadd_ov(b, overflows_signed)), a.uadd_ov(b, overflows_unsigned)); break;
  case Instruction::Sub: result = (void(a.ssub_ov(b, overflows_signed)), a.usub_ov(b, overflows_unsigned)); break;
  case Instruction::Mul: result = (void(a.smul_ov(b, overflows_signed)), a.umul_ov(b, overflows_unsigned)); break;
  case Instruction::Shl:
    result = a.shl(b);
    overflows_unsigned = result.lshr(b) != a;
    overflows_signed = result.ashr(b) != a;
    break;
  case Instruction::LShr: result = a.lshr(b); break;
  case Instruction::AShr: result = a.ashr(b); break;
  case Instruction::UDiv: return a.udiv(b);
  case Instruction::URem: return a.urem(b);
  case Instruction::And: return a & b;
  case Instruction::Xor: return a ^ b;
  default:  // or
    if (cast<PossiblyDisjointInst>(op).isDisjoint() && (a & b) != 0) return {};
    return a | b;
  }
  if (isa<OverflowingBinaryOperator>(op) &&
      ((op.hasNoUnsignedWrap() && overflows_unsigned) || (op.hasNoSignedWrap() && overflows_signed)))
    return {};
  if (isa<PossiblyExactOperator>(op) && op.isExact() && result.shl(b) != a) return {};
  return result;
}

LaneValue evaluate_cast(const CastInst &cast, const APInt &value) {
  if (cast.getType()->isPointerTy() || cast.getSrcTy()->isPointerTy())
    return value.zextOrTrunc(cast.getType()->isPointerTy() ? 64 : cast.getType()->getIntegerBitWidth());
  const unsigned bits = cast.getType()->getIntegerBitWidth();
  if (auto *cut = dyn_cast<TruncInst>(&cast)) {
    const APInt result = value.trunc(bits);
    if ((cut->hasNoUnsignedWrap() && result.zext(value.getBitWidth()) != value) ||
        (cut->hasNoSignedWrap() && result.sext(value.getBitWidth()) != value))
      return {};
    return result;
  }
  if (isa<PossiblyNonNegInst>(cast) && cast.hasNonNeg() && value.isNegative()) return {};
  return isa<SExtInst>(cast) ? value.sext(bits) : value.zext(bits);
}

LaneValue evaluate_address(const GetElementPtrInst &address, ArrayRef<LaneValue> operands) {
  const DataLayout &layout = address.getDataLayout();
  APInt result = *operands[0];
  unsigned i = 1;
  for (auto it = gep_type_begin(address); it != gep_type_end(address); ++it, ++i)
    result += operands[i]->sextOrTrunc(64) * it.getSequentialElementStride(layout).getFixedValue();
  return result;
}

/// The execution of the function by one lane.
class Lane {
public:
  Lane(unsigned lane, const Function &item, const LoopInfo &loops, ArrayRef<APInt> arguments, uint64_t id, Trace &trace)
      : lane_(lane), loops_(loops), id_(id), trace_(trace) {
    for (auto [argument, value] : zip(item.args(), arguments)) values_[&argument] = value;
  }

  /// False if the program is undefined.
  bool run(const Function &item) {
    const BasicBlock *from = nullptr;
    for (const BasicBlock *block = &item.getEntryBlock(); block;) {
      const BasicBlock *next = nullptr;
      std::vector<std::pair<const PHINode *, LaneValue>> phis;
      const Loop *loop = loops_.getLoopFor(block);
      if (loop && loop->getHeader() == block) ++rounds_[loop];
      const unsigned round = loop ? rounds_[loop] - 1 : 0;
      for (const PHINode &phi : block->phis()) phis.push_back({&phi, value(phi.getIncomingValueForBlock(from))});
      for (auto &[phi, now] : phis) record(*phi, round, now, from);
      for (const Instruction &instruction : *block) {
        if (isa<PHINode>(instruction)) continue;
        if (instruction.isTerminator()) {
          if (isa<ReturnInst>(instruction)) return true;
          auto *branch = cast<BranchInst>(&instruction);
          const LaneValue taken = branch->isConditional() ? value(branch->getCondition()) : LaneValue(APInt(1, 1));
          if (!taken) return false;
          next = branch->getSuccessor(taken->isZero());
        } else if (!run(instruction, round)) {
          return false;
        }
      }
      from = block;
      block = next;
    }
    return true;
  }

private:
  LaneValue value(const Value *value) const {
    if (auto *number = dyn_cast<ConstantInt>(value)) return number->getValue();
    auto known = values_.find(value);
    return known == values_.end() ? LaneValue() : known->second;
  }

  void record(const Instruction &instruction, unsigned round, const LaneValue &now, const BasicBlock *from) {
    Instance &instance = trace_[{&instruction, round}];
    instance.lanes[lane_] = now;
    instance.from = from;
    for (const Value *operand : instruction.operand_values()) {
      if (auto *phi = dyn_cast<PHINode>(&instruction); phi && operand != phi->getIncomingValueForBlock(from)) continue;
      instance.operands[operand][lane_] = value(operand);
    }
    values_[&instruction] = now;
  }

  bool run(const Instruction &instruction, unsigned round) {
    LaneValue now;
    if (const Value *pointer = getLoadStorePointerOperand(&instruction)) {
      const LaneValue place = value(pointer);
      if (!place) return false;
      if (isa<LoadInst>(instruction))
        now = APInt(64, place->getZExtValue() * 0x9E3779B97F4A7C15u).trunc(instruction.getType()->getIntegerBitWidth());
    } else if (isa<CallInst>(instruction)) {
      now = APInt(64, id_ + lane_);
    } else {
      SmallVector<LaneValue, 3> operands;
      for (const Value *operand : instruction.operand_values()) operands.push_back(value(operand));
      now = evaluate(instruction, operands);
    }
    record(instruction, round, now, nullptr);
    return true;
  }

  unsigned lane_;
  const LoopInfo &loops_;
  uint64_t id_;
  Trace &trace_;
  std::map<const Value *, LaneValue> values_;
  std::map<const Loop *, unsigned> rounds_;
};

bool lies_close(const Instance &access, const Value *pointer) {
  std::optional<uint64_t> least, most;
  for (const auto &[lane, place] : access.operands.at(pointer)) {
    least = std::min(least.value_or(UINT64_MAX), place->getZExtValue());
    most = std::max(most.value_or(0), place->getZExtValue());
  }
  return !least || *most - *least < (uint64_t{1} << 32) - (uint64_t{1} << 26);
}

}  // namespace

LaneValue evaluate(const Instruction &instruction, ArrayRef<LaneValue> operands) {
  if (auto *select = dyn_cast<SelectInst>(&instruction); select && operands[0]) return operands[operands[0]->isZero() ? 2 : 1];
  for (const LaneValue &operand : operands)
    if (!operand) return {};
  if (auto *binary = dyn_cast<BinaryOperator>(&instruction)) return evaluate_binary(*binary, *operands[0], *operands[1]);
  if (auto *made = dyn_cast<CastInst>(&instruction)) return evaluate_cast(*made, *operands[0]);
  if (auto *compare = dyn_cast<ICmpInst>(&instruction))
    return APInt(1, ICmpInst::compare(*operands[0], *operands[1], compare->getPredicate()));
  if (auto *address = dyn_cast<GetElementPtrInst>(&instruction)) return evaluate_address(*address, operands);
  return operands[0];  // freeze: a frozen poison is an unknown value
}

std::optional<Trace> run_lanes(const Function &item, ArrayRef<APInt> arguments, uint64_t first_id, unsigned lanes) {
  Trace trace;
  DominatorTree tree(const_cast<Function &>(item));  // its constructor changes nothing
  const LoopInfo loops(tree);
  for (unsigned lane = 0; lane < lanes; ++lane)
    if (!Lane(lane, item, loops, arguments, first_id, trace).run(item)) return {};
  for (const auto &[key, instance] : trace)
    if (const Value *pointer = getLoadStorePointerOperand(key.first); pointer && !lies_close(instance, pointer)) return {};
  return trace;
}

}  // namespace upsweep::tests
