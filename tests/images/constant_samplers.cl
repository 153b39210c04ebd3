// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A sampler that the compiler knows, SAMPLER, in every form that the language has.
#ifdef DEPTH
#define BITS(value) as_uint4((float4)(value, 0, 0, 0))
#else
#define BITS(value) as_uint4(value)
#endif

#define ARGUMENTS read_only IMAGE image, global const float4 *at, global uint4 *out
#define READ(sampler) out[get_global_id(0)] = BITS(read_imagef(image, sampler, at[get_global_id(0)].AT))

constant sampler_t constant_sampler = SAMPLER;
const sampler_t const_sampler = SAMPLER;

uint4 read_by(read_only IMAGE image, sampler_t sampler, float4 at) { return BITS(read_imagef(image, sampler, at.AT)); }

kernel void program_constant(ARGUMENTS) { READ(constant_sampler); }
kernel void program_const(ARGUMENTS) { READ(const_sampler); }
kernel void kernel_scope(ARGUMENTS) {
  const sampler_t sampler = SAMPLER;
  READ(sampler);
}
kernel void macro(ARGUMENTS) { READ(SAMPLER); }
kernel void function(ARGUMENTS) { out[get_global_id(0)] = read_by(image, constant_sampler, at[get_global_id(0)]); }
