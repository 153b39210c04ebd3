// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Peaks in the form of clpeak: chains of multiply-adds in registers, and streams of loads and stores. VECTOR is the type of a
// chain, SCALAR its element, WIDTH their number; REAL is set for floating-point types.
#ifdef USES_HALF
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#endif
#ifdef REAL
#define MULTIPLY_ADD(x, a, b) mad(x, a, b)
#else
#define MULTIPLY_ADD(x, a, b) ((x) * (a) + (b))
#endif
// The sum of all elements: the compiler would drop operations on unused elements.
#define TOTAL2(v) ((v).s0 + (v).s1)
#define TOTAL4(v) (TOTAL2((v).lo) + TOTAL2((v).hi))
#define TOTAL8(v) (TOTAL4((v).lo) + TOTAL4((v).hi))
#if WIDTH == 1
#define TOTAL(v) (v)
#elif WIDTH == 2
#define TOTAL(v) TOTAL2(v)
#elif WIDTH == 4
#define TOTAL(v) TOTAL4(v)
#elif WIDTH == 8
#define TOTAL(v) TOTAL8(v)
#else
#define TOTAL(v) (TOTAL8((v).lo) + TOTAL8((v).hi))
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
  out[get_global_id(0)] = TOTAL(sum);
}

kernel void copy(global const VECTOR *in, global VECTOR *out) { out[get_global_id(0)] = in[get_global_id(0)]; }
