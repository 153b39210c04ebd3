// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The state of one compiler run: LLVM's context, the OpenCL C library and the errors.
#ifndef UPSWEEP_COMPILER_SESSION_H
#define UPSWEEP_COMPILER_SESSION_H

#include "passes/common/library.h"

#include "llvm/IR/LLVMContext.h"
#include "llvm/Support/Error.h"

#include <memory>
#include <set>
#include <string>
#include <tuple>

namespace upsweep::compiler {

class Session {
public:
  Session();

  [[nodiscard]] llvm::LLVMContext &context() { return context_; }

  /// The OpenCL C library; opened by the first call.
  [[nodiscard]] llvm::Expected<passes::Library *> library();

  /// The functions that differ on NVIDIA GPUs, to search before library(); opened by the first call.
  [[nodiscard]] llvm::Expected<passes::Library *> nvptx_library();

  /// The functions for rows of images that code for an x86-64 level may use (passes/cpu/image_functions.h).
  [[nodiscard]] llvm::Expected<llvm::SmallVector<passes::Library *, 2>> image_rows(unsigned level);

  /// Success, or the errors that LLVM reported to the context since the last call.
  [[nodiscard]] llvm::Error take_errors();

  /// The remarks (passes/common/remarks.h) since the last call, by line and column, each with a line feed.
  [[nodiscard]] std::string take_remarks();

private:
  llvm::Expected<passes::Library *> open(std::unique_ptr<passes::Library> &library, llvm::StringRef archive);

  llvm::LLVMContext context_;
  std::unique_ptr<passes::Library> library_, nvptx_library_, image_rows_[3];
  std::string errors_;
  std::set<std::tuple<unsigned, unsigned, std::string>> remarks_;  ///< with their lines and columns
};

}  // namespace upsweep::compiler
#endif
