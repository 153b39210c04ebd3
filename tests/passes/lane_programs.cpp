// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Draws the programs.
#include "lane_programs.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/NoFolder.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Transforms/Utils/LCSSA.h>
#include <llvm/Transforms/Utils/LoopSimplify.h>

using namespace llvm;

namespace upsweep::tests {
namespace {

constexpr unsigned kDeepest = 3;

class Drawing {
public:
  Drawing(Function &item, std::mt19937_64 &random) : item_(item), random_(random), b_(item.getContext()) {}

  void run() {
    b_.SetInsertPoint(BasicBlock::Create(item_.getContext(), "entry", &item_));
    for (Argument &argument : item_.args()) (argument.getType()->isPointerTy() ? pointers_ : numbers_).push_back(&argument);
    auto local_id = item_.getParent()->getOrInsertFunction("__ups_local_id", b_.getInt64Ty(), b_.getInt32Ty());
    Value *id = b_.CreateCall(local_id, b_.getInt32(0), "id");
    numbers_.push_back(id);
    numbers_.push_back(b_.CreateTrunc(id, b_.getInt32Ty(), "i"));
    body(0, false);
    b_.CreateRetVoid();
  }

private:
  uint64_t below(uint64_t n) { return random_() % n; }
  bool chance(unsigned percent) { return below(100) < percent; }

  IntegerType *any_type() {
    constexpr unsigned kBits[] = {8, 16, 32, 32, 32, 64, 64, 64};
    return b_.getIntNTy(kBits[below(8)]);
  }

  /// Prefers late values: chains find more faults than bushes.
  Value *pick(const std::vector<Value *> &from) {
    const uint64_t back = std::min(below(from.size()), below(from.size()));
    return from[from.size() - 1 - back];
  }

  Value *as(Value *value, IntegerType *type) {
    const unsigned from = value->getType()->getIntegerBitWidth(), to = type->getBitWidth();
    if (from == to) return value;
    Value *made = from > to    ? b_.CreateTrunc(value, type)
                  : chance(50) ? b_.CreateZExt(value, type)
                               : b_.CreateSExt(value, type);
    return flagged(made);
  }

  Value *constant(IntegerType *type) {
    constexpr int64_t kEdges[] = {0,         1,        2, 3, 4, 5, 7, 8, 16, 31, 255, -1, -2, -4, 0x7fffffff, -0x80000000LL,
                                  1LL << 32, INT64_MIN};
    return ConstantInt::get(type, static_cast<uint64_t>(chance(80) ? kEdges[below(18)] : static_cast<int64_t>(random_())),
                            true);
  }

  Value *flagged(Value *value) {
    auto *made = dyn_cast<Instruction>(value);
    if (!made || !chance(40)) return value;
    if (isa<OverflowingBinaryOperator, TruncInst>(made)) {
      if (chance(50)) made->setHasNoUnsignedWrap(true);
      if (chance(50)) made->setHasNoSignedWrap(true);
    }
    if (isa<PossiblyExactOperator>(made)) made->setIsExact(true);
    if (auto *join = dyn_cast<PossiblyDisjointInst>(made)) join->setIsDisjoint(true);
    if (isa<PossiblyNonNegInst>(made)) made->setNonNeg(true);
    return made;
  }

  void keep(Value *value) { (value->getType()->isPointerTy() ? pointers_ : numbers_).push_back(value); }

  void number() {
    IntegerType *type = any_type();
    Value *a = as(pick(numbers_), type);
    Value *other = chance(55) ? constant(type) : as(pick(numbers_), type);
    const unsigned bits = type->getBitWidth();
    switch (below(13)) {
    case 0:
    case 1: return keep(flagged(b_.CreateAdd(a, other)));
    case 2: return keep(flagged(b_.CreateSub(a, other)));
    case 3: return keep(flagged(b_.CreateSub(other, a)));
    case 4: return keep(flagged(b_.CreateMul(a, chance(70) ? b_.getIntN(bits, 1 + below(5)) : other)));
    case 5: return keep(flagged(b_.CreateShl(a, below(chance(50) ? 4 : bits))));
    case 6: return keep(flagged(b_.CreateLShr(a, below(chance(50) ? 4 : bits))));
    case 7: return keep(flagged(b_.CreateAShr(a, below(chance(50) ? 4 : bits))));
    case 8:
      return keep(b_.CreateAnd(a, chance(60) ? ConstantInt::get(type, APInt::getLowBitsSet(bits, 1 + below(bits))) : other));
    case 9: {
      // Bits that are disjoint if `a` is small, as behind a guard.
      auto *join = BinaryOperator::CreateOr(a, ConstantInt::get(type, APInt(bits, 1 + below(3)) << (2 + below(bits - 3))));
      cast<PossiblyDisjointInst>(join)->setIsDisjoint(true);
      return keep(b_.Insert(join));
    }
    case 10: return keep(flagged(b_.CreateXor(a, other)));
    case 11: {
      Value *divisor = b_.CreateOr(other, 1);  // safe_division.h
      return keep(chance(50) ? b_.CreateURem(a, divisor) : b_.CreateUDiv(a, divisor));
    }
    default:
      if (chance(30)) return keep(b_.CreateFreeze(a));
      return keep(b_.CreateSelect(condition(), a, other));
    }
  }

  /// A few bits of a number: a left shift and a right shift, with a sum between them.
  void few_bits() {
    if (chance(30)) {
      // A narrow number that may wrap, extended between the shifts.
      const uint64_t back = 1 + below(4);
      Value *narrow = b_.CreateSub(b_.CreateShl(as(pick(numbers_), b_.getInt32Ty()), back), b_.getInt32(64));
      return keep(b_.CreateLShr(b_.CreateZExt(narrow, b_.getInt64Ty()), back));
    }
    IntegerType *type = chance(50) ? b_.getInt32Ty() : b_.getInt64Ty();
    const unsigned bits = type->getBitWidth(), left = 1 + below(bits - 1), right = chance(60) ? left : below(bits);
    Value *value = b_.CreateShl(as(pick(numbers_), type), left);
    if (chance(60)) value = b_.CreateAdd(value, b_.CreateShl(constant(type), left));
    keep(chance(50) ? b_.CreateLShr(value, right) : b_.CreateAShr(value, right));
  }

  /// An index that wraps in some lanes, its address, and an access by the other lanes only.
  void guarded_access() {
    Value *index = pick(numbers_);
    auto *type = cast<IntegerType>(index->getType());
    index = chance(70) ? b_.CreateSub(index, b_.getIntN(type->getBitWidth(), below(12))) : b_.CreateSub(index, constant(type));
    Value *limit = b_.getIntN(type->getBitWidth(), uint64_t{4} << below(3));
    BasicBlock *then = block("reach"), *after = block("beyond");
    Type *element = chance(50) ? b_.getInt8Ty() : b_.getInt32Ty();
    const bool before = chance(50);
    auto place = [&] {
      Value *wide = chance(30) ? index : as(index, b_.getInt64Ty());
      return b_.CreateGEP(element, pick(pointers_), wide);
    };
    Value *address = before ? place() : nullptr;
    if (before && chance(30)) keep(b_.CreateAlignedLoad(any_type(), address, Align(1)));
    b_.CreateCondBr(b_.CreateICmp(chance(80) ? CmpInst::ICMP_ULT : CmpInst::ICMP_SGE, index, limit), then, after);
    b_.SetInsertPoint(then);
    b_.CreateAlignedStore(index, before ? address : place(), Align(1));
    b_.CreateBr(after);
    b_.SetInsertPoint(after);
  }

  Value *condition() {
    Value *a = pick(numbers_);
    constexpr CmpInst::Predicate kPredicates[] = {CmpInst::ICMP_ULT, CmpInst::ICMP_ULT, CmpInst::ICMP_UGT,
                                                  CmpInst::ICMP_SLT, CmpInst::ICMP_SGE, CmpInst::ICMP_NE};
    auto *type = cast<IntegerType>(a->getType());
    Value *limit = chance(60) ? ConstantInt::get(type, uint64_t{1} << below(5)) : constant(type);
    return b_.CreateICmp(kPredicates[below(6)], a, limit);
  }

  void address() {
    Type *elements[] = {b_.getInt8Ty(), b_.getInt16Ty(), b_.getInt32Ty(), b_.getInt64Ty()};
    Value *index = chance(15) ? pick(numbers_) : as(pick(numbers_), b_.getInt64Ty());
    Value *made = b_.CreateGEP(elements[below(4)], pick(pointers_), index);
    if (chance(10)) keep(b_.CreatePtrToInt(made, b_.getInt64Ty()));
    keep(made);
  }

  void access() {
    Value *pointer = pick(pointers_);
    if (chance(60))
      keep(b_.CreateAlignedLoad(any_type(), pointer, Align(1)));
    else
      b_.CreateAlignedStore(pick(numbers_), pointer, Align(1));
  }

  void body(unsigned depth, bool in_loop) {
    const size_t numbers = numbers_.size(), pointers = pointers_.size();
    for (uint64_t count = 3 + below(6); count > 0; --count) {
      switch (below(14)) {
      case 12: few_bits(); break;
      case 13: guarded_access(); break;
      case 0:
      case 1: address(); break;
      case 2:
      case 3: access(); break;
      case 4:
        if (depth < kDeepest) guard(depth, in_loop);
        break;
      case 5:
        if (depth < kDeepest && !in_loop) loop(depth);
        break;
      default: number(); break;
      }
    }
    if (depth == 0) return;
    // Numbers from inside the block are not visible behind it.
    numbers_.resize(numbers);
    pointers_.resize(pointers);
  }

  BasicBlock *block(const char *name) { return BasicBlock::Create(item_.getContext(), name, &item_); }

  void guard(unsigned depth, bool in_loop) {
    BasicBlock *then = block("then"), *after = block("after"), *before = b_.GetInsertBlock();
    Value *outside = pick(numbers_);
    b_.CreateCondBr(condition(), then, after);
    b_.SetInsertPoint(then);
    body(depth + 1, in_loop);
    Value *inside = b_.CreateAdd(outside, b_.getIntN(outside->getType()->getIntegerBitWidth(), below(2)));
    BasicBlock *end = b_.GetInsertBlock();
    b_.CreateBr(after);
    b_.SetInsertPoint(after);
    PHINode *joined = b_.CreatePHI(outside->getType(), 2);
    joined->addIncoming(outside, before);
    joined->addIncoming(inside, end);
    keep(joined);
  }

  void loop(unsigned depth) {
    BasicBlock *head = block("head"), *after = block("behind"), *before = b_.GetInsertBlock();
    Value *start = pick(numbers_), *place = pick(pointers_);
    b_.CreateBr(head);
    b_.SetInsertPoint(head);
    PHINode *round = b_.CreatePHI(b_.getInt32Ty(), 2, "round");
    PHINode *stepping = b_.CreatePHI(start->getType(), 2), *moving = b_.CreatePHI(place->getType(), 2);
    keep(round), keep(stepping), keep(moving);
    body(depth + 1, true);
    Value *next = b_.CreateAdd(round, b_.getInt32(1));
    Value *stepped = flagged(b_.CreateAdd(stepping, as(constant(b_.getInt64Ty()), cast<IntegerType>(start->getType()))));
    Value *moved = b_.CreateGEP(b_.getInt8Ty(), moving, b_.getInt64(below(64)));
    round->addIncoming(b_.getInt32(0), before), round->addIncoming(next, b_.GetInsertBlock());
    stepping->addIncoming(start, before), stepping->addIncoming(stepped, b_.GetInsertBlock());
    moving->addIncoming(place, before), moving->addIncoming(moved, b_.GetInsertBlock());
    b_.CreateCondBr(b_.CreateICmpULT(next, b_.getInt32(1 + below(3))), head, after);
    b_.SetInsertPoint(after);
    numbers_.pop_back(), numbers_.pop_back(), pointers_.pop_back();
    keep(stepped);
  }

  Function &item_;
  std::mt19937_64 &random_;
  IRBuilder<NoFolder> b_;
  std::vector<Value *> numbers_, pointers_;
};

}  // namespace

Function *draw_item(Module &module, std::mt19937_64 &random) {
  LLVMContext &context = module.getContext();
  Type *i64 = Type::getInt64Ty(context), *i32 = Type::getInt32Ty(context), *pointer = PointerType::getUnqual(context);
  auto *type = FunctionType::get(Type::getVoidTy(context), {i64, i64, i32, i32, pointer}, false);
  Function *item = Function::Create(type, GlobalValue::ExternalLinkage, "drawn", module);
  Drawing(*item, random).run();
  FunctionAnalysisManager analyses;
  PassBuilder().registerFunctionAnalyses(analyses);
  FunctionPassManager passes;
  passes.addPass(LoopSimplifyPass());
  passes.addPass(LCSSAPass());
  passes.run(*item, analyses);
  return item;
}

}  // namespace upsweep::tests
