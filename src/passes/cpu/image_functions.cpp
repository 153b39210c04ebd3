// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The levels, by the instruction sets that their code uses.
#include "passes/cpu/image_functions.h"

#include "passes/common/import_library.h"
#include "passes/common/intrinsics.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/ADT/StringSet.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/InstIterator.h>

using namespace llvm;

namespace upsweep::passes {
namespace {

struct Level {
  unsigned number;
  StringLiteral features;  ///< that the lower level lacks
};

constexpr Level kLevels[] = {
    {2, "popcnt,sse3,sse4.1,sse4.2,ssse3"},
    {3, "avx,avx2,bmi,bmi2,f16c,fma,lzcnt,movbe"},
    {4, "avx512f,avx512bw,avx512cd,avx512dq,avx512vl"},
};

}  // namespace

unsigned image_level(StringRef features) {
  StringSet<> has;
  for (StringRef feature : split(features, ','))
    if (feature.consume_front("+")) has.insert(feature);
  unsigned highest = 0;
  for (const Level &level : kLevels) {
    if (!all_of(split(level.features, ','), [&](StringRef feature) { return has.contains(feature); })) break;
    highest = level.number;
  }
  return highest;
}

SmallVector<unsigned, 2> image_levels(unsigned level) {
  if (level == 0) return {};
  if (level == 4) return {3, 4};
  return {level};
}

unsigned image_lanes(unsigned level, unsigned lanes) { return level == 0 ? 0 : level == 4 && lanes > 8 ? 16 : 8; }

bool is_image_function(const Function &function) {
  if (!function.isDeclaration()) return false;
  const StringRef name = function.getName();
  return ups_function(name.substr(0, name.find(kLanesSuffix))).is_image_access();
}

bool has_rows(const UpsFunction &function) {
  return none_of(ArrayRef<StringRef>{"_array", "_level_"}, [&](StringRef part) { return function.name.contains(part); });
}

bool has_image_calls(const Module &module) {
  return any_of(module, [](const Function &function) { return !function.use_empty() && is_image_function(function); });
}

Error link_image_rows(Module &module, Program &program) {
  if (none_of(module, [](const Function &function) { return function.getName().contains(kRowsSuffix); }))
    return Error::success();
  auto imported = import_library(module, program.options.image_rows);
  if (!imported) return imported.takeError();
  for (Function *function : *imported) {
    function->setLinkage(GlobalValue::InternalLinkage);
    function->setVisibility(GlobalValue::DefaultVisibility);
    function->addFnAttr(Attribute::AlwaysInline);
    // Descriptions of images are constant while a kernel runs.
    for (Instruction &instruction : instructions(*function)) {
      auto *load = dyn_cast<LoadInst>(&instruction);
      if (load && getUnderlyingObject(load->getPointerOperand()) == function->getArg(0))
        load->setMetadata(LLVMContext::MD_invariant_load, MDNode::get(module.getContext(), {}));
    }
  }
  return Error::success();
}

}  // namespace upsweep::passes
