// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The three ways to build a program: source or binary to executable, source to object, objects to executable or library. Each
// calls the compiler once for devices that need the same result.
#ifndef UPSWEEP_RUNTIME_OBJECTS_PROGRAM_BUILD_H
#define UPSWEEP_RUNTIME_OBJECTS_PROGRAM_BUILD_H

#include "compiler/client/compiler.h"
#include "runtime/objects/program.h"
#include <span>
#include <string>
#include <vector>

namespace upsweep {

/// The CL_PROGRAM_BINARY_TYPE of a program binary; empty if it is damaged or foreign.
std::optional<cl_program_binary_type> binary_type(ByteSpan binary);

// Call these between Program::begin_build() and the application's callback. They return kSuccess if the build succeeded for
// every device.

/// clBuildProgram.
compiler::Status build_program(Program &program, std::span<const size_t> indices, const std::string &options);

/// clCompileProgram.
compiler::Status compile_program(Program &program, std::span<const size_t> indices, const compiler::SourceRequest &request);

/// clLinkProgram: inputs[i] are the binaries for indices[i].
compiler::Status link_program(Program &program, std::span<const size_t> indices, const std::vector<std::vector<Bytes>> &inputs,
                              const std::string &options);

}  // namespace upsweep
#endif
