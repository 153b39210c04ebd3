// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `upsweepc --server`: answers the requests on descriptor 3, each in a forked child with limits of time and memory.
#ifndef UPSWEEP_COMPILER_SERVER_SERVER_H
#define UPSWEEP_COMPILER_SERVER_SERVER_H

namespace upsweep::compiler {

/// Returns the exit status when the last client is gone.
int run_server();

}  // namespace upsweep::compiler
#endif
