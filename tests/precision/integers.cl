// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FUNCTION of COUNT arguments of type T, in vectors of WIDTH; its results are of type R.
#define CAT_(a, b) a##b
#define CAT(a, b) CAT_(a, b)
#if WIDTH == 1
#define LOAD(p, i) (p)[i]
#define STORE(x, p, i) (p)[i] = (x)
#else
#define LOAD(p, i) CAT(vload, WIDTH)(i, p)
#define STORE(x, p, i) CAT(vstore, WIDTH)(x, i, p)
#endif
#if COUNT == 1
#define CALL FUNCTION(LOAD(xs, i))
#elif COUNT == 2
#define CALL FUNCTION(LOAD(xs, i), LOAD(ys, i))
#else
#define CALL FUNCTION(LOAD(xs, i), LOAD(ys, i), LOAD(zs, i))
#endif
kernel void apply(global const T *xs, global const T *ys, global const T *zs, global R *results) {
  size_t i = get_global_id(0);
  STORE(CALL, results, i);
}
