// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compiles the portable module to CPU code.
#ifndef UPSWEEP_COMPILER_CODE_CPU_TARGET_H
#define UPSWEEP_COMPILER_CODE_CPU_TARGET_H

#include "base/checks.h"
#include "compiler/session.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"

#include <string>

namespace upsweep::compiler {

struct CpuTarget {
  std::string cpu = "native";  ///< LLVM's name, or native for this computer's
  bool vector_lanes = true;    ///< sub-groups as SIMD lanes; otherwise scalar code
  Checks checks;               ///< of kernels, at run time
  bool verify = false;         ///< check the compiler's work (passes/program.h)
  bool allow_unsafe = false;   ///< UPSWEEP_ALLOW_UNSAFE_SOURCE: the shared object is not checked
};

enum class Output { kLlvm, kAssembly, kObject, kSharedObject };

/// False for a module built with -cl-opt-disable.
[[nodiscard]] bool wants_optimisation(const llvm::Module &module);

/// Bitcode of the portable module.
[[nodiscard]] llvm::SmallVector<char, 0> make_portable_module(const llvm::Module &module);

/// Consumes `module`, whose context is the session's. The output kLlvm is the text after the CPU pipeline.
[[nodiscard]] llvm::Expected<llvm::SmallVector<char, 0>> make_cpu_output(llvm::Module &module, const CpuTarget &target,
                                                                         Output output, Session &session);

}  // namespace upsweep::compiler
#endif
