// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whole-function vectorisation: writes the variants of a unit. cpu_pipeline.cpp has the passes that run before on each item.
#include "passes/cpu/lanes/vectorise_lanes.h"

#include <llvm/Analysis/AssumptionCache.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/Transforms/Utils/Cloning.h>

#include "passes/common/optimise.h"
#include "passes/common/remarks.h"
#include "passes/cpu/check/access.h"
#include "passes/cpu/cpu_pipeline.h"
#include "passes/cpu/kernel_needs.h"
#include "passes/cpu/lanes/lane_axis.h"
#include "passes/cpu/lanes/lane_writer.h"
#include "passes/cpu/lanes/waiting_lanes.h"
#include "passes/cpu/split_at_waits.h"

using namespace llvm;

namespace upsweep::passes {
namespace {

bool is_supported(const Instruction &instruction) {
  if (auto *variable = dyn_cast<AllocaInst>(&instruction); variable && !variable->isStaticAlloca()) return false;
  if (isa<InvokeInst, CallBrInst, IndirectBrInst>(instruction)) return false;
  Type *type = instruction.getType();
  return !type->isTokenTy() && !isa<ScalableVectorType>(type) && !isa<TargetExtType>(type);
}

/// Tells why a kernel has scalar code.
void remark_on_scalar(const Function &item, const char *reason) {
  if (wants_remarks(item)) remark(item, Twine("the kernel runs one work-item after another, without vectors: ") + reason);
}

bool is_supported(const Function &item) {
  for (const Instruction &instruction : instructions(item)) {
    if (is_supported(instruction)) continue;
    remark_on_scalar(item, "an instruction has no form for lanes");
    return false;
  }
  return true;
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
    if (!control->broken_rule().empty()) return;
    shapes.emplace(item, *uniformity, *control, cover);
  }
  DominatorTree tree;
  LoopInfo loops;
  LaneLevels levels;
  std::optional<LaneUniformity> uniformity;  ///< this and `shapes` are empty if the control flow is not supported
  std::optional<LaneControl> control;
  std::optional<LaneShapes> shapes;  ///< also empty if the plans of control flow are wrong
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
  LaneWriter writer(item, *target, lanes_, cover, *analyses.control, *analyses.shapes, costs_);
  if (wants_remarks(item) && StringRef(suffix) == ".full") writer.tell_remarks();
  writer.write();
  return target;
}

/// The unit with lanes along y or z, if it has fewer than `most_accesses` spread accesses.
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

VectorisedKernel vectorise_lanes(Function &item, unsigned lanes, const TargetTransformInfo &costs, bool rows,
                                 const GroupSize &size, FunctionAnalysisManager &analyses) {
  if (!is_supported(item)) return {};
  ValueToValueMapTy values;
  Function *prepared = CloneFunction(&item, values);
  FunctionPassManager passes = lane_form_passes();
  run_on(*prepared, passes, analyses);
  settle_checks(*prepared);
  VectorisedKernel made;
  made.groups = groups_for_lanes(*prepared, lanes, size);
  if (made.groups == LaneGroups::kNone) {
    remark_on_scalar(item, "work-items of a sub-group wait for each other, as at a lock");
    prepared->eraseFromParent();
    return {};
  }
  StringRef base = item.getName();
  base.consume_back(".item");
  VariantWriter writer(base, lanes, costs);
  bool is_complete = false;  // there is code for every sub-group
  {
    const Analyses full(*prepared, Cover::kFull);
    made.full = writer.write(*prepared, ".full", Cover::kFull, full);
    if (made.full && rows) made.row = writer.write(*prepared, ".row", Cover::kRow);
    // If y and z make no difference, code for a row serves all sub-groups.
    is_complete = made.row && asks_for_one_dimension(item);
    if (made.full && !is_complete) made.part = writer.write(*prepared, ".part", Cover::kAny);
    is_complete |= made.part != nullptr;
    if (made.part && made.groups == LaneGroups::kAll)  // columns are in several rows
      made.column = writer.write_column(*prepared, spread_accesses(*prepared, *full.shapes, full.loops), made.column_axis);
  }
  made.largest_object = writer.largest_object();
  prepared->eraseFromParent();
  if (made.full && is_complete) return made;
  for (Function *unit : {made.full, made.row})
    if (unit) unit->eraseFromParent();
  remark_on_scalar(item, "its control flow has no form for lanes");
  return {};
}

namespace {

// Makes code whose indices may wrap (docs/decisions/wrapping-indices.md): for sub-groups of any work-items, or else for single
// work-items, which takes less time to compile.
void prepare_large(Kernel &kernel) {
  Units &large = kernel.large.emplace(kernel.units);
  large.full = large.row = large.column = nullptr;
  assert((large.part || !waits(*kernel.item)) && "a kernel without `part` neither waits nor can tell its sub-groups");
}

/// Keeps scalar code for the work-groups that vector code must not run.
void keep_scalar(Kernel &kernel, LaneGroups groups) {
  kernel.lane_groups = groups;
  kernel.scalar = std::make_unique<Kernel>();
  Kernel &scalar = *kernel.scalar;
  scalar.description = kernel.description;
  scalar.description.name += ".scalar";
  scalar.locals = kernel.locals;
  scalar.units = kernel.units;
  scalar.meets = kernel.meets;
  scalar.item = std::exchange(kernel.scalar_item, nullptr);
  if (!scalar.item) {
    ValueToValueMapTy values;
    scalar.item = CloneFunction(kernel.item, values);
    scalar.item->removeFromParent();
    kernel.item->getParent()->getFunctionList().insert(kernel.item->getIterator(), scalar.item);
  }
  scalar.item->setName(scalar.description.name + ".item");
}

void vectorise(Kernel &kernel, Program &program, bool allow_rows) {
  if (kernel.units.is_one_item()) return;
  Function &item = *kernel.item;
  const TargetTransformInfo costs = program.options.machine->getTargetTransformInfo(item);
  const bool rows = allow_rows && !tells_sub_groups(item) && !waits(item);
  const VectorisedKernel made = vectorise_lanes(item, kernel.description.sub_group_size, costs, rows,
                                                kernel.description.required_local_size, *program.functions);
  if (!made.full) {
    if (!kernel.scalar_item) return;
    program.erase(item);
    kernel.item = std::exchange(kernel.scalar_item, nullptr);
    return;
  }
  if (made.groups != LaneGroups::kAll) {
    if (wants_remarks(item))
      remark(item, made.groups == LaneGroups::kRows ? "work-groups whose sub-groups are in several rows run one work-item "
                                                      "after another, since work-items may wait for each other"
                                                    : "work-groups whose sub-groups are in several planes run one work-item "
                                                      "after another, since work-items may wait for each other");
    keep_scalar(kernel, made.groups);
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
