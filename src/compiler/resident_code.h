// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Keeps the program's own code in memory of its own.
#pragma once

namespace upsweep::compiler {

/// Moves the program's code and constants to anonymous memory of large pages, at the same addresses. A forked child finds
/// them mapped, where it would have to fault in pages of the file one by one. Takes some tens of milliseconds and as much
/// memory as the program is large; for a process with one thread. Where it cannot be done, all stays as it is.
void keep_code_resident();

}  // namespace upsweep::compiler
