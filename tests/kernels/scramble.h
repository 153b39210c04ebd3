// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random numbers in what C++ and OpenCL C have in common.
// No include guard: the host includes it inside a namespace of its own.

// Differs from one number to the next in no simple way (Knuth's multiplicative hashing).
uint scramble(uint x) {
  x *= 2654435761u;
  return x ^ (x >> 16);
}
