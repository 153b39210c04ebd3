// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whole-function vectorisation: prepares the control flow, then writes the two variants.
#include "passes/cpu/lanes/vectorise_lanes.h"

#include <llvm/Analysis/AssumptionCache.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/FixIrreducible.h>
#include <llvm/Transforms/Utils/LCSSA.h>
#include <llvm/Transforms/Utils/Local.h>
#include <llvm/Transforms/Utils/LoopSimplify.h>
#include <llvm/Transforms/Utils/LowerSwitch.h>
#include <llvm/Transforms/Utils/UnifyFunctionExitNodes.h>

#include "passes/cpu/kernel_needs.h"
#include "passes/cpu/lanes/lane_axis.h"
#include "passes/cpu/lanes/lane_writer.h"
#include "passes/cpu/lanes/narrow_phis.h"
#include "passes/cpu/lanes/split_coordinates.h"
#include "passes/cpu/lanes/waiting_lanes.h"
#include "passes/cpu/split_at_waits.h"

using namespace llvm;

namespace upsweep::passes {
namespace {

bool is_supported(Function &function) {
  for (Instruction &instruction : instructions(function)) {
    if (auto *variable = dyn_cast<AllocaInst>(&instruction); variable && !variable->isStaticAlloca()) return false;
    if (isa<InvokeInst, CallBrInst, IndirectBrInst>(instruction)) return false;
    Type *type = instruction.getType();
    if (type->isTokenTy() || isa<ScalableVectorType>(type) || isa<TargetExtType>(type)) return false;
  }
  return true;
}

/// Ends of the program in one block: a trap or undefined behaviour in one lane is no reason to lose the others.
void end_unreachable_blocks(Function &function) {
  for (BasicBlock &block : function) {
    auto *end = dyn_cast<UnreachableInst>(block.getTerminator());
    if (!end) continue;
    ReturnInst::Create(function.getContext(), nullptr, end->getIterator());
    end->eraseFromParent();
  }
}

void prepare(Function &function) {
  end_unreachable_blocks(function);
  removeUnreachableBlocks(function);
  narrow_phis(function);
  split_coordinates(function);
  FunctionAnalysisManager analyses;
  PassBuilder().registerFunctionAnalyses(analyses);
  FunctionPassManager passes;
  passes.addPass(LowerSwitchPass());
  passes.addPass(UnifyFunctionExitNodesPass());
  passes.addPass(FixIrreduciblePass());
  passes.addPass(LoopSimplifyPass());
  passes.addPass(LCSSAPass());
  passes.run(function, analyses);
}

void take_smaller(std::optional<uint64_t> &bytes, std::optional<uint64_t> other) {
  if (other) bytes = std::min(bytes.value_or(*other), *other);
}

/// The analyses of a prepared item from which its code for lanes is written.
struct Analyses {
  Analyses(Function &item, Cover cover) : tree(item), loops(tree), levels(item, loops) {
    if (!levels.valid()) return;
    uniformity.emplace(item, tree, loops, levels, cover);
    control.emplace(loops, tree, levels, *uniformity);
    shapes.emplace(item, *uniformity, *control, cover);
  }
  DominatorTree tree;
  LoopInfo loops;
  LaneLevels levels;
  std::optional<LaneUniformity> uniformity;  ///< this and the next two: none where the control flow is not supported
  std::optional<LaneControl> control;
  std::optional<LaneShapes> shapes;
};

class VariantWriter {
public:
  VariantWriter(StringRef base, unsigned lanes, const TargetTransformInfo &costs) : base_(base), lanes_(lanes), costs_(costs) {}
  Function *write(Function &item, const char *suffix, Cover cover) { return write(item, suffix, cover, Analyses(item, cover)); }
  Function *write(Function &item, const char *suffix, Cover cover, const Analyses &analyses);
  Function *write_column(Function &item, uint64_t most_accesses, unsigned &axis);
  [[nodiscard]] std::optional<uint64_t> largest_object() const { return largest_object_; }

private:
  StringRef base_;
  unsigned lanes_;
  const TargetTransformInfo &costs_;
  std::optional<uint64_t> largest_object_;
};

Function *VariantWriter::write(Function &item, const char *suffix, Cover cover, const Analyses &analyses) {
  if (!analyses.shapes) return nullptr;
  take_smaller(largest_object_, analyses.shapes->largest_object());
  LLVMContext &context = item.getContext();
  Type *i32 = Type::getInt32Ty(context);
  auto *type = FunctionType::get(Type::getVoidTy(context), {PointerType::getUnqual(context), i32, i32, i32, i32}, false);
  Function *target = Function::Create(type, GlobalValue::InternalLinkage, base_ + suffix, item.getParent());
  target->copyAttributesFrom(&item);
  target->setSubprogram(nullptr);
  const char *names[] = {"group", "first", "x", "y", "z"};
  for (Argument &argument : target->args()) argument.setName(names[argument.getArgNo()]);
  LaneWriter(item, *target, lanes_, cover, *analyses.control, *analyses.shapes, costs_).write();
  return target;
}

/// The unit with lanes along y or z, where fewer accesses than `most_accesses` are spread then.
Function *VariantWriter::write_column(Function &item, uint64_t most_accesses, unsigned &axis) {
  Function *column = nullptr;
  for (unsigned other = 1; other < 3 && !column && most_accesses; ++other) {
    ValueToValueMapTy values;
    Function *exchanged = CloneFunction(&item, values);
    if (exchange_axes(*exchanged, other)) {
      const Analyses analyses(*exchanged, Cover::kFull);
      if (analyses.shapes && spread_accesses(*exchanged, *analyses.shapes, analyses.loops) < most_accesses)
        column = write(*exchanged, ".column", Cover::kFull, analyses);
    }
    exchanged->eraseFromParent();
    axis = other;
  }
  return column;
}

bool asks_for_one_dimension(Function &item) {
  return none_of(instructions(item), [](const Instruction &instruction) {
    if (intrinsic_of(instruction) != Ups::kLocalId) return false;
    auto *dimension = dyn_cast<ConstantInt>(cast<CallBase>(instruction).getArgOperand(0));
    return !dimension || !dimension->isZero();
  });
}

}  // namespace

VectorisedKernel vectorise_lanes(Function &item, unsigned lanes, const TargetTransformInfo &costs, bool rows) {
  if (!is_supported(item)) return {};
  ValueToValueMapTy values;
  Function *prepared = CloneFunction(&item, values);
  prepare(*prepared);
  if (lanes_wait_for_lanes(*prepared, lanes)) {
    prepared->eraseFromParent();
    return {};
  }
  StringRef base = item.getName();
  base.consume_back(".item");
  VectorisedKernel made;
  VariantWriter writer(base, lanes, costs);
  {
    const Analyses full(*prepared, Cover::kFull);
    made.full = writer.write(*prepared, ".full", Cover::kFull, full);
    if (made.full && rows) made.row = writer.write(*prepared, ".row", Cover::kRow);
    // Where y and z make no difference, a row is as good as any other sub-group.
    if (made.full && !(made.row && asks_for_one_dimension(item))) made.part = writer.write(*prepared, ".part", Cover::kAny);
    if (made.part)
      made.column = writer.write_column(*prepared, spread_accesses(*prepared, *full.shapes, full.loops), made.column_axis);
  }
  made.largest_object = writer.largest_object();
  prepared->eraseFromParent();
  if (made.full && (made.part || made.row)) return made;
  if (made.full) made.full->eraseFromParent();
  return {};
}

namespace {

// Code that takes no index for one that does not wrap (docs/decisions/wrapping-indices.md): sub-groups of any work-items, and
// where there is no code for these, single work-items, which takes less time to compile.
void prepare_large(Kernel &kernel) {
  Units &large = kernel.large.emplace(kernel.units);
  large.full = large.row = large.column = nullptr;
  assert((large.part || !waits(*kernel.item)) && "a kernel without `part` neither waits nor can tell its sub-groups");
}

void vectorise(Kernel &kernel, Program &program, bool allow_rows) {
  if (kernel.units.is_one_item()) return;
  Function &item = *kernel.item;
  const TargetTransformInfo costs = program.options.machine->getTargetTransformInfo(item);
  const bool rows = allow_rows && !tells_sub_groups(item) && !waits(item);
  const VectorisedKernel made = vectorise_lanes(item, kernel.description.sub_group_size, costs, rows);
  if (!made.full) {
    if (!kernel.scalar_item) return;
    program.erase(item);
    kernel.item = std::exchange(kernel.scalar_item, nullptr);
    return;
  }
  if (kernel.scalar_item) program.erase(*std::exchange(kernel.scalar_item, nullptr));
  kernel.units.full = made.full;
  kernel.units.row = made.row;
  kernel.units.column = made.column;
  kernel.units.column_axis = made.column_axis;
  if (made.column) kernel.description.lane_axis = made.column_axis;
  kernel.units.tells = tells_sub_groups(item);
  kernel.units.part = made.part;
  kernel.units.lanes = kernel.description.sub_group_size;
  kernel.large_bytes = made.largest_object.value_or(UINT64_MAX);
  for (Function *unit : {made.full, made.row, made.column, made.part}) {  // a kernel's functions stay together
    if (!unit) continue;
    unit->removeFromParent();
    item.getParent()->getFunctionList().insert(item.getIterator(), unit);
  }
  if (made.largest_object) prepare_large(kernel);
  if (!kernel.large || kernel.large->part) program.erase(*std::exchange(kernel.item, nullptr));
}

}  // namespace

void vectorise_kernel(Kernel &kernel, Program &program) { vectorise(kernel, program, true); }
void vectorise_kernel_without_rows(Kernel &kernel, Program &program) { vectorise(kernel, program, false); }

}  // namespace upsweep::passes
