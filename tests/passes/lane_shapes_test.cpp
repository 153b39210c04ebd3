// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compares the promises of shapes (lane_shapes.h) with the values of each lane in random programs. UPSWEEP_TEST_SEED draws
// other programs, UPSWEEP_TEST_COUNT more.
#include <gtest/gtest.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Dominators.h>

#include <cstdlib>

#include "lane_programs.h"
#include "passes/cpu/lanes/lane_shapes.h"

using namespace llvm;
using namespace upsweep::passes;

namespace upsweep::tests {
namespace {

constexpr unsigned kLanes = 16;
constexpr uint64_t kSeed = 19, kPrograms = 1500, kRunsEach = 12;

uint64_t setting(const char *name, uint64_t usual) {
  const char *text = std::getenv(name);
  return text ? std::strtoull(text, nullptr, 0) : usual;
}

APInt times(uint64_t lane, int64_t step, unsigned bits) { return APInt(64, lane * static_cast<uint64_t>(step)).trunc(bits); }

/// Checks one program and the shapes of its values, in several runs.
class Checker {
public:
  Checker(Function &item, Cover cover) : item_(item), tree_(item), loops_(tree_), levels_(item, loops_) {
    if (!levels_.valid()) return;
    uniformity_.emplace(item, tree_, loops_, levels_, cover);
    control_.emplace(loops_, tree_, levels_, *uniformity_);
    shapes_.emplace(item, *uniformity_, *control_, cover);
  }

  bool valid() const { return levels_.valid(); }

  void check(const Trace &trace) {
    trace_ = &trace;
    for (const auto &[key, instance] : trace) {
      auto [instruction, round] = key;
      if (const Value *pointer = getLoadStorePointerOperand(instruction); pointer && isa<Instruction>(pointer))
        check(*cast<Instruction>(pointer), round_of(*pointer, *instruction, round), instance.operands.at(pointer));
      // An unused address may have any value.
      if (!instruction->getType()->isVoidTy() && !instruction->getType()->isPointerTy())
        check(*instruction, round, instance.lanes);
    }
  }

  unsigned uniform = 0, steps = 0, loose = 0;  ///< promises that were checked

private:
  unsigned round_of(const Value &operand, const Instruction &user, unsigned round) const {
    auto *source = dyn_cast<Instruction>(&operand);
    const Loop *loop = source ? loops_.getLoopFor(source->getParent()) : nullptr;
    if (!loop) return 0;
    if (!loop->contains(&user)) {
      unsigned last = 0;
      while (trace_->contains({source, last + 1})) ++last;
      return last;
    }
    return isa<PHINode>(user) && user.getParent() == loop->getHeader() ? round - 1 : round;
  }

  void check(const Instruction &value, unsigned round, const std::map<unsigned, LaneValue> &lanes) {
    const Shape shape = shapes_->of(&value);
    if (shape.kind == Shape::kVarying || shape.kind == Shape::kUnknown) return;
    const int64_t step = shape.is_uniform() ? 0 : shape.step;
    const LaneValue *one = nullptr;
    unsigned first_lane = 0;
    for (const auto &[lane, result] : lanes) {
      if (!result) continue;
      if (!one) {
        one = &result;
        first_lane = lane;
        continue;
      }
      const unsigned bits = result->getBitWidth();
      APInt difference = *result - **one - (times(lane, step, bits) - times(first_lane, step, bits));
      if (shape.kind == Shape::kLooseStep && bits > shape.wrap) difference = difference.trunc(shape.wrap);
      ++(shape.is_uniform() ? uniform : shape.kind == Shape::kStep ? steps : loose);
      if (difference != 0) return fail(value, lane, "does not have its shape");
    }
    if (!one || shape.kind != Shape::kStep) return;
    const LaneValue first = first_of(value, round);
    if (first && *first + times(first_lane, step, (*one)->getBitWidth()) != **one)
      fail(value, first_lane, "does not follow from the first");
  }

  /// The scalar that the vector code computes for the value.
  LaneValue first_of(const Value &value, unsigned round) const {
    if (auto *number = dyn_cast<ConstantInt>(&value)) return number->getValue();
    auto *instruction = dyn_cast<Instruction>(&value);
    if (!instruction) return arguments_.at(cast<Argument>(value).getArgNo());
    auto found = trace_->find({instruction, round});
    if (found == trace_->end()) return {};
    const Instance &instance = found->second;
    const Shape shape = shapes_->of(instruction);
    if (shape.kind == Shape::kLooseStep) return instance.lanes.contains(0) ? instance.lanes.at(0) : LaneValue();
    if (shape.is_uniform() || isa<CallInst>(instruction)) {
      for (const auto &[lane, result] : instance.lanes)
        if (result) return *result - times(lane, shape.step, result->getBitWidth());
      return {};
    }
    if (auto *phi = dyn_cast<PHINode>(instruction)) {
      const Value &from = *phi->getIncomingValueForBlock(instance.from);
      return first_of(from, round_of(from, *phi, round));
    }
    SmallVector<LaneValue, 3> operands;
    for (const Value *operand : instruction->operand_values())
      operands.push_back(first_of(*operand, round_of(*operand, *instruction, round)));
    Instruction *copy = first_of_step(*instruction);
    copy->insertBefore(const_cast<Instruction *>(instruction));  // if the data layout is known
    const LaneValue result = evaluate(*copy, operands);
    // A flag that holds only in the active lanes makes poison: sums with it are poison in all of them.
    if (!result && all_of(operands, [](const LaneValue &operand) { return operand.has_value(); }))
      fail(*copy, 0, "makes poison of the firsts of its operands");
    copy->eraseFromParent();
    return result;
  }

  void fail(const Instruction &value, unsigned lane, const char *what) const {
    std::string text;
    raw_string_ostream out(text);
    out << value << " " << what << " in lane " << lane << ":\n" << item_;
    ADD_FAILURE() << text;
  }

public:
  std::vector<APInt> arguments_;

private:
  Function &item_;
  DominatorTree tree_;
  LoopInfo loops_;
  LaneLevels levels_;
  std::optional<LaneUniformity> uniformity_;
  std::optional<LaneControl> control_;
  std::optional<LaneShapes> shapes_;
  const Trace *trace_ = nullptr;
};

std::vector<APInt> draw_arguments(std::mt19937_64 &random) {
  auto number = [&](unsigned bits) {
    constexpr int64_t kEdges[] = {0, 1, 5, 8, -7, 100, -1, -8, INT32_MAX, INT32_MAX - 7, INT64_MIN, (1LL << 32) - 8};
    const auto value = static_cast<uint64_t>(random() % 4 ? kEdges[random() % 12] : static_cast<int64_t>(random()));
    return APInt(64, value + random() % 16).trunc(bits);
  };
  return {number(64), number(64), number(32), number(32), APInt(64, (uint64_t{1} << 46) + random() % 4096)};
}

TEST(LaneShapes, GivenRandomPrograms_WhenLanesRunThem_ThenValuesHaveTheirShapes) {
  const uint64_t seed = setting("UPSWEEP_TEST_SEED", kSeed), count = setting("UPSWEEP_TEST_COUNT", kPrograms);
  uint64_t runs = 0, uniform = 0, steps = 0, loose = 0;
  for (uint64_t i = 0; i < count && !::testing::Test::HasFailure(); ++i) {
    std::mt19937_64 random(seed * 1'000'003 + i);
    LLVMContext context;
    Module module("drawn", context);
    Function *item = draw_item(module, random);
    const Cover cover = random() % 4 ? Cover::kFull : Cover::kRow;
    Checker checker(*item, cover);
    if (!checker.valid()) continue;
    for (uint64_t run = 0; run < kRunsEach; ++run) {
      checker.arguments_ = draw_arguments(random);
      const uint64_t first_id = random() % 2 ? random() % 1000 : kLanes * (random() % 8);
      const unsigned lanes = cover == Cover::kFull ? kLanes : 1 + random() % (kLanes - 1);
      const auto trace = run_lanes(*item, checker.arguments_, first_id, lanes);
      if (!trace) continue;
      ++runs;
      checker.check(*trace);
      if (::testing::Test::HasFailure()) ADD_FAILURE() << "program " << i << " of seed " << seed;
      if (::testing::Test::HasFailure()) break;
    }
    uniform += checker.uniform, steps += checker.steps, loose += checker.loose;
  }
  RecordProperty("runs", std::to_string(runs));
  std::printf("%llu runs; promises checked: %llu uniform, %llu strict steps, %llu loose steps\n",
              static_cast<unsigned long long>(runs), static_cast<unsigned long long>(uniform),
              static_cast<unsigned long long>(steps), static_cast<unsigned long long>(loose));
  // Most programs are defined, and most of their values have a shape.
  EXPECT_GT(runs, count);
  EXPECT_GT(steps, 20 * count);
  EXPECT_GT(loose, count);
}

}  // namespace
}  // namespace upsweep::tests
