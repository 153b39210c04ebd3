// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds the source line of an access.
#include "passes/cpu/check/sites.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/Function.h>

using namespace llvm;

namespace upsweep::passes {
namespace {

/// Hoisted and merged instructions have lost their line; their users and operands are at the same place or near it.
const DILocation *place_of(const Instruction &access) {
  const auto known = [](const Value *value) -> const DILocation * {
    const auto *instruction = dyn_cast<Instruction>(value);
    const DILocation *place = instruction ? instruction->getDebugLoc().get() : nullptr;
    return place && place->getLine() ? place : nullptr;
  };
  if (const DILocation *place = known(&access)) return place;
  for (const User *user : access.users())
    if (const DILocation *place = known(user)) return place;
  for (const Value *operand : access.operands())
    if (const DILocation *place = known(operand)) return place;
  return nullptr;
}

std::string file_of(const DILocation &place) { return place.getFilename().str(); }

std::string calls_of(const DILocation &place) {
  std::string calls;
  for (const DILocation *call = place.getInlinedAt(); call; call = call->getInlinedAt())
    calls += (calls.empty() ? "" : ", ") + file_of(*call) + ":" + std::to_string(call->getLine()) + ":" +
             std::to_string(call->getColumn());
  return calls;
}

UpsweepValueKind value_kind(const Type *type) {
  if (!type || type->getPrimitiveSizeInBits() > 64) return UPSWEEP_VALUE_NONE;
  if (type->isIntegerTy()) return UPSWEEP_VALUE_INTEGER;
  return type->isFloatTy() || type->isDoubleTy() ? UPSWEEP_VALUE_FLOAT : UPSWEEP_VALUE_NONE;
}

}  // namespace

Constant *SiteTable::text(StringRef text) {
  Constant *&made = texts_[text];
  if (made) return made;
  Constant *bytes = ConstantDataArray::getString(module_.getContext(), text);
  auto *variable = new GlobalVariable(module_, bytes->getType(), true, GlobalValue::PrivateLinkage, bytes);
  variable->setUnnamedAddr(GlobalValue::UnnamedAddr::Global);
  return made = variable;
}

Constant *SiteTable::site(const Instruction &access, const SiteFacts &facts) {
  LLVMContext &context = module_.getContext();
  const DILocation *place = place_of(access);
  const DISubprogram *function = access.getFunction()->getSubprogram();
  const auto word = [&](uint64_t number) { return ConstantInt::get(Type::getInt32Ty(context), number & UINT32_MAX); };
  const uint64_t line = place ? place->getLine() : function ? function->getLine() : 0;
  const std::string file = place ? file_of(*place) : function ? function->getFilename().str() : "";
  const UpsweepValueKind value = value_kind(facts.written);
  Constant *null = ConstantPointerNull::get(PointerType::get(context, 0));
  const SmallVector<Constant *, UPSWEEP_NUM_FINDING_KINDS> counters(UPSWEEP_NUM_FINDING_KINDS, null);
  Constant *record = ConstantStruct::getAnon(
      context, {text(kernel_), text(file), text(facts.object), text(place ? calls_of(*place) : ""), word(line),
                word(place ? place->getColumn() : 0), word(facts.access), word(facts.kind),
                word(static_cast<uint32_t>(facts.argument)), word(facts.width), word(facts.align), word(value),
                word(value == UPSWEEP_VALUE_NONE ? 0 : facts.written->getPrimitiveSizeInBits().getFixedValue()),
                word(facts.element), word(lines_.off(file, static_cast<uint32_t>(line))), word(0),
                ConstantArray::get(ArrayType::get(null->getType(), counters.size()), counters)});
  static_assert(sizeof(UpsweepCheckSite) == 4 * 8 + 12 * 4 + 8 * UPSWEEP_NUM_FINDING_KINDS,
                "the record has these fields and no others");
  // Copies of an unrolled loop's access are one place.
  Constant *&made = sites_[record];
  if (made) return made;
  auto *variable = new GlobalVariable(module_, record->getType(), false, GlobalValue::InternalLinkage, record, "upsweep.site");
  variable->setAlignment(Align(8));
  return made = variable;
}

}  // namespace upsweep::passes
