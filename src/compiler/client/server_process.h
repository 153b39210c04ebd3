// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds upsweepc and starts `upsweepc --server` without side effects in the application: no signal, no child to wait for, no
// open descriptor of the application kept.
#ifndef UPSWEEP_COMPILER_CLIENT_SERVER_PROCESS_H
#define UPSWEEP_COMPILER_CLIENT_SERVER_PROCESS_H

#include "compiler/client/unique_fd.h"

#include <string>

namespace upsweep::compiler {

/// UPSWEEP_COMPILER, or upsweepc in ../bin or ../../bin relative to this code's file. Empty if not found.
[[nodiscard]] const std::string &compiler_path();

/// The reason why compiler_build_id() is empty, for the build log.
[[nodiscard]] std::string why_no_compiler();

/// The compiler's size, modification time and change time. A new compiler always has another id, since users cannot set the
/// change time. Empty without a compiler.
[[nodiscard]] std::string compiler_build_id();

/// The client's end of a new server's control socket; invalid, with the reason in errno, if it cannot be started. The server
/// ends when all copies of this end are closed, for example when the application is killed.
[[nodiscard]] UniqueFd start_server();

}  // namespace upsweep::compiler
#endif
