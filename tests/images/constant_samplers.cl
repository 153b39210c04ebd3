// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Samplers that the compiler knows, in every form that the language has: SAMPLER_0 and SAMPLER_1 are their values.
#ifdef DEPTH
#define BITS(value) as_uint4((float4)(value, 0, 0, 0))
#else
#define BITS(value) as_uint4(value)
#endif

#define READ(sampler) out[get_global_id(0)] = BITS(read_imagef(image, sampler, at[get_global_id(0)].AT))

#define FORMS(n)                                                                                                 \
  constant sampler_t constant_##n = SAMPLER_##n;                                                                 \
  const sampler_t const_##n = SAMPLER_##n;                                                                       \
  kernel void program_constant_##n(read_only IMAGE image, global const float4 *at, global uint4 *out) {          \
    READ(constant_##n);                                                                                          \
  }                                                                                                              \
  kernel void program_const_##n(read_only IMAGE image, global const float4 *at, global uint4 *out) {             \
    READ(const_##n);                                                                                             \
  }                                                                                                              \
  kernel void kernel_scope_##n(read_only IMAGE image, global const float4 *at, global uint4 *out) {              \
    const sampler_t sampler = SAMPLER_##n;                                                                       \
    READ(sampler);                                                                                               \
  }                                                                                                              \
  kernel void macro_##n(read_only IMAGE image, global const float4 *at, global uint4 *out) { READ(SAMPLER_##n); } \
  uint4 through_function_##n(read_only IMAGE image, sampler_t sampler, float4 at) {                              \
    return BITS(read_imagef(image, sampler, at.AT));                                                             \
  }                                                                                                              \
  kernel void function_##n(read_only IMAGE image, global const float4 *at, global uint4 *out) {                  \
    out[get_global_id(0)] = through_function_##n(image, constant_##n, at[get_global_id(0)]);                     \
  }

FORMS(0)
FORMS(1)
