// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The guards of guards.cl and guards_test.cpp: GUARD(place, condition).
#define SLOTS 20
#define EACH_GUARD                                                                                                             \
  GUARD(0, up < (uint)limit)                                                                                                   \
  GUARD(1, up <= (uint)limit)                                                                                                  \
  GUARD(2, up > (uint)limit)                                                                                                   \
  GUARD(3, up >= (uint)limit)                                                                                                  \
  GUARD(4, up == (uint)limit)                                                                                                  \
  GUARD(5, up != (uint)limit)                                                                                                  \
  GUARD(6, (int)up < limit)                                                                                                    \
  GUARD(7, (int)up <= limit)                                                                                                   \
  GUARD(8, (int)up > limit)                                                                                                    \
  GUARD(9, (int)up >= limit)                                                                                                   \
  GUARD(10, (int)far < limit)                                                                                                  \
  GUARD(11, far >= (uint)limit)                                                                                                \
  GUARD(12, (uint)limit <= down)                                                                                               \
  GUARD(13, limit > (int)down)                                                                                                 \
  GUARD(14, down != (uint)limit)                                                                                               \
  GUARD(15, wide < (ulong)(long)limit)                                                                                         \
  GUARD(16, (long)wide > (long)limit)                                                                                          \
  GUARD(17, up > 3 && (int)up < limit)                                                                                         \
  GUARD(18, up == 0 || up == (uint)limit || limit == 16)                                                                       \
  GUARD(19, !(up < (uint)limit || (int)down > limit))
