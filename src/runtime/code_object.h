// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Code that a target has loaded for one program: its kernels, and its copy of the program-scope variables.
#ifndef UPSWEEP_RUNTIME_CODE_OBJECT_H
#define UPSWEEP_RUNTIME_CODE_OBJECT_H

#include "base/kernel_description.h"
#include "base/reference.h"
#include <optional>
#include <span>
#include <string_view>

namespace upsweep {

/// A program-scope variable that the host may access (cl_intel_global_variable_access).
struct ProgramVariable {
  char *address;
  uint64_t bytes;
  bool host_reads, host_writes;
};

class CodeObject : public Counted {
public:
  /// In source order; valid while the code object lives.
  virtual std::span<const KernelDescription> kernels() const = 0;
  /// CL_PROGRAM_BUILD_GLOBAL_VARIABLE_TOTAL_SIZE.
  virtual uint64_t program_scope_bytes() const = 0;
  /// Empty if no variable of the host has this name.
  virtual std::optional<ProgramVariable> variable(std::string_view) const { return std::nullopt; }

  /// Null if no kernel has this name.
  const KernelDescription *find(std::string_view name) const {
    for (const KernelDescription &kernel : kernels())
      if (name == kernel.name) return &kernel;
    return nullptr;
  }
};

}  // namespace upsweep
#endif
