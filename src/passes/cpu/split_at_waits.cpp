// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Implements waits as suspension points of LLVM's switched-resume coroutines. LLVM finds the values that are live across them
// and lays out the frames. The driver provides the memory, so nothing is allocated.
#include "passes/cpu/split_at_waits.h"

#include "passes/cpu/unit_state.h"
#include "targets/cpu/kernel_abi.h"

#include <llvm/ADT/StringSwitch.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/PassManager.h>
#include <llvm/Transforms/Coroutines/CoroCleanup.h>
#include <llvm/Transforms/Coroutines/CoroSplit.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

using namespace llvm;

namespace upsweep::passes {
namespace {

bool is_wait(Ups intrinsic) {
  return intrinsic == Ups::kWorkGroupBarrier || intrinsic == Ups::kYield || intrinsic == Ups::kAwaitLanes;
}

// A unit that never waits, beside a unit that does: it immediately reports that it is done.
void report_done(Function &unit) {
  for (BasicBlock &block : unit) {
    auto *exit = dyn_cast<ReturnInst>(block.getTerminator());
    if (!exit) continue;
    IRBuilder<> builder(exit);
    builder.CreateStore(builder.getInt32(kDone),
                        builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), unit.getArg(5), kUnitRecordOffset));
  }
}

class CoroutineMaker {
public:
  explicit CoroutineMaker(Function &unit) : unit_(unit), builder_(unit.getContext()) {}
  void run();

private:
  void begin();
  void suspend(CallInst &wait);
  void end_at(ReturnInst &exit);
  void set_state(Value *state) { builder_.CreateStore(state, record_); }  // the record's first field

  Function &unit_;
  IRBuilder<> builder_;
  AllocaInst *record_ = nullptr;
  Value *handle_ = nullptr;
  BasicBlock *end_ = nullptr;
};

void CoroutineMaker::begin() {
  Constant *null = ConstantPointerNull::get(builder_.getPtrTy());
  BasicBlock &entry = unit_.getEntryBlock();
  builder_.SetInsertPoint(&entry, entry.begin());
  record_ = builder_.CreateAlloca(unit_record_type(unit_.getContext()), nullptr, "record");
  // LLVM requires the promise's alloca after the entry's other allocas, and all of them before coro.begin.
  builder_.SetInsertPoint(&entry, entry.getFirstNonPHIOrDbgOrAlloca());
  Value *id =
      builder_.CreateIntrinsic(Intrinsic::coro_id, {}, {builder_.getInt32(UPSWEEP_MEMORY_ALIGN), record_, &unit_, null});
  Value *bytes = builder_.CreateIntrinsic(Intrinsic::coro_size, {builder_.getInt64Ty()}, {});
  Value *align = builder_.CreateIntrinsic(Intrinsic::coro_align, {builder_.getInt64Ty()}, {});
  builder_.CreateCall(
      // Holds the frame's size and alignment until take_frame() reads them.
      unit_.getParent()->getOrInsertFunction(name_of(Ups::kFrame), builder_.getVoidTy(), bytes->getType(), align->getType()),
      {bytes, align});
  handle_ = builder_.CreateIntrinsic(Intrinsic::coro_begin, {}, {id, unit_.getArg(5)});

  end_ = BasicBlock::Create(unit_.getContext(), "suspended", &unit_);
  builder_.SetInsertPoint(end_);
  builder_.CreateIntrinsic(Intrinsic::coro_end, {}, {handle_, builder_.getFalse(), ConstantTokenNone::get(unit_.getContext())});
  builder_.CreateRetVoid();
}

void CoroutineMaker::suspend(CallInst &wait) {
  const Ups intrinsic = intrinsic_of(wait);
  BasicBlock *before = wait.getParent();
  BasicBlock *after = SplitBlock(before, wait.getNextNode());
  before->getTerminator()->eraseFromParent();
  builder_.SetInsertPoint(before);
  if (intrinsic == Ups::kAwaitLanes)
    set_state(wait.getArgOperand(0));
  else
    set_state(builder_.getInt32(intrinsic == Ups::kYield ? kYielded : kAtBarrier));
  Value *how =
      builder_.CreateIntrinsic(Intrinsic::coro_suspend, {}, {ConstantTokenNone::get(unit_.getContext()), builder_.getFalse()});
  SwitchInst *resumed = builder_.CreateSwitch(how, end_, 1);
  resumed->addCase(builder_.getInt8(0), after);
  wait.eraseFromParent();
}

void CoroutineMaker::end_at(ReturnInst &exit) {
  builder_.SetInsertPoint(&exit);
  set_state(builder_.getInt32(kDone));
  builder_.CreateBr(end_);
  exit.eraseFromParent();
}

void CoroutineMaker::run() {
  SmallVector<CallInst *, 8> wait_calls;
  SmallVector<ReturnInst *, 4> exits;
  SmallVector<CallInst *, 8> records;
  for (Instruction &instruction : instructions(unit_)) {
    const Ups intrinsic = intrinsic_of(instruction);
    if (is_wait(intrinsic))
      wait_calls.push_back(cast<CallInst>(&instruction));
    else if (intrinsic == Ups::kUnitRecord)
      records.push_back(cast<CallInst>(&instruction));
    if (auto *exit = dyn_cast<ReturnInst>(&instruction)) exits.push_back(exit);
  }
  begin();
  for (CallInst *call : records) {
    call->replaceAllUsesWith(record_);
    call->eraseFromParent();
  }
  // Starts with the last call, since a split moves all following instructions.
  for (CallInst *call : reverse(wait_calls)) suspend(*call);
  for (ReturnInst *exit : exits) end_at(*exit);
  unit_.setPresplitCoroutine();
}

bool is_quick(const Instruction &instruction) {
  if (instruction.hasMetadata(LLVMContext::MD_invariant_load)) return true;
  return isa<CastInst>(instruction) || isa<GetElementPtrInst>(instruction) || isa<BinaryOperator>(instruction) ||
         isa<CmpInst>(instruction) || isa<SelectInst>(instruction);
}

/// The instructions that compute a value from constants, arguments and `sources` other values.
struct Recipe {
  unsigned instructions = 0;
  unsigned sources = 0;

  void add(const Value &value) {
    constexpr unsigned kLongest = 16;  // a work-item's address: sizes, offsets and ids loaded from the group
    const auto *instruction = dyn_cast<Instruction>(&value);
    if (!instruction || instructions > kLongest) return;
    if (!is_quick(*instruction)) {
      ++sources;
      return;
    }
    ++instructions;
    for (const Value *operand : instruction->operands()) add(*operand);
  }
};

// Work-group sizes, ids and arguments are as fast to load again as from a frame, and so is a value that few instructions
// compute from one value in the frame. This does not hold for a sum over the work-group's barriers: its recipe would keep every
// term in the frame and repeat all additions at each barrier (50 s for 200 of them).
bool is_recomputed(Instruction &instruction) {
  constexpr unsigned kLongest = 16, kLongestOfSource = 4;
  if (!is_quick(instruction)) return false;
  // An address of a private variable must be computed again, since the variable moves into the frame.
  if (instruction.getType()->isPtrOrPtrVectorTy()) return true;
  Recipe recipe;
  recipe.add(instruction);
  // A mask takes more instructions to store than a comparison.
  const unsigned sources = isa<CmpInst>(instruction) ? 2 : 1;
  return recipe.sources <= sources && recipe.instructions <= (recipe.sources ? kLongestOfSource : kLongest);
}

}  // namespace

bool waits(const Function &unit) {
  return any_of(instructions(unit), [](const Instruction &instruction) { return is_wait(intrinsic_of(instruction)); });
}

namespace {

/// Consumes `unit`.
Function *make_coroutine(Function &unit, const Program &program) {
  SmallVector<Type *, 6> parameters(unit.getFunctionType()->params());
  parameters.push_back(PointerType::get(unit.getContext(), 0));
  auto *type = FunctionType::get(unit.getReturnType(), parameters, false);
  // The function has no callers yet, and LLVM visits the call graph from externally visible functions.
  Function *coroutine = Function::Create(type, GlobalValue::ExternalLinkage, unit.getAddressSpace(), "");
  unit.getParent()->getFunctionList().insert(unit.getIterator(), coroutine);
  coroutine->takeName(&unit);
  coroutine->copyAttributesFrom(&unit);
  coroutine->setSubprogram(unit.getSubprogram());
  coroutine->IsNewDbgInfoFormat = unit.IsNewDbgInfoFormat;
  coroutine->splice(coroutine->begin(), &unit);
  for (auto [old, argument] : zip_first(unit.args(), coroutine->args())) {
    argument.takeName(&old);
    old.replaceAllUsesWith(&argument);
  }
  coroutine->getArg(5)->setName("frame");
  program.erase(unit);
  if (waits(*coroutine))
    CoroutineMaker(*coroutine).run();
  else
    report_done(*coroutine);
  return coroutine;
}

}  // namespace

namespace {

/// Whether there was one.
bool make_coroutines(Kernel &kernel, const Program &program) {
  Units &units = kernel.units;
  units.wait = (units.full && waits(*units.full)) || (units.part && waits(*units.part));
  if (!units.wait) return false;
  for (Function **unit : {&units.full, &units.column, &units.part})
    if (*unit) *unit = make_coroutine(**unit, program);
  if (kernel.large) kernel.large->part = units.part;
  return true;
}

}  // namespace

void split_units_at_waits(Module &module, Program &program) {
  bool any = false;
  for (Kernel &kernel : program.kernels) {
    any |= kernel.scalar && make_coroutines(*kernel.scalar, program);
    any |= make_coroutines(kernel, program);
  }
  if (!any) return;
  // No analysis of the original units may remain.
  program.modules->invalidate(module, PreservedAnalyses::none());
  ModulePassManager passes;
  passes.addPass(createModuleToPostOrderCGSCCPassAdaptor(CoroSplitPass(is_recomputed, program.options.optimise)));
  passes.addPass(CoroCleanupPass());
  passes.run(module, *program.modules);
}

Frame take_frame(Function &start) {
  Frame frame;
  start.setLinkage(GlobalValue::InternalLinkage);
  for (Instruction &instruction : make_early_inc_range(instructions(start))) {
    if (intrinsic_of(instruction) != Ups::kFrame) continue;
    auto *call = cast<CallInst>(&instruction);
    frame.bytes = cast<ConstantInt>(call->getArgOperand(0))->getZExtValue();
    frame.align = Align(cast<ConstantInt>(call->getArgOperand(1))->getZExtValue());
    call->eraseFromParent();
  }
  return frame;
}

}  // namespace upsweep::passes
