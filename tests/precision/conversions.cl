// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// All conversions from S to D in vectors of WIDTH. The results of each conversion are contiguous. SATURATES: D is an integer.
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#define CAT_(a, b) a##b
#define CAT(a, b) CAT_(a, b)
#if WIDTH == 1
#define VECTOR(T) T
#define LOAD(p, i) (p)[i]
#define STORE(x, p, i) (p)[i] = (x)
#else
#define VECTOR(T) CAT(T, WIDTH)
#define LOAD(p, i) CAT(vload, WIDTH)(i, p)
#define STORE(x, p, i) CAT(vstore, WIDTH)(x, i, p)
#endif
#define CONVERT(suffix) CAT(CAT(convert_, VECTOR(D)), suffix)

kernel void convert(global const S *in, global D *out) {
  size_t i = get_global_id(0), count = get_global_size(0) * WIDTH;
  VECTOR(S) x = LOAD(in, i);
  STORE(CONVERT()(x), out, i);
  STORE(CONVERT(_rte)(x), out + count, i);
  STORE(CONVERT(_rtz)(x), out + 2 * count, i);
  STORE(CONVERT(_rtp)(x), out + 3 * count, i);
  STORE(CONVERT(_rtn)(x), out + 4 * count, i);
#ifdef SATURATES
  STORE(CONVERT(_sat)(x), out + 5 * count, i);
  STORE(CONVERT(_sat_rte)(x), out + 6 * count, i);
  STORE(CONVERT(_sat_rtz)(x), out + 7 * count, i);
  STORE(CONVERT(_sat_rtp)(x), out + 8 * count, i);
  STORE(CONVERT(_sat_rtn)(x), out + 9 * count, i);
#endif
}
