// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Uses constructs that OpenCL C forbids.
#ifndef VALUE
#define VALUE 1
#endif
kernel void f(global int *out) {
  long long value = VALUE;
  out[0] = value + OTHER;
}
