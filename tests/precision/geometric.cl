// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The geometric functions of vectors of N elements of type T, stored without gaps.
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)
#if N == 1
#define VECTOR T
#define LOAD(i, p) p[i]
#define STORE(v, i, p) p[i] = v
#else
#define VECTOR JOIN(T, N)
#define LOAD JOIN(vload, N)
#define STORE JOIN(vstore, N)
#endif
kernel void apply(global const T *xs, global T *normals, global T *lengths, global T *distances) {
  size_t i = get_global_id(0);
  VECTOR x = LOAD(i, xs), normal = normalize(x);
  STORE(normal, i, normals);
  lengths[i] = length(x);
  distances[i] = distance((VECTOR)(0), x);
}
