// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Code that a target has loaded for one program: its kernels, and its copy of the program-scope variables.
#ifndef UPSWEEP_RUNTIME_CODE_OBJECT_H
#define UPSWEEP_RUNTIME_CODE_OBJECT_H

#include "base/kernel_description.h"
#include "base/reference.h"
#include <span>
#include <string_view>

namespace upsweep {

class CodeObject : public Counted {
public:
  /// In source order; valid while the code object lives.
  virtual std::span<const KernelDescription> kernels() const = 0;
  /// CL_PROGRAM_BUILD_GLOBAL_VARIABLE_TOTAL_SIZE.
  virtual uint64_t program_scope_bytes() const = 0;

  /// Null if no kernel has this name.
  const KernelDescription *find(std::string_view name) const {
    for (const KernelDescription &kernel : kernels())
      if (name == kernel.name) return &kernel;
    return nullptr;
  }
};

}  // namespace upsweep
#endif
