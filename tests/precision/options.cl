// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arithmetic that an option or a pragma may change; x, y and z are arguments, so that the compiler evaluates nothing.
kernel void not_contracted(global double *out, float x, float y, float z) {
#pragma OPENCL FP_CONTRACT OFF
  out[0] = x * y + z;
}
kernel void contracted(global double *out, float x, float y, float z) {
#pragma OPENCL FP_CONTRACT ON
  out[0] = x * y + z;
}
kernel void constants(global double *out, float x, float y, float z) { out[0] = 0.1; }
kernel void product(global double *out, float x, float y, float z) { out[0] = x * y; }
kernel void quotient(global double *out, float x, float y, float z) { out[0] = x / y; }
kernel void polynomial(global double *out, float x, float y, float z) {
  out[0] = (x * y + z) / y - sqrt(z) + fmax(x, y) * 3.0f;
}
kernel void classes(global double *out, float x, float y, float z) {
  out[0] = isfinite(x) + 2 * isnan(y) + 4 * isinf(y) + 8 * signbit(z) + 16 * isnormal(x);
}
