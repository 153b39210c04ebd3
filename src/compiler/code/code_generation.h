// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compiles the CPU's LLVM IR to assembly, a relocatable object or a shared object, in memory.
#ifndef UPSWEEP_COMPILER_CODE_CODE_GENERATION_H
#define UPSWEEP_COMPILER_CODE_CODE_GENERATION_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/CodeGen.h"
#include "llvm/Target/TargetMachine.h"

#include <memory>
#include <string>

namespace upsweep::compiler {

/// Builds tables of x86's code generation that last for the whole process; this takes 0.7 ms.
void make_shared_tables();

/// `cpu` is an LLVM processor name; native means this computer's processor with its exact features.
[[nodiscard]] llvm::Expected<std::unique_ptr<llvm::TargetMachine>> make_cpu_target_machine(const std::string &cpu,
                                                                                           bool optimise);

/// An error if this computer lacks an instruction set of the processor.
[[nodiscard]] llvm::Error check_executable(const std::string &cpu);

/// `verify`: runs LLVM's verifier before and after the back end's passes.
[[nodiscard]] llvm::Expected<llvm::SmallVector<char, 0>> generate_code(llvm::Module &module, llvm::TargetMachine &machine,
                                                                       llvm::CodeGenFileType type, bool verify);

/// Runs LLD in this process. `objects` are relocatable ELF objects; unused sections are dropped.
[[nodiscard]] llvm::Expected<llvm::SmallVector<char, 0>> link_shared_object(llvm::ArrayRef<llvm::StringRef> objects);

}  // namespace upsweep::compiler
#endif
