// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Confines a compiling process. A source that exploits a bug of Clang, LLVM or LLD reaches user files only below the folders
// that a build may read, and neither the network nor other processes.
#ifndef UPSWEEP_COMPILER_SAFETY_SANDBOX_H
#define UPSWEEP_COMPILER_SAFETY_SANDBOX_H

#include <span>
#include <string>

namespace upsweep::compiler {

struct SandboxSupport {
  int landlock = 0;      ///< version of the kernel's Landlock; 0: none
  bool seccomp = false;  ///< whether system calls can be filtered
};

[[nodiscard]] SandboxSupport sandbox_support();

/// A text for users, such as "Landlock version 7, seccomp".
[[nodiscard]] std::string describe(const SandboxSupport &support);

/// Confines this single-threaded process permanently: it can only read files below `folders`, can only write to open
/// descriptors, and cannot start programs or connect to anything. Skips protections that the kernel lacks; `failed` names
/// protections that it has but refused.
struct Confinement {
  SandboxSupport in_force;
  std::string failed;
};
[[nodiscard]] Confinement confine(std::span<const std::string> folders);

}  // namespace upsweep::compiler
#endif
