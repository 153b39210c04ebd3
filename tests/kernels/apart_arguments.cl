// Loops in which a kernel may keep values in registers only if its arguments are different memory. Each work-item has `stride`
// ints of each.
kernel void sums(global int *out, global int *in, int out_at, int in_at, int stride, int n) {
  out += get_global_id(0) * stride + out_at;
  in += get_global_id(0) * stride + in_at;
  for (int k = 0; k < n; ++k) {
    out[1] += 3 * in[k];
    in[k + 1] += out[0];
  }
}

// The same with a loop that may not run, and that ends early.
kernel void searches(global int *out, global int *in, int out_at, int in_at, int stride, int n) {
  out += get_global_id(0) * stride + out_at;
  in += get_global_id(0) * stride + in_at;
  for (int k = (int)get_global_id(0) % 3 * 2; k < n; ++k) {
    out[0] = out[0] * 5 + in[k];
    if ((in[k] & 15) == 7) break;
    for (int l = 0; l < (in[k] & 3); ++l) out[1] ^= in[l] + out[0];
  }
}
