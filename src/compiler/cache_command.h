// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `upsweepc --cache=show` and `--cache=purge`, behind `upsweep cache`: the command line knows nothing of the driver's files.
#ifndef UPSWEEP_COMPILER_CACHE_COMMAND_H
#define UPSWEEP_COMPILER_CACHE_COMMAND_H

#include <string_view>

namespace upsweep::compiler {

/// Returns the exit status: 0, or 2 for another argument.
int run_cache_command(std::string_view argument);

}  // namespace upsweep::compiler
#endif
