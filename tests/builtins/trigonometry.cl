// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The functions that reduce large arguments, for one type (-D NUMBER=double16). Each element has five results: sin, cos, tan,
// and both of sincos.
#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)
#if WIDTH == 1
#define LOAD(i, from) from[i]
#define STORE(x, i, to) to[i] = x
#else
#define LOAD JOIN(vload, WIDTH)
#define STORE JOIN(vstore, WIDTH)
#endif

kernel void run(global const ELEMENT *in, global ELEMENT *out) {
  size_t i = get_global_id(0), n = get_global_size(0) * WIDTH;
  NUMBER x = LOAD(i, in), cosine;
  STORE(sin(x), i, out);
  STORE(cos(x), i, (out + n));
  STORE(tan(x), i, (out + 2 * n));
#if WIDTH < 8  // wider types take long to compile
  NUMBER sine = sincos(x, &cosine);
  STORE(sine, i, (out + 3 * n));
  STORE(cosine, i, (out + 4 * n));
#endif
}
