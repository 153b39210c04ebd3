// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions as the front end leaves them: calling conventions, attributes, and the metadata of kernels.
#ifndef UPSWEEP_COMPILER_SPIRV_KERNELS_H
#define UPSWEEP_COMPILER_SPIRV_KERNELS_H

#include "compiler/spirv/reader.h"

namespace upsweep::compiler::spirv {

/// `head` is the OpFunction, `body` all instructions from it to the end.
void set_function_attributes(const Reader &reader, llvm::Function &function, const Instruction &head,
                             llvm::ArrayRef<Instruction> body);
/// The arguments and the execution modes of an entry point.
void describe_kernel(const Reader &reader, llvm::Function &kernel, const EntryPoint &entry, llvm::ArrayRef<Instruction> body);
/// Flags and versions of the module.
void finish_module(const Reader &reader);

}  // namespace upsweep::compiler::spirv
#endif
