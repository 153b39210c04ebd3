// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operations for which older processors have no instruction: FMA, half (F16C), rounding (SSE 4.1), counting bits.
#pragma OPENCL EXTENSION cl_khr_fp16 : enable

kernel void floats(global const float *in, global float *out) {
  size_t i = get_global_id(0), n = get_global_size(0);
  float x = in[i], y = in[i + n], z = in[i + 2 * n];
  out[i] = fma(x, y, z);
  out[i + n] = mad(x, y, z);
  out[i + 2 * n] = rint(x);
  out[i + 3 * n] = floor(x) + ceil(y) + trunc(z);
  out[i + 4 * n] = (float)(half)x;
  out[i + 5 * n] = (float)fma((half)x, (half)y, (half)z);
  out[i + 6 * n] = sin(x);
  out[i + 7 * n] = popcount(as_uint(x)) * 64 + clz(as_uint(y));
}

kernel void doubles(global const double *in, global double *out) {
  size_t i = get_global_id(0), n = get_global_size(0);
  double x = in[i], y = in[i + n], z = in[i + 2 * n];
  out[i] = fma(x, y, z);
  out[i + n] = mad(x, y, z);
  out[i + 2 * n] = rint(x);
  out[i + 3 * n] = floor(x) + ceil(y) + trunc(z);
  out[i + 4 * n] = (double)(half)x;
  out[i + 5 * n] = (double)convert_long_sat_rtp(y);
  out[i + 6 * n] = exp(x * 0.01);
  out[i + 7 * n] = (double)(as_ulong(x) % (as_ulong(y) >> 40));
}
