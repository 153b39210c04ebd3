// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels whose launch takes longer than their work.
kernel void nothing(global float *values) {}

kernel void increment(global float *values) { values[get_global_id(0)] += 1; }
