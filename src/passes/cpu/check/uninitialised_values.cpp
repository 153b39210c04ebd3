// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Follows values from loads and marks to their users.
#include "passes/cpu/check/uninitialised_values.h"

#include "passes/common/intrinsics.h"
#include "passes/cpu/check/mark_uninitialised.h"

#include <llvm/ADT/StringExtras.h>
#include <llvm/IR/IntrinsicInst.h>

#include <array>

using namespace llvm;

namespace upsweep::passes {

bool has_undefined_part(const Constant &constant) {
  if (isa<PoisonValue>(constant)) return false;
  if (isa<UndefValue>(constant)) return true;
  if (!isa<ConstantAggregate>(constant)) return false;
  return any_of(constant.operands(), [](const Use &part) { return has_undefined_part(*cast<Constant>(part)); });
}

namespace {

/// Calls without a rule of their own give initialised results.
bool follows_operands(const Instruction &user) {
  const auto *call = dyn_cast<CallBase>(&user);
  if (!call) return !isa<LoadInst, AtomicRMWInst, AtomicCmpXchgInst>(user);
  if (isa<IntrinsicInst>(call)) return true;
  const UpsFunction &callee = ups_function(*call);
  if (callee.id == Ups::kNone) return call->getCalledFunction() != nullptr;
  return callee.effect == Effect::kArithmetic || is_followed_collective(user);
}

}  // namespace

bool is_followed_collective(const Value &call) {
  constexpr std::array kFollowed{Ups::kSgBallot,          Ups::kSgReduce,  Ups::kSgScanInclusive, Ups::kSgScanExclusive,
                                 Ups::kSgClusteredReduce, Ups::kSgShuffle, Ups::kSgBroadcast};
  return is_contained(kFollowed, intrinsic_of(call));
}

UninitialisedValues::UninitialisedValues(Function &item, ProvenanceFinder &finder) : finder_(finder) {
  SmallVector<Instruction *, 64> work;
  const auto add = [&](Instruction &instruction) {
    if (!instruction.getType()->isVoidTy() && found_.insert(&instruction).second) work.push_back(&instruction);
  };
  for (Instruction &instruction : instructions(item)) {
    if (is_source(instruction)) add(instruction);
    if (!follows_operands(instruction)) continue;
    for (const Use &operand : instruction.operands())
      if (const auto *constant = dyn_cast<Constant>(operand); constant && has_undefined_part(*constant)) add(instruction);
  }
  while (!work.empty())
    for (User *user : work.pop_back_val()->users())
      if (auto *instruction = dyn_cast<Instruction>(user); instruction && follows_operands(*instruction)) add(*instruction);
}

bool UninitialisedValues::may_be(const Value &value) const {
  const auto *constant = dyn_cast<Constant>(&value);
  return constant ? has_undefined_part(*constant) : found_.contains(&value);
}

bool UninitialisedValues::may_be_at(Value &pointer, const Instruction &access) {
  const std::optional<Origin> origin = finder_.origin(&pointer);
  if (origin)
    return (!origin->is_trusted || origin->hands_on) && !origin->is_constant && !(origin->bytes && *origin->bytes == 0) &&
           !(origin->kind == UPSWEEP_OBJECT_PRIVATE && origin->argument >= 0);
  return !access.hasMetadata(LLVMContext::MD_invariant_load);
}

bool UninitialisedValues::is_source(Instruction &instruction) {
  if (is_contained({Ups::kUninitialised, Ups::kReadTexel}, intrinsic_of(instruction))) return true;
  if (isa<LoadInst, AtomicRMWInst, AtomicCmpXchgInst>(instruction)) return may_be_at(*instruction.getOperand(0), instruction);
  return false;
}

std::string UninitialisedValues::name_of_source(const Instruction &source) {
  if (const MDNode *name = source.getMetadata(kUninitialisedName))
    return "variable '" + cast<MDString>(name->getOperand(0))->getString().str() + "'";
  const bool is_texel = intrinsic_of(source) == Ups::kReadTexel;  // its first operand is the image
  if (!is_texel && !isa<LoadInst, AtomicRMWInst, AtomicCmpXchgInst>(source)) return "";
  const std::optional<Origin> origin = finder_.origin(source.getOperand(0));
  if (!origin || origin->name.empty()) return "";
  const bool is_argument = origin->argument >= 0;
  return (is_argument ? "argument '" : "variable '") + origin->name + "'";
}

std::string UninitialisedValues::origins_of(const Value &value) {
  constexpr size_t kMostValues = 256, kMostNames = 3;
  SmallVector<const Value *, 16> work{&value};
  SmallPtrSet<const Value *, 16> seen{&value};
  SmallVector<std::string, 3> names;
  while (!work.empty() && seen.size() < kMostValues && names.size() < kMostNames) {
    const auto *next = dyn_cast<Instruction>(work.pop_back_val());
    if (!next) continue;
    if (std::string name = name_of_source(*next); !name.empty() && !is_contained(names, name)) names.push_back(std::move(name));
    if (isa<LoadInst, AtomicRMWInst, AtomicCmpXchgInst>(next)) continue;
    for (const Use &operand : next->operands())
      if (may_be(*operand) && seen.insert(operand).second) work.push_back(operand);
  }
  return join(names, " or ");
}

}  // namespace upsweep::passes
