// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CALL, a function of x, y, z of type T and of n, for each element, in a kernel for each width of vectors.
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)
#define APPLY(width, type, integer, LOAD, STORE)                                                                               \
  kernel void apply_##width(global const T *xs, global const T *ys, global const T *zs, global const int *ns,                  \
                            global T *results) {                                                                               \
    size_t i = get_global_id(0);                                                                                               \
    type x = LOAD(i, xs), y = LOAD(i, ys), z = LOAD(i, zs), other;                                                             \
    integer n = LOAD(i, ns), other_int;                                                                                        \
    type result = CALL;                                                                                                        \
    STORE(result, i, results);                                                                                                 \
  }
#define LOAD1(i, p) p[i]
#define STORE1(value, i, p) p[i] = value
APPLY(1, T, int, LOAD1, STORE1)
#define APPLY_VECTOR(width) APPLY(width, JOIN(T, width), int##width, vload##width, vstore##width)
APPLY_VECTOR(2)
APPLY_VECTOR(3)
APPLY_VECTOR(4)
APPLY_VECTOR(8)
APPLY_VECTOR(16)
