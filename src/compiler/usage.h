// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The options of upsweepc as data, for its help, its manual page and completions. Uses no LLVM.
#ifndef UPSWEEP_COMPILER_USAGE_H
#define UPSWEEP_COMPILER_USAGE_H

#include "usage/command.h"

namespace upsweep::compiler {

/// The command `upsweepc`, with the options of clBuildProgram.
[[nodiscard]] usage::Command describe_command();

/// Values of --emit=, --target= and --lanes=, with '|' between them.
inline constexpr char kOutputKindNames[] = "shared|module|llvm|asm|object";
inline constexpr char kTargetNames[] = "cpu|cuda";
inline constexpr char kLaneNames[] = "vector|scalar";

}  // namespace upsweep::compiler
#endif
