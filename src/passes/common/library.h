// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The OpenCL C library for passes: modules that each hold some of its functions and are loaded on demand. A kernel uses a few
// of 14,000 functions, and loading all, even without bodies, takes 20 ms.
#ifndef UPSWEEP_PASSES_COMMON_LIBRARY_H
#define UPSWEEP_PASSES_COMMON_LIBRARY_H

#include <llvm/IR/Module.h>
#include <llvm/Object/Archive.h>
#include <llvm/Support/Error.h>

#include <memory>
#include <vector>

namespace upsweep::passes {

class Library {
public:
  /// `archive`: the output of src/builtins/split_library.cpp; it must outlive the library.
  [[nodiscard]] static llvm::Expected<std::unique_ptr<Library>> open(llvm::StringRef archive, llvm::LLVMContext &context,
                                                                     bool has_intrinsics = false);

  /// The definition of a function or variable, possibly with an unparsed body (materialize()); null if the library has none.
  [[nodiscard]] llvm::Expected<llvm::GlobalObject *> find(llvm::StringRef name);

private:
  Library(llvm::LLVMContext &context, bool has_intrinsics) : context_(context), has_intrinsics_(has_intrinsics) {}
  llvm::Error load(size_t part);

  llvm::LLVMContext &context_;
  bool has_intrinsics_;
  std::vector<llvm::MemoryBufferRef> parts_;
  std::vector<std::unique_ptr<llvm::Module>> modules_;  ///< one per part; null until loaded
};

}  // namespace upsweep::passes

#endif
