// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A file with one kernel, which needs no --kernel.
kernel void fill(global int *out) { out[get_global_id(0)] = VALUE; }
