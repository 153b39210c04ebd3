// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Quotients and remainders of numbers of TYPE, as scalars and as vectors, and by constants.
#ifndef TYPE
#define TYPE long
#define VECTOR3 long3
#endif

kernel void divide(global TYPE *out, global const TYPE *numbers, global const TYPE *divisors) {
  const size_t i = get_global_id(0);
  const TYPE n = numbers[i], d = divisors[i];
  out[6 * i] = n / d;
  out[6 * i + 1] = n % d;
  const VECTOR3 several = (VECTOR3)(divisors[i / 2], numbers[i], n) / (VECTOR3)(d, d, 7);
  out[6 * i + 2] = several.x;
  out[6 * i + 3] = several.z;
  out[6 * i + 4] = several.y % (TYPE)10;
  // Only some work-items divide.
  out[6 * i + 5] = i % 5 == 0 ? (TYPE)(d / (TYPE)(n | 1)) : (TYPE)i;
}
