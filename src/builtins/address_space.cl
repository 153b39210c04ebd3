// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Address space qualifier functions (specification: "Address Space Qualifier Functions"). Clang turns to_global, to_local and to_private
// into calls of functions with two leading underscores.
#include "library.h"

__attribute__((always_inline)) __local void *__to_local(__generic void *p) {
  return __ups_is_local(p) ? (__local void *)p : (__local void *)0;
}
__attribute__((always_inline)) __private void *__to_private(__generic void *p) {
  return __ups_is_private(p) ? (__private void *)p : (__private void *)0;
}
__attribute__((always_inline)) __global void *__to_global(__generic void *p) {
  return __ups_is_local(p) || __ups_is_private(p) ? (__global void *)0 : (__global void *)p;
}

SMALL cl_mem_fence_flags get_fence(const __generic void *p) {
  return __ups_is_local(p) ? CLK_LOCAL_MEM_FENCE : CLK_GLOBAL_MEM_FENCE;
}
SMALL cl_mem_fence_flags get_fence(__generic void *p) { return get_fence((const __generic void *)p); }
