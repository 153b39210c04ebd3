// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPIR-V of the Kernel execution model, versions 1.0 to 1.6, to the portable module, as the front end for OpenCL C makes it:
// LLVM IR for spir64 in which OpenCL's library functions are calls by their mangled names, and kernels have Clang's metadata.
#ifndef UPSWEEP_COMPILER_SPIRV_READ_MODULE_H
#define UPSWEEP_COMPILER_SPIRV_READ_MODULE_H

#include "compiler/client/compiler.h"
#include "compiler/options.h"

#include "llvm/IR/Module.h"

#include <cstdint>
#include <memory>
#include <span>
#include <string>

namespace upsweep::compiler::spirv {

struct Input {
  std::span<const uint8_t> bytes;
  std::span<const Specialisation> specialisations;
  bool line_tables = false;  ///< keep the lines that the module names as debug information
};

/// True of bytes that begin with SPIR-V's magic number, in either order of bytes.
[[nodiscard]] bool is_spirv(std::span<const uint8_t> bytes);

/// Null if the module is wrong or needs a capability that is not supported; the log says which.
[[nodiscard]] std::unique_ptr<llvm::Module> read_module(llvm::LLVMContext &context, const Input &input, const Options &options,
                                                        std::string &log);

}  // namespace upsweep::compiler::spirv
#endif
