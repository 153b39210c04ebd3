// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Embeds files whose paths the build system gives. Uses the assembler's .incbin instead of #embed, whose files ccache does not
// see.
#include "compiler/embedded/embedded_files.h"

#define UPSWEEP_EMBED(name, path)                                                                                              \
  __asm__(".section .rodata\n.p2align 6\n" #name "_begin:\n.incbin \"" path "\"\n" #name "_end:\n.byte 0\n.previous\n");       \
  extern "C" const char name##_begin[];                                                                                        \
  extern "C" const char name##_end[];

UPSWEEP_EMBED(upsweep_opencl_base, UPSWEEP_OPENCL_BASE)
UPSWEEP_EMBED(upsweep_own_functions, UPSWEEP_OWN_FUNCTIONS)
UPSWEEP_EMBED(upsweep_system_c, UPSWEEP_SYSTEM_C)
UPSWEEP_EMBED(upsweep_system_m, UPSWEEP_SYSTEM_M)
UPSWEEP_EMBED(upsweep_system_gcc_s, UPSWEEP_SYSTEM_GCC_S)

namespace upsweep::compiler {
namespace {

std::string_view between(const char *begin, const char *end) { return {begin, static_cast<size_t>(end - begin)}; }

}  // namespace

std::string_view opencl_base_header() { return between(upsweep_opencl_base_begin, upsweep_opencl_base_end); }

std::string_view own_functions_list() { return between(upsweep_own_functions_begin, upsweep_own_functions_end); }

std::array<std::string_view, 3> system_libraries() {
  return {between(upsweep_system_c_begin, upsweep_system_c_end), between(upsweep_system_m_begin, upsweep_system_m_end),
          between(upsweep_system_gcc_s_begin, upsweep_system_gcc_s_end)};
}

}  // namespace upsweep::compiler
