// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A constant sampler, SAMPLER, in every form of the language.
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

// A uniform choice that the compiler cannot predict: first one sampler, then the other.
kernel void choice_first(ARGUMENTS, sampler_t other) { READ(get_global_size(0) > 0 ? constant_sampler : other); }
kernel void choice_second(ARGUMENTS, sampler_t other) {
  sampler_t sampler = get_global_size(0) == 0 ? constant_sampler : other;
  READ(sampler);
}

// Integer colours need a sampler with the nearest filter; integer coordinates need an unnormalised sampler.
#ifndef DEPTH
constant sampler_t nearest = NEAREST, nearest_at_ints = NEAREST_AT_INTS;
#define INTEGERS(name, function)                                                                                               \
  kernel void name##_at_floats(ARGUMENTS) {                                                                                    \
    out[get_global_id(0)] = as_uint4(function(image, nearest, at[get_global_id(0)].AT));                                       \
  }                                                                                                                            \
  kernel void name##_at_ints(read_only IMAGE image, global const int4 *at, global uint4 *out) {                                \
    out[get_global_id(0)] = as_uint4(function(image, nearest_at_ints, at[get_global_id(0)].AT));                               \
  }
INTEGERS(signed, read_imagei)
INTEGERS(unsigned, read_imageui)
#endif
