// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random numbers in the common subset of C++ and OpenCL C. No include guard: the host includes the file inside a namespace.

// Successive numbers have unrelated results (Knuth's multiplicative hashing).
uint scramble(uint x) {
  x *= 2654435761u;
  return x ^ (x >> 16);
}
