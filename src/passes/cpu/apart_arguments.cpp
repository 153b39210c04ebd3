// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds the loops, copies the body, and adds metadata that separates the arguments' memory.
#include "passes/cpu/apart_arguments.h"

#include "passes/common/flat_memory.h"
#include "passes/common/long_functions.h"
#include "passes/common/optimise.h"
#include "passes/cpu/kernel_arguments.h"

#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/SmallSet.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/Cloning.h>

using namespace llvm;

namespace upsweep::passes {
namespace {

constexpr unsigned kMostItemInstructions = 1000;

/// The bases of accesses.
class Bases {
public:
  Bases(const Function &item, const KernelDescription &kernel) : layout_(item.getParent()->getDataLayout()) {
    for (const ArgumentDescription &argument : kernel.arguments)
      if (argument.kind == ArgumentKind::kGlobal || argument.kind == ArgumentKind::kConstant) offsets_.insert(argument.offset);
  }
  [[nodiscard]] bool are_any() const { return !offsets_.empty(); }

  /// The offset, in the argument block, of the pointer on which an access is based, or kLocalMemory.
  [[nodiscard]] std::optional<uint32_t> argument_of(const Instruction &access) const {
    const Value *object = object_of(access);
    if (object && (uses_local_variable(object) || intrinsic_of(*object) == Ups::kLocal)) return kLocalMemory;
    auto *load = dyn_cast_if_present<LoadInst>(object);
    if (!load || !load->hasMetadata(LLVMContext::MD_invariant_load)) return std::nullopt;
    APInt offset(64, 0);
    const Value *block = load->getPointerOperand()->stripAndAccumulateConstantOffsets(layout_, offset, false);
    if (intrinsic_of(*block) != Ups::kArguments) return std::nullopt;
    const auto bytes = static_cast<uint32_t>(offset.getZExtValue());
    return offsets_.contains(bytes) ? std::optional(bytes) : std::nullopt;
  }
  [[nodiscard]] static bool is_private(const Instruction &access) { return isa_and_present<AllocaInst>(object_of(access)); }

private:
  /// Variables and arguments in local memory count as one argument that overlaps no other.
  static constexpr uint32_t kLocalMemory = 1U << 31;  // not a valid offset: an argument block has some KiB

  static const Value *object_of(const Instruction &access) {
    const Value *pointer = getLoadStorePointerOperand(&access);
    return pointer ? getUnderlyingObject(pointer, /*MaxLookup=*/0) : nullptr;
  }

  const DataLayout &layout_;
  SmallSet<uint32_t, 8> offsets_;
};

/// Whether an access could be moved out of the loop if the arguments did not overlap.
bool gains(const Loop &loop, const Bases &bases) {
  SmallSet<uint32_t, 8> read, written, kept;  // kept: accessed at a constant address
  for (const BasicBlock *block : loop.blocks())
    for (const Instruction &instruction : *block) {
      if (!instruction.mayReadOrWriteMemory() || instruction.isLifetimeStartOrEnd()) continue;
      const Value *pointer = getLoadStorePointerOperand(&instruction);
      if (!pointer || instruction.isAtomic() || instruction.isVolatile()) return false;
      if (Bases::is_private(instruction)) continue;
      const std::optional<uint32_t> argument = bases.argument_of(instruction);
      if (!argument) return false;
      (instruction.mayWriteToMemory() ? written : read).insert(*argument);
      if (loop.isLoopInvariant(pointer)) kept.insert(*argument);
    }
  return any_of(kept, [&](uint32_t argument) {
    const bool is_written = written.contains(argument);
    const auto is_other = [&](uint32_t other) { return other != argument; };
    return any_of(written, is_other) || (is_written && any_of(read, is_other));
  });
}

/// Copies the item's blocks; a branch at the start will select the version.
SmallVector<BasicBlock *, 16> copy_body(Function &item) {
  SmallVector<BasicBlock *, 16> blocks, copies;
  for (BasicBlock &block : item) blocks.push_back(&block);
  BasicBlock *start = BasicBlock::Create(item.getContext(), "start", &item, blocks[0]);
  for (Instruction &instruction : make_early_inc_range(*blocks[0]))
    if (isa<AllocaInst>(instruction)) instruction.moveBefore(*start, start->end());
  ValueToValueMapTy map;
  for (BasicBlock *block : blocks) {
    copies.push_back(CloneBasicBlock(block, map, ".apart", &item));
    map[block] = copies.back();
  }
  remapInstructionsInBlocks(copies, map);
  Module &module = *item.getParent();
  IRBuilder<> builder(start);
  Value *apart = builder.CreateCall(declare_query(module, Ups::kArgumentsApart, builder.getInt1Ty()));
  builder.CreateCondBr(apart, copies[0], blocks[0]);
  return copies;
}

void tell_apart(ArrayRef<BasicBlock *> blocks, const Bases &bases) {
  LLVMContext &context = blocks[0]->getContext();
  MDBuilder metadata(context);
  MDNode *domain = metadata.createAnonymousAliasScopeDomain("arguments");
  MapVector<uint32_t, Metadata *> scopes;
  MapVector<Instruction *, uint32_t> accesses;
  for (BasicBlock *block : blocks)
    for (Instruction &instruction : *block)
      if (const auto argument = bases.argument_of(instruction)) {
        accesses[&instruction] = *argument;
        Metadata *&scope = scopes[*argument];
        if (!scope) scope = metadata.createAnonymousAliasScope(domain);
      }
  for (auto &[access, argument] : accesses) {
    SmallVector<Metadata *, 8> others;
    for (auto &[other, scope] : scopes)
      if (other != argument) others.push_back(scope);
    access->setMetadata(LLVMContext::MD_alias_scope, MDNode::get(context, {scopes[argument]}));
    access->setMetadata(LLVMContext::MD_noalias, MDNode::get(context, others));
  }
}

}  // namespace

void make_apart_version(Kernel &kernel, Program &program) {
  Function &item = *kernel.item;
  const Bases bases(item, kernel.description);
  const bool is_debugged = item.getSubprogram() && program.options.checks.is_empty();
  if (!program.options.optimise || !bases.are_any() || item.getInstructionCount() > kMostItemInstructions || is_debugged)
    return;
  const LoopInfo &loops = program.functions->getResult<LoopAnalysis>(item);
  if (none_of(loops.getLoopsInPreorder(), [&](const Loop *loop) { return gains(*loop, bases); })) return;
  const SmallVector<BasicBlock *, 16> copies = copy_body(item);
  tell_apart(copies, bases);
  FunctionPassManager passes = invariant_passes();
  program.functions->invalidate(item, PreservedAnalyses::none());
  run_on(item, passes, *program.functions);
}

}  // namespace upsweep::passes
