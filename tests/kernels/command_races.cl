// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels of command_races_test.cpp.
kernel void fill(global int *out) { out[get_global_id(0)] = (int)get_global_id(0); }

// Reads `in`, although its type would allow writes.
kernel void copy(global int *out, global int *in) { out[get_global_id(0)] = in[get_global_id(0)]; }

kernel void paint(write_only image2d_t picture) {
  const int i = (int)get_global_id(0);
  write_imagei(picture, (int2)(i % 16, i / 16), (int4)(i));
}

kernel void look(global int *out, read_only image2d_t picture) {
  const int i = (int)get_global_id(0);
  out[i] = read_imagei(picture, (int2)(i % 16, i / 16)).x;
}
