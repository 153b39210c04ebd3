// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The three ways to build a program: from source or binary to an executable, from source to an object, from objects to an
// executable or a library. Each asks the compiler once for devices that need the same.
#ifndef UPSWEEP_RUNTIME_OBJECTS_PROGRAM_BUILD_H
#define UPSWEEP_RUNTIME_OBJECTS_PROGRAM_BUILD_H

#include "compiler/client/compiler.h"
#include "runtime/objects/program.h"
#include <span>
#include <string>
#include <vector>

namespace upsweep {

/// The value of CL_PROGRAM_BINARY_TYPE for a program binary; nothing when it is damaged or foreign.
std::optional<cl_program_binary_type> binary_type(ByteSpan binary);

// All of these run between Program::begin_build and the application's callback. They return how the build went: kSuccess when
// it succeeded for every device.

/// clBuildProgram.
compiler::Status build_program(Program &program, std::span<const size_t> indices, const std::string &options);

/// clCompileProgram.
compiler::Status compile_program(Program &program, std::span<const size_t> indices, const compiler::SourceRequest &request);

/// clLinkProgram: inputs[i] are the binaries to link for indices[i].
compiler::Status link_program(Program &program, std::span<const size_t> indices, const std::vector<std::vector<Bytes>> &inputs,
                              const std::string &options);

}  // namespace upsweep
#endif
