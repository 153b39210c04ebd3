// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Adds __ups_check_index where an index is not provably inside.
#include "passes/cpu/check/check_arrays.h"

#include "passes/common/optimise.h"
#include "passes/cpu/check/access.h"
#include "passes/cpu/check/provenance.h"

#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/IR/GetElementPtrTypeIterator.h>
#include <llvm/IR/Operator.h>
#include <llvm/Transforms/Utils/Mem2Reg.h>

using namespace llvm;

namespace upsweep::passes {
namespace {

/// An index into an array that is a member of a struct.
struct MemberIndex {
  Value *index;
  uint64_t count;
  uint64_t stride;
};

class ArrayChecker {
public:
  ArrayChecker(Kernel &kernel, ScalarEvolution &evolution)
      : item_(*kernel.item), layout_(item_.getDataLayout()), evolution_(evolution), finder_(item_, kernel.description),
        sites_(*item_.getParent(), kernel.description.name) {}
  void run();

private:
  void check_object(Instruction &instruction, const CheckedAccess &access);
  void check_members(Instruction &instruction, const CheckedAccess &access);
  void add(Instruction &instruction, const SiteFacts &facts, Value *start, uint64_t bytes, Value *width);
  [[nodiscard]] bool is_provable(Instruction &at, Value *start, uint64_t bytes, Value *width) const;
  [[nodiscard]] bool is_member(const Value &array) const;
  SmallVector<MemberIndex, 2> member_indices(Value &pointer) const;

  Function &item_;
  const DataLayout &layout_;
  ScalarEvolution &evolution_;
  ProvenanceFinder finder_;
  SiteTable sites_;
};

bool ArrayChecker::is_provable(Instruction &at, Value *start, uint64_t bytes, Value *width) const {
  const auto *constant = dyn_cast<ConstantInt>(width);
  if (!constant || constant->getValue().ugt(bytes)) return false;
  const SCEV *limit = evolution_.getConstant(APInt(64, bytes - constant->getZExtValue()));
  return evolution_.isKnownPredicateAt(ICmpInst::ICMP_ULE, evolution_.getSCEV(start), limit, &at);
}

void ArrayChecker::add(Instruction &instruction, const SiteFacts &facts, Value *start, uint64_t bytes, Value *width) {
  if (is_provable(instruction, start, bytes, width)) return;
  IRBuilder<> builder(&instruction);
  add_check(builder, Ups::kCheckIndex,
            {ConstantPointerNull::get(builder.getPtrTy()), start, builder.getInt64(bytes), width, builder.getInt64(1),
             sites_.site(instruction, facts)});
}

SiteFacts facts_of(const CheckedAccess &access) {
  SiteFacts facts;
  facts.access = access.access;
  if (const auto *width = dyn_cast<ConstantInt>(access.width)) facts.width = width->getZExtValue();
  if (access.value) facts.written = access.value->getType();
  return facts;
}

/// Variables whose accesses LLVM may replace: private variables and constants.
void ArrayChecker::check_object(Instruction &instruction, const CheckedAccess &access) {
  const std::optional<Origin> origin = finder_.origin(access.pointer);
  if (!origin || origin->is_trusted || !origin->bytes) return;
  if (origin->kind != UPSWEEP_OBJECT_PRIVATE && !origin->is_constant) return;
  const std::optional<Provenance> place = finder_.of(access.pointer, access.access);
  if (!place) return;
  SiteFacts facts = facts_of(access);
  facts.kind = origin->kind;
  facts.object = origin->name;
  facts.argument = origin->argument;
  add(instruction, facts, place->start, *origin->bytes, access.width);
}

bool ArrayChecker::is_member(const Value &array) const {
  // The first member has the address of the struct, without a step to it.
  if (const auto *variable = dyn_cast<AllocaInst>(&array)) return variable->getAllocatedType()->isStructTy();
  if (const auto *variable = dyn_cast<GlobalVariable>(&array)) return variable->getValueType()->isStructTy();
  const auto *place = dyn_cast<GEPOperator>(&array);
  if (!place) return false;
  bool is_in_struct = false;
  for (auto it = gep_type_begin(place); it != gep_type_end(place); ++it) is_in_struct = it.isStruct();
  return is_in_struct;
}

/// The indices of the address's chain of steps that are in an array inside a struct. Arrays of at most one element at the end
/// of a struct stand for any number of elements.
SmallVector<MemberIndex, 2> ArrayChecker::member_indices(Value &pointer) const {
  SmallVector<MemberIndex, 2> found;
  for (auto *place = dyn_cast<GEPOperator>(&pointer); place; place = dyn_cast<GEPOperator>(place->getPointerOperand())) {
    bool is_in_struct = is_member(*place->getPointerOperand());
    Type *type = place->getSourceElementType();
    for (Value *index : drop_begin(place->indices())) {
      if (auto *record = dyn_cast<StructType>(type)) {
        is_in_struct = true;
        type = record->getTypeAtIndex(index);
        continue;
      }
      auto *array = dyn_cast<ArrayType>(type);
      if (!array || index->getType()->isVectorTy()) break;
      type = array->getElementType();
      if (is_in_struct && array->getNumElements() > 1)
        found.push_back({index, array->getNumElements(), layout_.getTypeAllocSize(type).getFixedValue()});
    }
  }
  return found;
}

void ArrayChecker::check_members(Instruction &instruction, const CheckedAccess &access) {
  for (const auto &[index, count, stride] : member_indices(*access.pointer)) {
    SiteFacts facts = facts_of(access);
    facts.kind = UPSWEEP_OBJECT_ARRAY;
    facts.element = facts.width = stride;
    IRBuilder<> builder(&instruction);
    Value *start = builder.CreateMul(builder.CreateSExtOrTrunc(index, builder.getInt64Ty()), builder.getInt64(stride));
    add(instruction, facts, start, count * stride, builder.getInt64(stride));
  }
}

void ArrayChecker::run() {
  SmallVector<Instruction *, 64> all;
  for (Instruction &instruction : instructions(item_)) all.push_back(&instruction);
  for (Instruction *instruction : all)
    for (const CheckedAccess &access : checked_accesses(*instruction)) {
      if (access.is_silent) continue;
      check_object(*instruction, access);
      check_members(*instruction, access);
    }
}

}  // namespace

void check_arrays(Kernel &kernel, Program &program) {
  FunctionPassManager passes;
  passes.addPass(PromotePass());  // pointers and indices become values
  run_on(*kernel.item, passes, *program.functions);
  ArrayChecker(kernel, program.functions->getResult<ScalarEvolutionAnalysis>(*kernel.item)).run();
  program.functions->clear(*kernel.item, kernel.item->getName());
}

}  // namespace upsweep::passes
