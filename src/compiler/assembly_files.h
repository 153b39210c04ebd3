// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Files that inline assembly names: `.include`, `.incbin`. LLVM's assembler opens them without Clang's file system.
#ifndef UPSWEEP_COMPILER_ASSEMBLY_FILES_H
#define UPSWEEP_COMPILER_ASSEMBLY_FILES_H

namespace upsweep::compiler {

/// True when the assembler has opened a file, or tried to, in this process: results since then are for nobody else.
[[nodiscard]] bool assembly_read_a_file();

}  // namespace upsweep::compiler
#endif
