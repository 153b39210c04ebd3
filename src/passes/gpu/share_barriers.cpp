// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The memory has two halves, which meetings use alternately. A warp that writes to a half again has passed the other half's
// barrier, after which all reads of the first half are done. A half has as many places as collectives may share a barrier.
#include "passes/gpu/share_barriers.h"

#include "passes/common/intrinsics.h"
#include "passes/gpu/gpu_local_memory.h"

#include <llvm/ADT/SetVector.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicsNVPTX.h>
#include <llvm/Transforms/Utils/PromoteMemToReg.h>

using namespace llvm;

namespace upsweep::passes {
namespace {

constexpr unsigned kMostSharing = kGpuScratchBytes / 2 / kGpuPlaceBytes;

SmallVector<CallInst *, 16> calls_of(Function &function, Ups intrinsic) {
  SmallVector<CallInst *, 16> calls;
  for (Instruction &instruction : instructions(function))
    if (intrinsic_of(instruction) == intrinsic) calls.push_back(cast<CallInst>(&instruction));
  return calls;
}

/// The store to the place of `meet`: the only instruction before it that writes there; null if there is no such single
/// instruction.
CallInst *find_store(CallInst &meet) {
  SmallVector<Value *, 8> addresses{meet.getArgOperand(0)};
  CallInst *store = nullptr;
  for (unsigned i = 0; i < addresses.size(); ++i)
    for (User *user : addresses[i]->users()) {
      if (user == &meet || isa<LoadInst>(user)) continue;
      if (isa<GetElementPtrInst, AddrSpaceCastInst, PtrToIntInst>(user)) {
        addresses.push_back(user);
        continue;
      }
      auto *call = dyn_cast<CallInst>(user);
      if (!call || !call->isInlineAsm() || (store && store != call)) return nullptr;
      store = call;
    }
  return store && store->getParent() == meet.getParent() && store->comesBefore(&meet) ? store : nullptr;
}

bool can_move_up(const Instruction &instruction) {
  if (const auto *load = dyn_cast<LoadInst>(&instruction)) return load->hasMetadata(LLVMContext::MD_invariant_load);
  if (const auto *call = dyn_cast<CallBase>(&instruction))
    return call->onlyAccessesInaccessibleMemory() && call->doesNotThrow();
  return !instruction.mayReadOrWriteMemory() && !isa<PHINode>(instruction);
}

/// The instructions after `point` in its block on which `store` depends, itself included, in order; empty if it cannot be moved
/// there.
SmallVector<Instruction *, 16> find_needs(Instruction &store, const Instruction &point) {
  SetVector<Instruction *> needs;
  needs.insert(&store);
  for (unsigned i = 0; i < needs.size(); ++i)
    for (Value *operand : needs[i]->operands()) {
      auto *instruction = dyn_cast<Instruction>(operand);
      if (!instruction || instruction->getParent() != point.getParent() || instruction->comesBefore(&point)) continue;
      if (instruction == &point || !can_move_up(*instruction)) return {};
      needs.insert(instruction);
    }
  SmallVector<Instruction *, 16> ordered(needs.begin(), needs.end());
  sort(ordered, [](const Instruction *a, const Instruction *b) { return a->comesBefore(b); });
  return ordered;
}

/// Collectives that share a barrier.
struct Meeting {
  CallInst *place, *meet;
  unsigned sharing;
};

bool join(CallInst &meet, Meeting &meeting) {
  auto *place = dyn_cast<CallInst>(meet.getArgOperand(0));
  CallInst *store = find_store(meet);
  if (!place || !store || meeting.sharing == kMostSharing || meeting.meet->getParent() != meet.getParent()) return false;
  if (!store->comesBefore(meeting.meet)) {
    const auto needs = find_needs(*store, *meeting.meet);
    if (needs.empty()) return false;
    for (Instruction *instruction : needs)
      if (instruction != place) instruction->moveBefore(meeting.meet);
  }
  IRBuilder<> builder(meeting.place->getNextNode());
  place->replaceAllUsesWith(
      builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), meeting.place, kGpuPlaceBytes * meeting.sharing++));
  place->eraseFromParent();
  meet.eraseFromParent();
  return true;
}

/// Returns the maximum number of collectives that share a barrier.
unsigned share(Function &function) {
  Meeting meeting{};
  unsigned most = 1;
  for (CallInst *meet : calls_of(function, Ups::kPlaceBarrier)) {
    if (meeting.meet && join(*meet, meeting)) {
      most = std::max(most, meeting.sharing);
      continue;
    }
    auto *place = dyn_cast<CallInst>(meet->getArgOperand(0));
    meeting = place && find_store(*meet) ? Meeting{place, meet, 1} : Meeting{};
  }
  return most;
}

void lower(Function &function, unsigned most_sharing) {
  const uint64_t half_bytes = most_sharing * kGpuPlaceBytes;
  GlobalVariable *scratch = gpu_scratch(*function.getParent(), 2 * half_bytes);
  IRBuilder<> builder(&function.getEntryBlock(), function.getEntryBlock().begin());
  AllocaInst *half = builder.CreateAlloca(builder.getInt64Ty(), nullptr, "half");
  builder.CreateStore(builder.getInt64(0), half);
  for (CallInst *place : calls_of(function, Ups::kPlace)) {
    builder.SetInsertPoint(place);
    Value *other = builder.CreateXor(builder.CreateLoad(builder.getInt64Ty(), half), half_bytes);
    builder.CreateStore(other, half);
    place->replaceAllUsesWith(builder.CreateInBoundsGEP(builder.getInt8Ty(), scratch, other));
    place->eraseFromParent();
  }
  for (CallInst *meet : calls_of(function, Ups::kPlaceBarrier)) {
    builder.SetInsertPoint(meet);
    builder.CreateIntrinsic(Intrinsic::nvvm_barrier0, {}, {});
    meet->eraseFromParent();
  }
  DominatorTree tree(function);
  PromoteMemToReg(half, tree);
}

}  // namespace

PreservedAnalyses ShareBarriers::run(Function &function, FunctionAnalysisManager &) {
  if (calls_of(function, Ups::kPlace).empty()) return PreservedAnalyses::all();
  lower(function, share(function));
  return PreservedAnalyses::none();
}

}  // namespace upsweep::passes
