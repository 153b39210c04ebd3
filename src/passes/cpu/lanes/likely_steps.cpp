// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Follows a value's operations back to values with a known shape, ignoring wrapping and clamping at edges.
#include "passes/cpu/lanes/likely_steps.h"

#include <llvm/IR/GetElementPtrTypeIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/PatternMatch.h>

using namespace llvm;
using namespace llvm::PatternMatch;

namespace upsweep::passes {
namespace {

using Step = std::optional<int64_t>;

class Guess {
public:
  Guess(const LaneShapes &shapes, const DataLayout &layout) : shapes_(shapes), layout_(layout) {}

  Step of(const Value &value, unsigned depth) {
    const Shape shape = shapes_.of(&value);
    if (shape.is_uniform()) return 0;
    if (shape.kind == Shape::kStep || shape.kind == Shape::kLooseStep) return shape.step;
    auto *instruction = dyn_cast<Instruction>(&value);
    if (!instruction || depth == 0) return std::nullopt;
    if (const auto [known, is_new] = steps_.try_emplace(instruction); !is_new) return known->second;
    const Step step = compute(*instruction, depth - 1);
    return steps_[instruction] = step;
  }

private:
  Step compute(const Instruction &instruction, unsigned depth) {
    const auto operand = [&](unsigned number) { return of(*instruction.getOperand(number), depth); };
    switch (instruction.getOpcode()) {
    case Instruction::Add: return sum(operand(0), operand(1), 1);
    case Instruction::Sub: return sum(operand(0), operand(1), -1);
    case Instruction::Or: return cast<PossiblyDisjointInst>(instruction).isDisjoint() ? sum(operand(0), operand(1), 1) : Step();
    case Instruction::Mul: return product(instruction, depth);
    case Instruction::Shl: return scaled(operand(0), instruction.getOperand(1), true);
    case Instruction::ZExt:
    case Instruction::SExt:
    case Instruction::Trunc:
    case Instruction::Freeze: return operand(0);
    case Instruction::And: return match(instruction.getOperand(1), m_LowBitMask()) ? operand(0) : Step();
    case Instruction::URem:
    case Instruction::SRem: return operand(1) == 0 ? operand(0) : Step();
    case Instruction::UDiv:
    case Instruction::SDiv: return operand(1) == 0 && operand(0) ? Step(0) : Step();
    case Instruction::LShr:
    case Instruction::AShr: return isa<ConstantInt>(instruction.getOperand(1)) && operand(0) ? Step(0) : Step();
    case Instruction::Select: return either(operand(1), operand(2));
    case Instruction::PHI: return phi(cast<PHINode>(instruction), depth);
    case Instruction::Call: return isa<MinMaxIntrinsic>(instruction) ? either(operand(0), operand(1)) : Step();
    case Instruction::GetElementPtr: return address(cast<GetElementPtrInst>(instruction), depth);
    default: return std::nullopt;
    }
  }

  static Step sum(Step a, Step b, int64_t sign) {
    if (!a || !b) return std::nullopt;
    return static_cast<int64_t>(static_cast<uint64_t>(*a) + static_cast<uint64_t>(sign) * static_cast<uint64_t>(*b));
  }

  /// Both alternatives of a step at an edge; the replacement there is uniform.
  static Step either(Step a, Step b) {
    if (!a || !b || *a == *b) return a && b ? a : std::nullopt;
    if (*a == 0) return b;
    return *b == 0 ? a : std::nullopt;
  }

  static Step scaled(Step step, const Value *factor, bool shift) {
    if (step == 0) return 0;
    auto *constant = dyn_cast<ConstantInt>(factor);
    if (!step || !constant || constant->getBitWidth() > 64) return std::nullopt;
    if (shift) return constant->getValue().ult(32) ? Step(*step * (int64_t{1} << constant->getZExtValue())) : Step();
    const int64_t times = constant->getSExtValue();
    return std::abs(times) < int64_t{1} << 31 && std::abs(*step) < int64_t{1} << 31 ? Step(*step * times) : Step();
  }

  Step product(const Instruction &instruction, unsigned depth) {
    const Value *a = instruction.getOperand(0), *b = instruction.getOperand(1);
    const Step step_a = of(*a, depth), step_b = of(*b, depth);
    if (step_a == 0 && step_b == 0) return 0;
    return step_b == 0 ? scaled(step_a, b, false) : step_a == 0 ? scaled(step_b, a, false) : Step();
  }

  Step phi(const PHINode &phi, unsigned depth) {
    Step all = 0;
    for (const Value *value : phi.incoming_values()) all = either(all, of(*value, depth));
    return all;
  }

  Step address(const GetElementPtrInst &address, unsigned depth) {
    if (address.getType()->isVectorTy()) return std::nullopt;
    Step all = of(*address.getPointerOperand(), depth);
    for (auto it = gep_type_begin(address); it != gep_type_end(address); ++it) {
      if (it.isStruct()) continue;
      const Step index = of(*it.getOperand(), depth);
      const auto bytes = static_cast<int64_t>(it.getSequentialElementStride(layout_).getFixedValue());
      if (!index || std::abs(*index) >= 1 << 20 || bytes >= 1 << 20) return std::nullopt;
      all = sum(all, *index * bytes, 1);
    }
    return all;
  }

  const LaneShapes &shapes_;
  const DataLayout &layout_;
  DenseMap<const Instruction *, Step> steps_;  ///< empty while being computed
};

}  // namespace

Step likely_step(const Value &value, const LaneShapes &shapes, const DataLayout &layout) {
  constexpr unsigned kFarthest = 24;  // operations; the position of a neighbour in three dimensions takes about 12
  return Guess(shapes, layout).of(value, kFarthest);
}

bool is_likely_row(const Value &pointer, uint64_t bytes, const LaneShapes &shapes, const DataLayout &layout) {
  return shapes.of(&pointer).kind == Shape::kVarying && likely_step(pointer, shapes, layout) == static_cast<int64_t>(bytes);
}

}  // namespace upsweep::passes
