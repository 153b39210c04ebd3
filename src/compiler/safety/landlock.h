// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Landlock's system calls. Defines its own constants, since Debian 12's headers only know the first versions.
#ifndef UPSWEEP_COMPILER_SAFETY_LANDLOCK_H
#define UPSWEEP_COMPILER_SAFETY_LANDLOCK_H

#include <span>
#include <string>

namespace upsweep::compiler {

/// 0 if the kernel has no Landlock or it is disabled.
[[nodiscard]] int landlock_version();

/// Removes all rights to files except reading below the folders; and, if the version supports it, TCP, signals to other
/// processes, and their abstract sockets. Needs no_new_privs. False, with errno set, if the kernel refuses.
[[nodiscard]] bool restrict_files(int version, std::span<const std::string> folders);

}  // namespace upsweep::compiler
#endif
