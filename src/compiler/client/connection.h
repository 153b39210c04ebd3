// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The process's compiler server. It is started on demand, restarted when it died or the process's rights have changed, and
// never shared across fork().
#ifndef UPSWEEP_COMPILER_CLIENT_CONNECTION_H
#define UPSWEEP_COMPILER_CLIENT_CONNECTION_H

#include "compiler/client/protocol.h"

namespace upsweep::compiler {

/// Sends a request and waits for its result. Thread-safe; requests run concurrently, and wait in the order of their arrival.
/// `build_id` is the compiler's; a server of another compiler is replaced.
[[nodiscard]] Result ask_server(const Request &request, const std::string &build_id);

}  // namespace upsweep::compiler
#endif
