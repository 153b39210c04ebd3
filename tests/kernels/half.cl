// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// half from wider types by plain conversions, and its fused multiply-add, with one rounding each.
#pragma OPENCL EXTENSION cl_khr_fp16 : enable

kernel void from_double(global int *out, global const double *in) {
  size_t i = get_global_id(0);
  half cast = (half)in[i];
  half4 vector = convert_half4((double4)(0.0, in[i], 1.0, -in[i]));
  half implicit = in[i] * 1.0;
  ushort all = as_ushort(cast);
  out[i] = as_ushort(vector.y) == all && as_ushort(implicit) == all && as_ushort(vector.w) == (all ^ 0x8000) ? all : -1;
}

kernel void from_float(global int *out, global const double *in) {
  size_t i = get_global_id(0);
  out[i] = as_ushort((half)(float)in[i]);
}

// The sum of a product and a number, for three consecutive doubles that are halves.
kernel void multiply_add(global int *out, global const double *in) {
  size_t i = get_global_id(0);
  out[i] = as_ushort(fma((half)in[3 * i], (half)in[3 * i + 1], (half)in[3 * i + 2]));
}
