// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Adds __ups_check.
#include "passes/cpu/check/check_memory.h"

#include "passes/cpu/check/access.h"
#include "passes/cpu/check/check_images.h"
#include "passes/cpu/check/check_strings.h"
#include "passes/cpu/check/provenance.h"

#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/IR/InstIterator.h>

using namespace llvm;

namespace upsweep::passes {
namespace {

class MemoryChecker {
public:
  MemoryChecker(Kernel &kernel, ScalarEvolution &evolution)
      : item_(*kernel.item), evolution_(evolution), finder_(item_, kernel.description),
        sites_(*item_.getParent(), kernel.description.name) {}
  void run();

private:
  void check(Instruction &instruction, const CheckedAccess &access);
  [[nodiscard]] bool is_provable(Instruction &at, const Provenance &place, Value *width) const;
  Constant *site(Instruction &instruction, const CheckedAccess &access, const std::optional<Origin> &origin);

  Function &item_;
  ScalarEvolution &evolution_;
  ProvenanceFinder finder_;
  SiteTable sites_;
};

bool MemoryChecker::is_provable(Instruction &at, const Provenance &place, Value *width) const {
  const auto *bytes = dyn_cast<ConstantInt>(place.bytes), *constant = dyn_cast<ConstantInt>(width);
  if (!bytes || !constant || constant->getValue().ugt(bytes->getZExtValue())) return false;
  const SCEV *limit = evolution_.getConstant(APInt(64, bytes->getZExtValue() - constant->getZExtValue()));
  return evolution_.isKnownPredicateAt(ICmpInst::ICMP_ULE, evolution_.getSCEV(place.start), limit, &at);
}

Constant *MemoryChecker::site(Instruction &instruction, const CheckedAccess &access, const std::optional<Origin> &origin) {
  SiteFacts facts;
  facts.access = access.access;
  facts.align = access.align.value();
  if (const auto *width = dyn_cast<ConstantInt>(access.width)) facts.width = width->getZExtValue();
  if (access.value) facts.written = access.value->getType();
  if (origin) {
    facts.kind = origin->kind;
    facts.object = origin->name;
    facts.argument = origin->argument;
  }
  return sites_.site(instruction, facts);
}

void MemoryChecker::check(Instruction &instruction, const CheckedAccess &access) {
  const std::optional<Origin> origin = finder_.origin(access.pointer);
  if (origin && origin->is_trusted) return;
  const bool is_variable = origin && origin->bytes && origin->kind == UPSWEEP_OBJECT_PRIVATE;
  // The bounds of an argument that is itself misaligned fail; other accesses test their own address.
  const bool is_aligned_like_arguments = finder_.alignment(access.pointer) >= access.align;
  const std::optional<Provenance> place =
      finder_.of(access.pointer, access.access, is_aligned_like_arguments ? access.align : Align(1));
  if (!place) return;
  const Align align = is_variable || is_aligned_like_arguments ? Align(1) : access.align;
  if (align == Align(1) && is_provable(instruction, *place, access.width)) return;
  IRBuilder<> builder(&instruction);
  Constant *null = ConstantPointerNull::get(builder.getPtrTy());
  // Lanes keep private variables interleaved, unless their address is used. check_arrays() has reported their accesses.
  const bool is_silent = access.is_silent || is_variable || (origin && origin->is_constant);
  add_check(builder, Ups::kCheck,
            {is_variable ? null : access.pointer, place->start, place->bytes, access.width, builder.getInt64(align.value()),
             is_silent ? null : site(instruction, access, origin)});
}

void MemoryChecker::run() {
  SmallVector<Instruction *, 64> all;
  for (Instruction &instruction : instructions(item_)) all.push_back(&instruction);
  for (Instruction *instruction : all)
    for (const CheckedAccess &access : checked_accesses(*instruction)) check(*instruction, access);
  check_images(item_, finder_, sites_);
  check_strings(item_, finder_, sites_);
}

}  // namespace

void check_memory(Kernel &kernel, Program &program) {
  MemoryChecker(kernel, program.functions->getResult<ScalarEvolutionAnalysis>(*kernel.item)).run();
  kernel.item->removeFnAttr(Attribute::NullPointerIsValid);
  program.functions->clear(*kernel.item, kernel.item->getName());
}

}  // namespace upsweep::passes
