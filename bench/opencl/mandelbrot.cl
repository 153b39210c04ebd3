// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Iterations until a point escapes: neighbours leave the loop in different rounds. Contraction is off, so that the host
// computes the same counts.
#pragma OPENCL FP_CONTRACT OFF

kernel void mandelbrot(global int *iterations, float left, float top, float step, int most) {
  float real = left + step * get_global_id(0);
  float imaginary = top - step * get_global_id(1);
  float x = 0, y = 0;
  int count = 0;
  while (count < most && x * x + y * y <= 4.0f) {
    float next = x * x - y * y + real;
    y = 2.0f * x * y + imaginary;
    x = next;
    ++count;
  }
  iterations[get_global_id(1) * get_global_size(0) + get_global_id(0)] = count;
}
