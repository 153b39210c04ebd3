// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Library functions that read tables, in widths with different layouts. tests/compiler/compile_kernels.py checks the sizes
// that their accesses claim.
#define KERNEL(type, function, ...)                                                                                            \
  kernel void function##_##type(global const type *in, global type *out) {                                                     \
    size_t i = get_global_id(0);                                                                                               \
    type x = in[i], y = in[i + 1];                                                                                             \
    out[i] = function(__VA_ARGS__);                                                                                            \
  }
#define ONE(type, function) KERNEL(type, function, x)
#define TWO(type, function) KERNEL(type, function, x, y)
#define FUNCTIONS(type)                                                                                                        \
  ONE(type, sin)                                                                                                               \
  ONE(type, cos)                                                                                                               \
  ONE(type, tan)                                                                                                               \
  ONE(type, exp)                                                                                                               \
  ONE(type, exp10)                                                                                                             \
  ONE(type, log)                                                                                                               \
  ONE(type, log2)                                                                                                              \
  ONE(type, cbrt) ONE(type, atan) TWO(type, atan2) TWO(type, pow) ONE(type, sinh) ONE(type, lgamma) TWO(type, fmod)
FUNCTIONS(float)
FUNCTIONS(float3)
FUNCTIONS(double)
ONE(double3, sin) ONE(double4, cos) ONE(double3, exp) ONE(double3, log) ONE(double4, cbrt) TWO(double3, atan2)
