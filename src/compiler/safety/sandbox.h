// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Confines a process that compiles: a fault of Clang, LLVM or LLD that a source could make use of reaches no file of the user's
// but those below the folders that a build may read, no network and no other process.
#ifndef UPSWEEP_COMPILER_SAFETY_SANDBOX_H
#define UPSWEEP_COMPILER_SAFETY_SANDBOX_H

#include <span>
#include <string>

namespace upsweep::compiler {

struct SandboxSupport {
  int landlock = 0;      ///< version of Landlock that the kernel has; 0: none
  bool seccomp = false;  ///< system calls can be filtered
};

[[nodiscard]] SandboxSupport sandbox_support();

/// A line for people: "Landlock version 7, seccomp".
[[nodiscard]] std::string describe(const SandboxSupport &support);

/// From here on this process (of one thread) reads files below `folders` only; it writes to what is open, starts no program and
/// connects to nothing. For ever. What the kernel lacks is left out; `failed` names what it has and refused.
struct Confinement {
  SandboxSupport in_force;
  std::string failed;
};
[[nodiscard]] Confinement confine(std::span<const std::string> folders);

}  // namespace upsweep::compiler
#endif
