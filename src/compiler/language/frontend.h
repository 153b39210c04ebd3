// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Clang, from OpenCL C to the portable module: LLVM IR for spir64, unoptimised but with the facts an optimiser wants, OpenCL
// library functions still calls. No file of the installation is needed at run time.
//
// What a target finds in the module besides Clang's own kernel metadata, kernel_arg_name included:
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
  std::string name;  ///< how diagnostics call the source
  std::string_view source;
  std::span<const Header> headers;
  const Options &options;
  FeatureColumn features = FeatureColumn::kCpu;  ///< of the device that the code is for
  bool for_cpu = false;                          ///< inline assembly is known to be x86's, and checked here
  const ReadableFolders *folders = nullptr;      ///< what may be read; null: all that the user can read
  bool has_folder = true;                        ///< false: nothing is found by a relative name
};

struct FrontendOutput {
  std::unique_ptr<llvm::Module> module;  ///< null when the source is wrong
  std::string log;
  std::vector<Dependency> dependencies;  ///< files outside the input
  bool reproducible = true;              ///< false when it depends on __TIME__ and its like
  bool folder_matters = false;           ///< true when it depends on the current folder
};

/// Relative -I folders and quoted includes are looked up from the current directory.
[[nodiscard]] FrontendOutput run_frontend(llvm::LLVMContext &context, const FrontendInput &input);

}  // namespace upsweep::compiler
#endif
