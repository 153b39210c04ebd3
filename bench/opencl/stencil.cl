// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A step of a 5-point and of a 9-point stencil; the border keeps its values. Sums have the order of the host's check.
#pragma OPENCL FP_CONTRACT OFF

bool on_border(uint x, uint y, uint width, uint height) { return x == 0 || y == 0 || x == width - 1 || y == height - 1; }

kernel void five_points(global const float *in, global float *out) {
  uint x = get_global_id(0), y = get_global_id(1), width = get_global_size(0);
  uint i = y * width + x;
  if (on_border(x, y, width, get_global_size(1)))
    out[i] = in[i];
  else
    out[i] = 0.5f * in[i] + 0.125f * (in[i - 1] + in[i + 1] + in[i - width] + in[i + width]);
}

kernel void nine_points(global const float *in, global float *out) {
  uint x = get_global_id(0), y = get_global_id(1), width = get_global_size(0);
  uint i = y * width + x;
  if (on_border(x, y, width, get_global_size(1))) {
    out[i] = in[i];
    return;
  }
  float edges = in[i - 1] + in[i + 1] + in[i - width] + in[i + width];
  float corners = in[i - width - 1] + in[i - width + 1] + in[i + width - 1] + in[i + width + 1];
  out[i] = 0.25f * in[i] + 0.125f * edges + 0.0625f * corners;
}
