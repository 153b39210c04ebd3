// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the server does before its first fork, so that no child has to: tables of Clang and LLVM filled, code paged in, library
// loaded.
#ifndef UPSWEEP_COMPILER_WARM_UP_H
#define UPSWEEP_COMPILER_WARM_UP_H

#include "compiler/session.h"

namespace upsweep::compiler {

/// Loads another part of the library, 0.3 ms; false when nothing is left to load.
bool load_ahead(Session &session);

/// Compiles something small and throws it away.
void warm_up();

}  // namespace upsweep::compiler
#endif
