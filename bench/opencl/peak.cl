// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Peaks, in the way clpeak measures them: chains of multiply-adds in registers, and streams of loads and stores.
// VECTOR is the type of a chain, SCALAR its element, WIDTH how many; REAL for floating-point types.
#ifdef REAL
#define MULTIPLY_ADD(x, a, b) mad(x, a, b)
#else
#define MULTIPLY_ADD(x, a, b) ((x) * (a) + (b))
#endif
#if WIDTH == 1
#define FIRST(v) (v)
#else
#define FIRST(v) (v).s0
#endif

// CHAINS independent chains hide the latency of one. With a = b = 1 each step adds 1, exactly.
#define CHAINS 8
kernel void multiply_add(global SCALAR *out, SCALAR a, SCALAR b, int steps) {
  VECTOR chain[CHAINS];
  for (int c = 0; c < CHAINS; ++c) chain[c] = (VECTOR)((SCALAR)(get_local_id(0) % 4 + c));
  for (int step = 0; step < steps; ++step)
    for (int c = 0; c < CHAINS; ++c) chain[c] = MULTIPLY_ADD(chain[c], (VECTOR)(a), (VECTOR)(b));
  VECTOR sum = 0;
  for (int c = 0; c < CHAINS; ++c) sum += chain[c];
  out[get_global_id(0)] = FIRST(sum);
}

kernel void copy(global const VECTOR *in, global VECTOR *out) { out[get_global_id(0)] = in[get_global_id(0)]; }

kernel void nothing(global SCALAR *out) {}
