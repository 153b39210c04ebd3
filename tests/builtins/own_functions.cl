// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The bodies of own_functions.def.
#define FOO(T)                                                                                                                 \
  T __attribute__((overloadable)) upsweep_foo(T x) { return x + x; }
#define FOO_ALL(T) FOO(T) FOO(T##2) FOO(T##3) FOO(T##4)
FOO_ALL(float)
FOO_ALL(double)

#define COUNT(T, U, SPACE)                                                                                                     \
  U __attribute__((overloadable)) upsweep_count(T x, const SPACE T *y) { return x == *y; }
#define COUNT_ALL(T, U) COUNT(T, U, global) COUNT(T, U, local) COUNT(T, U, private) COUNT(T, U, )
COUNT_ALL(int, uint)
COUNT_ALL(uint, uint)
COUNT_ALL(long, ulong)
COUNT_ALL(ulong, ulong)

int __attribute__((overloadable)) upsweep_bar(void) { return 1; }
