// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The server's throw-away kernel: a little of what most kernels use.
kernel void warm_up(global const float *input, global float *output, local float *shared, int count) {
  size_t i = get_global_id(0);
  size_t lane = get_local_id(0);
  shared[lane] = i < count ? input[i] : 0.0f;
  barrier(CLK_LOCAL_MEM_FENCE);
  float sum = work_group_scan_inclusive_add(shared[lane ^ 1]);
  for (int step = 0; step < count; ++step) sum = fma(sum, exp(sum), sqrt(shared[step]));
  float4 v = vload4(i, input);
  output[i] = sum + dot(v, v) + convert_int_sat(sum);
}
