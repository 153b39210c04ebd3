// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Clang, from OpenCL C to the portable module: unoptimised LLVM IR for spir64 with annotations for optimisers, in which OpenCL
// library functions are still calls. Needs no file of the installation at run time.
//
// Data for targets in the module, besides Clang's own kernel metadata, including kernel_arg_name:
//   function attribute "upsweep-argument-info"   on kernels built with -cl-kernel-arg-info
//   function attribute "upsweep-opt-disable"     on functions built with -cl-opt-disable
#ifndef UPSWEEP_COMPILER_LANGUAGE_FRONTEND_H
#define UPSWEEP_COMPILER_LANGUAGE_FRONTEND_H

#include "base/features.h"
#include "compiler/client/protocol.h"
#include "compiler/options.h"
#include "compiler/safety/readable_folders.h"

#include "llvm/IR/Module.h"

#include <memory>

namespace upsweep::compiler {

struct FrontendInput {
  std::string name;  ///< the source's name in diagnostics
  std::string_view source;
  std::span<const Header> headers;
  const Options &options;
  FeatureColumn features = FeatureColumn::kCpu;  ///< of the target device
  bool for_cpu = false;                          ///< inline assembly is x86's and is checked here
  const ReadableFolders *folders = nullptr;      ///< folders that may be read; null: no restriction
  bool has_folder = true;                        ///< false: relative names are not found
};

struct FrontendOutput {
  std::unique_ptr<llvm::Module> module;  ///< null if the source is wrong
  std::string log;
  std::vector<Dependency> dependencies;  ///< files outside the input
  bool reproducible = true;              ///< false if it depends on __TIME__ or similar
  bool folder_matters = false;           ///< true if it depends on the current folder
};

/// Relative -I folders and quoted includes are relative to the current directory.
[[nodiscard]] FrontendOutput run_frontend(llvm::LLVMContext &context, const FrontendInput &input);

}  // namespace upsweep::compiler
#endif
