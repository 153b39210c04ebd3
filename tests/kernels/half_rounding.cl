// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arithmetic of halves, with every half as the first operand. `mask` clears bits of the third operand: small ones decide ties
// when a product is rounded.
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#pragma OPENCL FP_CONTRACT OFF

half nth(uint i, uint seed) { return as_half((ushort)((i * 2654435761u + seed * 40503u) >> 13)); }

kernel void arithmetic(global int *out, uint seed, uint mask) {
  uint i = get_global_id(0);
  half a = as_half((ushort)i), b = nth(i, seed), c = as_half((ushort)(as_ushort(nth(i, seed + 1)) & mask));
  global int *results = out + 8 * i;
  results[0] = as_ushort((half)(a + b));
  results[1] = as_ushort((half)(a * b));
  results[2] = as_ushort((half)(a / b));
  results[3] = as_ushort(sqrt(a));
  results[4] = as_ushort(fma(a, b, c));
  results[5] = as_ushort(mad(a, b, c));
  results[6] = (a < b) + 2 * (a == b) + 4 * (a >= b) + 8 * (a != b) + 16 * isunordered(a, b);
  results[7] = as_ushort(fmax(a, b));
}

// The same operations on vectors, shuffled and blended in between.
kernel void vectors(global int *out, uint seed, uint mask) {
  uint i = get_global_id(0);
  half a = as_half((ushort)i), b = nth(i, seed), c = as_half((ushort)(as_ushort(nth(i, seed + 1)) & mask));
  half4 x = (half4)(a, b, c, a), y = (half4)(b, c, a, c);
  half4 products = fma(x, y, (half4)(c, a, b, b)).wzyx;
  half4 sums = x + y.wzyx;
  half4 least = x < y ? x : y;
  for (int k = 0; k < 4; ++k) {
    out[12 * i + k] = as_ushort(products[k]);
    out[12 * i + 4 + k] = as_ushort(sums[k]);
    out[12 * i + 8 + k] = as_ushort(least[k]);
  }
}

// Small whole numbers, whose sums are exact in any order.
kernel void scans(global int *out) {
  half x = (half)((int)(get_global_id(0) * 7919 % 23) - 11);
  out[3 * get_global_id(0)] = (int)work_group_scan_inclusive_add(x);
  out[3 * get_global_id(0) + 1] = (int)work_group_scan_exclusive_add(x);
  out[3 * get_global_id(0) + 2] = (int)work_group_scan_inclusive_max(x);
}
