// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Landlock's system calls. Constants are ours: the headers of Debian 12 know its first versions only.
#ifndef UPSWEEP_COMPILER_SAFETY_LANDLOCK_H
#define UPSWEEP_COMPILER_SAFETY_LANDLOCK_H

#include <span>
#include <string>

namespace upsweep::compiler {

/// 0 without Landlock in the kernel, or where it is switched off.
[[nodiscard]] int landlock_version();

/// Takes every right to files away but to read below the folders; and, as far as the version has them, TCP, signals to and
/// abstract sockets of other processes. Needs no_new_privs. False with errno when the kernel refuses.
[[nodiscard]] bool restrict_files(int version, std::span<const std::string> folders);

}  // namespace upsweep::compiler
#endif
