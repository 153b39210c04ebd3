// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Traverses the call graph and visits each function once.
#include "passes/cpu/stack_use.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

using namespace llvm;

namespace upsweep::passes {
namespace {

class StackUse {
public:
  uint64_t of(const Function &function) {
    uint64_t most = deepest(function);
    // The parts of a coroutine are called through pointers, from the same loop as its first part.
    for (unsigned i = 0; i < pointed_to_.size(); ++i) most = std::max(most, deepest(*pointed_to_[i]));
    return most;
  }

private:
  uint64_t deepest(const Function &function) {
    if (auto [found, is_new] = known_.try_emplace(&function, 0); !is_new) return found->second;
    uint64_t own = 0, below = 0;
    for (const Instruction &instruction : instructions(function)) {
      if (auto *variable = dyn_cast<AllocaInst>(&instruction))
        if (std::optional<TypeSize> size = variable->getAllocationSize(function.getDataLayout())) own += *size;
      auto *call = dyn_cast<CallBase>(&instruction);
      for (const Use &operand : instruction.operands()) {
        auto *other = dyn_cast<Function>(operand.get());
        if (other && call && call->isCallee(&operand))
          below = std::max(below, deepest(*other));
        else if (other)
          pointed_to_.insert(other);
      }
    }
    return known_[&function] = own + below;
  }

  DenseMap<const Function *, uint64_t> known_;
  SmallSetVector<const Function *, 8> pointed_to_;
};

}  // namespace

uint64_t stack_bytes(const Function &function) { return StackUse().of(function); }

}  // namespace upsweep::passes
