// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Does not compile.
kernel void broken(global int *out) { out[0] = missing; }
