// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finding upsweepc and starting `upsweepc --server`, so that the application does not notice: no signal, no child to wait for,
// no descriptor of its own kept open.
#ifndef UPSWEEP_COMPILER_CLIENT_SERVER_PROCESS_H
#define UPSWEEP_COMPILER_CLIENT_SERVER_PROCESS_H

#include "compiler/client/unique_fd.h"

#include <string>

namespace upsweep::compiler {

/// UPSWEEP_COMPILER, or upsweepc in ../bin or ../../bin beside the file that this code is in. Empty when there is none.
[[nodiscard]] const std::string &compiler_path();

/// Why compiler_build_id() is empty, in words for the build log.
[[nodiscard]] std::string why_no_compiler();

/// Changes whenever the compiler does: its size and times of change, of which the last cannot be set by hand. Empty when there
/// is none.
[[nodiscard]] std::string compiler_build_id();

/// The client's end of the control socket of a new server; invalid, with the reason in errno, when it cannot be started. The
/// server ends when every copy of that end is closed, so also when the application is killed.
[[nodiscard]] UniqueFd start_server();

}  // namespace upsweep::compiler
#endif
