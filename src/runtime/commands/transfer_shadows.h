// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The effect of transfers on the shadow of memory, for the check of initialisation.
#ifndef UPSWEEP_RUNTIME_COMMANDS_TRANSFER_SHADOWS_H
#define UPSWEEP_RUNTIME_COMMANDS_TRANSFER_SHADOWS_H

#include "runtime/commands/transfer.h"

namespace upsweep {

/// After the transfer has run in host memory: its bytes are written, or copies of unwritten bytes; a read by the host is an
/// output.
void follow_shadows(const Transfer &transfer);

}  // namespace upsweep
#endif
