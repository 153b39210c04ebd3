// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A table of all names, built once: 300, including the sub-group functions for each operation and type.
#include "passes/common/intrinsics.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringMap.h>
#include <llvm/IR/InstrTypes.h>

using namespace llvm;

namespace upsweep::passes {
namespace {

constexpr UpsFunction kFunctions[] = {
#define UPSWEEP_INTRINSIC(id, name, result, parameters, effect, spread)                                                        \
  {StringLiteral(#name), Ups::id, Effect::effect, Spread::spread, Operation::kNone, Element::kNone},
#define UPSWEEP_PASS_INTRINSIC(id, name, effect, spread)                                                                       \
  {StringLiteral(#name), Ups::id, Effect::effect, Spread::spread, Operation::kNone, Element::kNone},
#define UPSWEEP_ROW(operation, name, type, element, suffix, id, family, spread)                                                \
  {StringLiteral(#family #name "_" #suffix),                                                                                   \
   Ups::id,                                                                                                                    \
   Effect::kSubGroup,                                                                                                          \
   Spread::spread,                                                                                                             \
   Operation::operation,                                                                                                       \
   Element::element},
#define UPSWEEP_MOVE_ROW(none, name, type, element, suffix, id, family, spread)                                                \
  {StringLiteral(#family #suffix), Ups::id, Effect::kSubGroup, Spread::spread, Operation::kNone, Element::element},
#define UPSWEEP_SUB_GROUP_COMBINATION(id, family, spread) UPSWEEP_COMBINATIONS(UPSWEEP_ROW, id, family, spread)
#define UPSWEEP_SUB_GROUP_CLUSTERS(id, family, spread) UPSWEEP_COMBINATIONS(UPSWEEP_ROW, id, family, spread)
#define UPSWEEP_SUB_GROUP_MOVE(id, family, spread) UPSWEEP_MOVES(UPSWEEP_MOVE_ROW, id, family, spread)
#define UPSWEEP_IMAGE_ROW(type, id, family, spread)                                                                            \
  {StringLiteral(#family #type "_ro"), Ups::id, Effect::kPure, Spread::spread},                                                \
      {StringLiteral(#family #type "_wo"), Ups::id, Effect::kPure, Spread::spread},                                            \
      {StringLiteral(#family #type "_rw"), Ups::id, Effect::kPure, Spread::spread},
#define UPSWEEP_IMAGE_HANDLES(id, family, spread) UPSWEEP_IMAGE_TYPES(UPSWEEP_IMAGE_ROW, id, family, spread)
#define UPSWEEP_ACCESS_ROW(suffix, id, family, effect, spread)                                                                 \
  {StringLiteral(#family #suffix), Ups::id, Effect::effect, Spread::spread},
#define UPSWEEP_IMAGE_ACCESSES(id, family, effect, spread) UPSWEEP_IMAGE_SHAPES(UPSWEEP_ACCESS_ROW, id, family, effect, spread)
#include "builtins/intrinsics.def"
};

constexpr UpsFunction kOther;

const StringMap<const UpsFunction *> &by_name() {
  static const StringMap<const UpsFunction *> names = [] {
    StringMap<const UpsFunction *> made;
    for (const UpsFunction &function : kFunctions) made[function.name] = &function;
    return made;
  }();
  return names;
}

}  // namespace

const UpsFunction &ups_function(StringRef name) {
  const UpsFunction *function = by_name().lookup(name);
  return function ? *function : kOther;
}

const UpsFunction &ups_function(const Value &value) {
  const auto *call = dyn_cast<CallBase>(&value);
  const auto *function = call ? call->getCalledFunction() : dyn_cast<Function>(&value);
  if (!function || !function->isDeclaration() || function->isIntrinsic()) return kOther;
  return ups_function(function->getName());
}

StringRef name_of(Ups intrinsic) {
  return find_if(kFunctions, [&](const UpsFunction &function) { return function.id == intrinsic; })->name;
}

bool calls(const Function &function, Ups intrinsic) {
  return any_of(instructions(function), [&](const Instruction &each) { return intrinsic_of(each) == intrinsic; });
}

}  // namespace upsweep::passes
