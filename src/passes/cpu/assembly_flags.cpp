// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The list is X86TargetInfo::getClobbers(). "cc", which a source may name, is not a register for LLVM.
#include "passes/cpu/assembly_flags.h"

#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

using namespace llvm;

namespace upsweep::passes {

void clobber_assembly_flags(Module &module) {
  for (Function &function : module)
    for (Instruction &instruction : instructions(function)) {
      auto *call = dyn_cast<CallBase>(&instruction);
      auto *assembly = call ? dyn_cast<InlineAsm>(call->getCalledOperand()) : nullptr;
      if (!assembly) continue;
      std::string constraints = assembly->getConstraintString();
      constraints += std::string(constraints.empty() ? "" : ",") + "~{dirflag},~{fpsr},~{flags}";
      call->setCalledOperand(InlineAsm::get(assembly->getFunctionType(), assembly->getAsmString(), constraints,
                                            assembly->hasSideEffects(), assembly->isAlignStack(), assembly->getDialect(),
                                            assembly->canThrow()));
    }
}

}  // namespace upsweep::passes
