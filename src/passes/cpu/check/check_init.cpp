// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs the writer of shadows.
#include "passes/cpu/check/check_init.h"

#include "passes/cpu/check/shadow_writer.h"

namespace upsweep::passes {

void check_init(Kernel &kernel, Program &program) {
  ShadowWriter(*kernel.item, kernel.description).run();
  program.functions->clear(*kernel.item, kernel.item->getName());
}

}  // namespace upsweep::passes
