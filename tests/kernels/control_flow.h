// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions in which the work-items of a sub-group diverge and meet again, in the common subset of C++ and OpenCL C:
// control_flow.cl runs them as kernels, control_flow_test.cpp on the host. No include guard: the host includes the file inside
// a namespace.

#include "scramble.h"

int nested_breaks(uint x) {
  int sum = 0;
  for (uint i = 0; i < x % 7 + 1; ++i) {
    for (uint j = 0;; ++j) {
      uint y = scramble(x + 8 * i + j);
      if (y % 5 == 0) break;
      if (y % 3 == 0) continue;
      uint k = 0;
      do {
        if ((y >> k) % 4 == 3) break;
        sum += (int)k;
      } while (++k < y % 6);
      if (j > x % 11) break;
      sum += 100;
    }
    if (scramble(x + i) % 9 == 4) break;
    sum += 10000;
  }
  return sum;
}

int switch_in_loop(uint x) {
  int sum = 0;
  for (int i = 0; i < 6; ++i) {
    switch (x % 11) {
    case 0: sum += 1; break;
    case 1:
    case 2: sum += 20;  // and on into case 3
    case 3:
      sum += 300;
      if (x & 64) break;
      sum += 4000;
      break;
    case 7: return sum + i;
    default: x ^= x << 3; continue;
    case 10: sum -= 5;
    }
    x = scramble(x + (uint)i);
  }
  return sum;
}

int jumps(uint x) {
  int steps = 0;
again:
  ++steps;
  if (x & 1) goto odd;
  x /= 2;
  goto check;
odd:
  if (x % 5 == 2) goto out;
  x = 3 * x + 1;
check:
  if (x > 4 && steps < 60) goto again;
out:
  return steps * 1000 + (int)(x % 1000);
}

// A loop with two entries.
int two_entries(uint x) {
  int sum = 0;
  if (x & 1) goto second;
first:
  sum += 3;
  x /= 2;
second:
  sum += 7 * (int)(x & 3);
  x -= x > 0;
  if (x % 8 != 0) goto first;
  return sum;
}

// A loop with two exits. Its lanes leave in different rounds, at one exit with the round's counter.
int counted_exits(uint x) {
  uint a = x * 3, b = x >> 2, values[8];
  for (uint i = 0; i < 8; ++i) values[i] = x + i * 77;
  for (uint i = 0; i < x; ++i) {
    values[(i + 1) & 7] ^= x;
    if (i & 16) break;
    if (a & 1) return (int)(b + i);
  }
  return (int)(a ^ b);
}

// Lanes that leave early return a constant, and inner loops diverge as well.
int constant_from_a_nest(uint x) {
  uint a = x * 3, b = x >> 2, values[8];
  for (uint i = 0; i < 8; ++i) values[i] = x + i * 77;
  for (uint i = 0; i < 60; ++i) {
    for (uint j = 0; j < 2; ++j) {
      for (uint k = 0; k < a % 3; ++k) {
      }
      if (i % 7 % 5 != 0) continue;
      if (a % 1000 % 7 % 3 == 1) return 1;
      if ((values[i & 7] + j) & 16) {
        a ^= values[b & 7] >> (i & 15);
        b -= j;
      }
      uint k = 0;
      while (++k < 5 && ((b << (b & 31)) & 4)) {
      }
      a -= 7 ^ (x + j + b);
    }
  }
  return (int)(a ^ b);
}

int early_returns(uint x) {
  if (x % 13 == 0) return -1;
  for (uint i = 0; i < 10; ++i) {
    uint y = scramble(x + i);
    if (y % 17 == 3) return (int)i;
    for (uint j = 0; j < y % 4; ++j) {
      if ((x >> j) % 32 == 9) return (int)(100 + 10 * i + j);
      x += y;
    }
  }
  return (int)(x % 1000);
}

int private_array(uint x) {
  int box[16];
  for (int i = 0; i < 16; ++i) box[i] = i * i;
  for (uint i = 0; i < x % 20; ++i) {
    uint at = (x >> i) % 16;
    box[at] += box[(at * 5 + i) % 16] - (int)i;
  }
  uint sum = 0;  // it wraps
  for (int i = 0; i < 16; ++i) sum = sum * 3 + (uint)(box[i] & 0xff);
  return (int)(sum & 0xffffff);
}

// Divisors of lanes that skip a division would raise exceptions.
int guarded_division(uint x) {
  int sum = 0;
  for (int i = 0; i < 8; ++i) {
    int numerator = x & 1 ? (int)0x80000000 : (int)(x >> 3);
    int divisor = (int)((x >> i) % 5) - 2;
    if (divisor != 0 && !(divisor == -1 && numerator < 0)) sum ^= numerator / divisor + numerator % divisor;
    uint small = (x >> i) & 3;
    if (small) sum += (int)(x / small % 100);
    x = scramble(x);
  }
  return sum & 0xffffff;
}

// 90 functions deep.
NOINLINE int chain_10(int x) { return x * 3; }
#define UPSWEEP_LEVEL(n, below)                                                                                                \
  NOINLINE int chain_##n(int x) { return (chain_##below(x + (n)) & 0xffff) + (x & 1 ? (n) : -(n)); }
#define UPSWEEP_LEVELS(t, next)                                                                                                \
  UPSWEEP_LEVEL(t##1, t##0)                                                                                                    \
  UPSWEEP_LEVEL(t##2, t##1)                                                                                                    \
  UPSWEEP_LEVEL(t##3, t##2)                                                                                                    \
  UPSWEEP_LEVEL(t##4, t##3)                                                                                                    \
  UPSWEEP_LEVEL(t##5, t##4)                                                                                                    \
  UPSWEEP_LEVEL(t##6, t##5)                                                                                                    \
  UPSWEEP_LEVEL(t##7, t##6)                                                                                                    \
  UPSWEEP_LEVEL(t##8, t##7)                                                                                                    \
  UPSWEEP_LEVEL(t##9, t##8)                                                                                                    \
  UPSWEEP_LEVEL(next##0, t##9)
UPSWEEP_LEVELS(1, 2)
UPSWEEP_LEVELS(2, 3)
UPSWEEP_LEVELS(3, 4)
UPSWEEP_LEVELS(4, 5)
UPSWEEP_LEVELS(5, 6)
UPSWEEP_LEVELS(6, 7)
UPSWEEP_LEVELS(7, 8)
UPSWEEP_LEVELS(8, 9)
UPSWEEP_LEVELS(9, 10)
#undef UPSWEEP_LEVELS
#undef UPSWEEP_LEVEL
int deep_calls(uint x) { return x % 3 ? chain_100((int)(x % 1000)) : -1; }
