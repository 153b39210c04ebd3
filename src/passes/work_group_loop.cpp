// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The loops over the units of a work-group, built so that a work-group of few units costs little.
#include "passes/work_group_loop.h"

#include "passes/group_layout.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

using namespace llvm;

namespace upsweep::passes {
namespace {

/// Position of a unit: linear local id and local id of its first work-item.
struct Position {
  PHINode *first, *x, *y, *z;
};

class LoopBuilder {
public:
  LoopBuilder(const Units &units, Function &entry) : units_(units), entry_(entry), builder_(entry.getContext()) {}
  void build();

private:
  BasicBlock *block(const char *name) { return BasicBlock::Create(builder_.getContext(), name, &entry_); }
  Value *local_size(unsigned dimension) {
    Value *size = load_group_size(builder_, entry_.getArg(0), offsetof(UpsweepGroup, local_size), dimension);
    return builder_.CreateTrunc(size, builder_.getInt32Ty());
  }
  void call_unit(const Position &at, Value *size_x);
  void advance(const Position &at, BasicBlock *loop, BasicBlock *exit, ArrayRef<Value *> sizes);

  const Units &units_;
  Function &entry_;
  IRBuilder<> builder_;
};

void LoopBuilder::call_unit(const Position &at, Value *size_x) {
  Value *arguments[] = {entry_.getArg(0), at.first, at.x, at.y, at.z};
  if (!units_.part) {
    builder_.CreateCall(units_.full, arguments);
    return;
  }
  BasicBlock *full = block("full"), *part = block("part"), *next = block("next");
  Value *end = builder_.CreateAdd(at.x, builder_.getInt32(units_.lanes), "", /*HasNUW=*/true, /*HasNSW=*/true);
  builder_.CreateCondBr(builder_.CreateICmpULE(end, size_x), full, part);
  builder_.SetInsertPoint(full);
  builder_.CreateCall(units_.full, arguments);
  builder_.CreateBr(next);
  builder_.SetInsertPoint(part);
  builder_.CreateCall(units_.part, arguments);
  builder_.CreateBr(next);
  builder_.SetInsertPoint(next);
}

// The next unit starts `lanes` work-items further, perhaps some rows on.
void LoopBuilder::advance(const Position &at, BasicBlock *loop, BasicBlock *exit, ArrayRef<Value *> sizes) {
  Value *lanes = builder_.getInt32(units_.lanes);
  Value *zero = builder_.getInt32(0), *one = builder_.getInt32(1);
  Value *first = builder_.CreateNUWAdd(at.first, lanes);
  Value *next_x = builder_.CreateNUWAdd(at.x, lanes);
  BasicBlock *same_row = builder_.GetInsertBlock();
  BasicBlock *more = block("more"), *wrap = block("wrap");
  builder_.CreateCondBr(builder_.CreateICmpULT(next_x, sizes[0]), loop, wrap);

  builder_.SetInsertPoint(wrap);
  PHINode *x = builder_.CreatePHI(builder_.getInt32Ty(), 2, "x"), *y = builder_.CreatePHI(builder_.getInt32Ty(), 2, "y"),
          *z = builder_.CreatePHI(builder_.getInt32Ty(), 2, "z");
  Value *wrapped_x = builder_.CreateNUWSub(x, sizes[0]);
  Value *wrapped_y = builder_.CreateNUWAdd(y, one);
  Value *end_of_plane = builder_.CreateICmpEQ(wrapped_y, sizes[1]);
  Value *after_y = builder_.CreateSelect(end_of_plane, zero, wrapped_y);
  Value *after_z = builder_.CreateSelect(end_of_plane, builder_.CreateNUWAdd(z, one), z);
  Value *past_row = builder_.CreateICmpUGE(wrapped_x, sizes[0]);
  Value *in_group = builder_.CreateICmpULT(after_z, sizes[2]);
  builder_.CreateCondBr(builder_.CreateLogicalAnd(past_row, in_group), wrap, more);
  builder_.SetInsertPoint(more);
  builder_.CreateCondBr(in_group, loop, exit);

  auto join = [&](PHINode *phi, Value *from_row, Value *from_wrap) {
    phi->addIncoming(from_row, same_row);
    phi->addIncoming(from_wrap, more);
  };
  join(at.first, first, first);
  join(at.x, next_x, wrapped_x);
  join(at.y, at.y, after_y);
  join(at.z, at.z, after_z);
  x->addIncoming(next_x, same_row), x->addIncoming(wrapped_x, wrap);
  y->addIncoming(at.y, same_row), y->addIncoming(after_y, wrap);
  z->addIncoming(at.z, same_row), z->addIncoming(after_z, wrap);
}

void LoopBuilder::build() {
  BasicBlock *start = block("start"), *loop = block("unit");
  BasicBlock *exit = block("exit");
  builder_.SetInsertPoint(start);
  Value *sizes[] = {local_size(0), local_size(1), local_size(2)};
  builder_.CreateBr(loop);
  builder_.SetInsertPoint(loop);
  Position at;
  for (auto [phi, name] : {std::pair(&at.first, "first"), std::pair(&at.x, "x"), std::pair(&at.y, "y"), std::pair(&at.z, "z")}) {
    *phi = builder_.CreatePHI(builder_.getInt32Ty(), 3, name);
    (*phi)->addIncoming(builder_.getInt32(0), start);
  }
  call_unit(at, sizes[0]);
  advance(at, loop, exit, sizes);
  builder_.SetInsertPoint(exit);
  builder_.CreateRetVoid();
}

} // namespace

Function *make_work_group_loop(const Units &units, StringRef kernel) {
  Module &module = *units.full->getParent();
  LLVMContext &context = module.getContext();
  auto *type = FunctionType::get(Type::getVoidTy(context), PointerType::get(context, 0), false);
  Function *entry = Function::Create(type, GlobalValue::InternalLinkage, kernel + ".entry", module);
  entry->addFnAttrs(AttrBuilder(context, units.full->getAttributes().getFnAttrs()));
  entry->removeFnAttr(Attribute::AlwaysInline);
  entry->getArg(0)->setName("group");
  LoopBuilder(units, *entry).build();
  return entry;
}

} // namespace upsweep::passes
