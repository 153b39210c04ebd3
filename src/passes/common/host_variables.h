// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Variables of program scope that the host may read and write by name (cl_intel_global_variable_access). Their names are
// metadata, which stays when a pass makes a variable internal or replaces it.
#ifndef UPSWEEP_PASSES_COMMON_HOST_VARIABLES_H
#define UPSWEEP_PASSES_COMMON_HOST_VARIABLES_H

#include <cstdint>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/GlobalVariable.h>
#include <llvm/IR/Module.h>

namespace upsweep::passes {

/// SPIR-V's Host Access Qualifier.
enum HostAccess : uint32_t { kHostReads = 1, kHostWrites = 2 };

struct HostVariable {
  llvm::StringRef name;
  llvm::GlobalVariable *variable;
  uint32_t access;  ///< HostAccess bits
};

void add_host_name(llvm::GlobalVariable &variable, llvm::StringRef name, uint32_t access);

/// Adds the names of the variables in global memory that the module exports, with all accesses.
void add_exported_names(llvm::Module &module);

[[nodiscard]] llvm::SmallVector<HostVariable, 8> host_variables(llvm::Module &module);

}  // namespace upsweep::passes
#endif
