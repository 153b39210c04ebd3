// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lines of the source in assembly: directives `.loc`.
#ifndef UPSWEEP_COMPILER_CODE_ASSEMBLY_LINES_H
#define UPSWEEP_COMPILER_CODE_ASSEMBLY_LINES_H

#include <llvm/IR/Module.h>

namespace upsweep::compiler {

/// Gives each function that the passes wrote a subprogram, without which the back end leaves out the lines of its instructions.
/// Expects the code after the pipeline. Does nothing unless the module has tables of lines alone: with `-g`, only scalar code
/// has lines.
void name_written_functions(llvm::Module &module);

}  // namespace upsweep::compiler
#endif
