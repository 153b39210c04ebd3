// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Embeds the linked libraries.
#include "builtins/builtins.h"

#define UPSWEEP_EMBED(name, file) \
  __asm__(".section .rodata\n" \
          ".p2align 6\n" name "_begin:\n" \
          ".incbin \"" file "\"\n" name "_end:\n" \
          ".byte 0\n" \
          ".previous\n")

UPSWEEP_EMBED("upsweep_builtins", UPSWEEP_BUILTINS);
UPSWEEP_EMBED("upsweep_builtins_nvptx", UPSWEEP_BUILTINS_NVPTX);

extern "C" const char upsweep_builtins_begin[], upsweep_builtins_end[];
extern "C" const char upsweep_builtins_nvptx_begin[], upsweep_builtins_nvptx_end[];

namespace upsweep {

std::string_view builtins_archive() {
  return {upsweep_builtins_begin, static_cast<std::size_t>(upsweep_builtins_end - upsweep_builtins_begin)};
}

std::string_view nvptx_builtins_archive() {
  return {upsweep_builtins_nvptx_begin, static_cast<std::size_t>(upsweep_builtins_nvptx_end - upsweep_builtins_nvptx_begin)};
}

} // namespace upsweep
