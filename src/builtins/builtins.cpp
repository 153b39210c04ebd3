// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Embeds the linked library.
#include "builtins/builtins.h"

__asm__(".section .rodata\n"
        ".p2align 6\n"
        "upsweep_builtins_begin:\n"
        ".incbin \"" UPSWEEP_BUILTINS "\"\n"
        "upsweep_builtins_end:\n"
        ".byte 0\n"
        ".previous\n");

extern "C" const char upsweep_builtins_begin[];
extern "C" const char upsweep_builtins_end[];

namespace upsweep {

std::string_view builtins_archive() {
  return {upsweep_builtins_begin, static_cast<std::size_t>(upsweep_builtins_end - upsweep_builtins_begin)};
}

} // namespace upsweep
