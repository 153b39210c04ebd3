// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Measures each string, up to the end of its object, before the call.
#include "passes/cpu/check/check_strings.h"

#include "passes/common/intrinsics.h"
#include "passes/common/link_builtins.h"
#include "passes/cpu/check/access.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/InstIterator.h>

using namespace llvm;

namespace upsweep::passes {
namespace {

/// The operands of a call that `%s` prints.
SmallVector<unsigned, 4> string_operands(const CallInst &call) {
  StringRef format;
  if (!getConstantStringInfo(call.getArgOperand(0), format)) return {};
  SmallVector<unsigned, 4> found;
  for (unsigned operand = 1; !format.empty(); ++operand) {
    format = format.drop_until([](char c) { return c == '%'; }).drop_front(format.contains('%') ? 1 : 0);
    format = format.drop_while([](char c) { return StringRef("-+ #0123456789.vhl").contains(c); });
    if (format.empty()) break;
    if (format.front() == '%') --operand;
    if (format.front() == 's' && operand < call.arg_size()) found.push_back(operand);
    format = format.drop_front();
  }
  return found;
}

/// `i64 (ptr string, i64 room)`: the string's bytes with its end, or room + 1 if it does not end in `room` bytes.
Function *measure(Module &module) {
  constexpr StringLiteral kName = "upsweep.string.bytes";
  if (Function *known = module.getFunction(kName)) return known;
  LLVMContext &context = module.getContext();
  Type *i64 = Type::getInt64Ty(context), *byte = Type::getInt8Ty(context);
  auto *type = FunctionType::get(i64, {PointerType::get(context, 0), i64}, false);
  auto *function = Function::Create(type, GlobalValue::InternalLinkage, kName, module);
  function->addFnAttr(Attribute::NoInline);
  function->addFnAttr(kLibraryAttribute);
  function->setOnlyReadsMemory();
  function->setDoesNotThrow();
  BasicBlock *entry = BasicBlock::Create(context, "entry", function), *loop = BasicBlock::Create(context, "loop", function);
  BasicBlock *inside = BasicBlock::Create(context, "inside", function), *end = BasicBlock::Create(context, "end", function);
  BranchInst::Create(loop, entry);
  IRBuilder<> builder(loop);
  PHINode *index = builder.CreatePHI(i64, 2);
  Value *next = builder.CreateAdd(index, builder.getInt64(1));
  builder.CreateCondBr(builder.CreateICmpULT(index, function->getArg(1)), inside, end);
  builder.SetInsertPoint(inside);
  Value *letter = builder.CreateLoad(byte, builder.CreateGEP(byte, function->getArg(0), index));
  builder.CreateCondBr(builder.CreateIsNull(letter), end, loop);
  index->addIncoming(builder.getInt64(0), entry);
  index->addIncoming(next, inside);
  builder.SetInsertPoint(end);
  builder.CreateRet(next);
  return function;
}

void check_string(CallInst &call, unsigned operand, ProvenanceFinder &finder, SiteTable &sites) {
  Value *string = call.getArgOperand(operand);
  StringRef known;
  if (!string->getType()->isPointerTy()) return;
  if (getConstantStringInfo(string, known, /*TrimAtNul=*/false) && known.contains('\0')) return;
  const std::optional<Provenance> place = finder.of(string, UPSWEEP_READS);
  if (!place) return;
  SiteFacts facts;
  facts.access = UPSWEEP_READS;
  if (const std::optional<Origin> origin = finder.origin(string)) {
    facts.kind = origin->kind;
    facts.object = origin->name;
    facts.argument = origin->argument;
  }
  IRBuilder<> builder(&call);
  Value *room = builder.CreateBinaryIntrinsic(Intrinsic::usub_sat, place->bytes, place->start);
  Value *width = builder.CreateCall(measure(*call.getModule()), {string, room});
  add_check(builder, Ups::kCheckIndex,
            {string, place->start, place->bytes, width, builder.getInt64(1), sites.site(call, facts)});
  Value *null = ConstantPointerNull::get(cast<PointerType>(string->getType()));
  call.setArgOperand(operand, builder.CreateSelect(is_inside(builder, place->start, place->bytes, width), string, null));
}

}  // namespace

void check_strings(Function &item, ProvenanceFinder &finder, SiteTable &sites) {
  SmallVector<CallInst *, 4> calls;
  for (Instruction &instruction : instructions(item))
    if (intrinsic_of(instruction) == Ups::kPrintf) calls.push_back(cast<CallInst>(&instruction));
  for (CallInst *call : calls)
    for (const unsigned operand : string_operands(*call)) check_string(*call, operand, finder, sites);
}

}  // namespace upsweep::passes
