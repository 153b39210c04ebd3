// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The process's one compiler server: started when needed, started again when it died or the process has got other rights, never
// shared across fork.
#ifndef UPSWEEP_COMPILER_CLIENT_CONNECTION_H
#define UPSWEEP_COMPILER_CLIENT_CONNECTION_H

#include "compiler/client/protocol.h"

namespace upsweep::compiler {

/// Sends a request and waits for its end; a reply of any outcome. Thread-safe; requests run side by side, and wait for their
/// turn in the order in which they came. `build_id` is the compiler's; a server of another compiler is replaced.
[[nodiscard]] Result ask_server(const Request &request, const std::string &build_id);

}  // namespace upsweep::compiler
#endif
