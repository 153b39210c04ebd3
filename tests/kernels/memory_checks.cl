// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels for memory_checks_test.cpp. Each test builds a kernel under a name of its own (-D NAME=…).

typedef struct {
  global int *values;
  constant int *table;
} Pointers;

#ifdef STORED
// The pointer to `b` goes through memory.
kernel void NAME(global int *a, global int *b, global volatile ulong *cell, int at) {
  const int i = get_global_id(0);
  cell[i] = (ulong)b;
  global int *p = (global int *)cell[i];
  p[i + at] = i;
}
#endif

#ifdef STORED_BACK
// The pointer behind `a` goes through memory, and back into `a`.
kernel void NAME(global int *a, global int *b, global volatile ulong *cell, int at) {
  const int i = get_global_id(0);
  cell[i] = (ulong)(b + 8);
  global int *p = (global int *)cell[i];
  p[i - at] = i;
}
#endif

#ifdef ALIGNED
kernel void NAME(global int4 *out, global const int4 *in) {
  const int i = get_global_id(0);
  out[i] = in[i] + 1;
}
#endif

#ifdef ALIGNED_CHOICE
kernel void NAME(global int4 *out, global const int4 *in) {
  const int i = get_global_id(0);
  global const int4 *p = i & 1 ? in : out;
  out[i] = p[i] + 1;
}
#endif

#ifdef MISALIGNED_TWICE
// The address is aligned again.
kernel void NAME(global int4 *out, global const int *in) {
  const int i = get_global_id(0);
  out[i] = *(global const int4 *)(in + 4 * i + 3) + 1;
}
#endif

#ifdef MEMBER_ARRAY
kernel void NAME(global int *out, global const Pointers *s, int n) {
  const int i = get_global_id(0);
  out[i] = s->table[i + n];
}
#endif

#ifdef MEMBER_VECTOR
kernel void NAME(global int *out, global const Pointers *s, int n) {
  const int i = get_global_id(0);
  vstore4(vload4(i, s->table + n), i, out);
}
#endif

#ifdef LOCAL_STRUCT
kernel void NAME(global int *out, global const Pointers *s, int n) {
  const int i = get_global_id(0);
  Pointers both[2];
  both[0] = *s;
  both[1] = *s;
  out[i] = both[i & 1].values[i + n];
}
#endif

#ifdef ADDRESSED
kernel void NAME(global int *out, global const ulong *addresses, int n) {
  const int i = get_global_id(0);
  global int *p = (global int *)addresses[0];
  out[i] = p[i + n];
  if (n < 0) p[i] = 0;
}
#endif

#ifdef WRITES_2D
kernel void NAME(write_only image2d_t picture, int x, int y) {
  const int i = get_global_id(0);
  write_imagei(picture, (int2)(i + x, y), (int4)(i));
}
#endif

#ifdef READS_2D
kernel void NAME(global int *out, read_only image2d_t picture, int x, int y) {
  const int i = get_global_id(0);
  out[i] = read_imagei(picture, (int2)(i + x, y)).x;
}
#endif

#ifdef READS_ARRAY
kernel void NAME(global int *out, read_only image2d_array_t pictures, int x, int y, int layer) {
  const int i = get_global_id(0);
  out[i] = read_imagei(pictures, (int4)(i + x, y, layer, 0)).x;
}
#endif

#ifdef SAMPLES_2D
kernel void NAME(global int *out, read_only image2d_t picture, int x, int y) {
  const sampler_t sampler = CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST | CLK_NORMALIZED_COORDS_FALSE;
  const int i = get_global_id(0);
  out[i] = read_imagei(picture, sampler, (int2)(i + x, y)).x;
}
#endif

#ifdef SAMPLES_BY
kernel void NAME(global int *out, read_only image2d_t picture, int x, int y, sampler_t sampler) {
  const int i = get_global_id(0);
  out[i] = read_imagei(picture, sampler, (int2)(i + x, y)).x;
}
#endif

#ifdef BLOCKS
kernel void NAME(global int *out, queue_t queue, int n) {
  enqueue_kernel(
      queue, CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(16, 16),
      ^(local void *a, local void *b) {
        const int l = get_local_id(0);
        ((local int *)a)[l] = l;
        ((local int *)b)[l + n] = 10 * l;
        barrier(CLK_LOCAL_MEM_FENCE);
        out[l] = ((local int *)a)[l] + ((local int *)b)[l + n];
      },
      64u, 64u);
}
#endif

#ifdef LIBRARY
kernel void NAME(global float *out, global const float *in) {
  const int i = get_global_id(0);
  out[i] = erf(in[i]) + sin(in[i] * 1e6f) + tgamma(in[i]);
}
#endif

#ifdef STRINGS
constant char open_end[4] = {'a', 'b', 'c', 'd'};
constant char whole[4] = {'a', 'b', 'c', 0};
kernel void NAME(global const int *in, global const char *text, int n) {
  const int i = get_global_id(0);
  constant char *known = in[i] == 1 ? open_end : in[i] == 2 ? (constant char *)0 : whole;
  if (n == 0) printf("%d %s.\n", i, known);
  if (n == 1) printf("%%s %s %s.\n", "text", (constant char *)(ulong)(text + i));
}
#endif

#ifdef PACKETS
kernel void NAME(global int *out, write_only pipe int p, int n) {
  reserve_id_t id = reserve_write_pipe(p, 2);
  for (int i = 0; i < n; ++i) {
    int value = 7;
    out[i] = write_pipe(p, id, i, &value);
  }
  commit_write_pipe(p, id);
}
#endif

#ifdef NO_RESERVATION
kernel void NAME(global int *out, read_only pipe int p, int n) {
  reserve_id_t id = reserve_read_pipe(p, n);
  int value = 7;
  out[0] = read_pipe(p, id, 0, &value);
  out[1] = value;
}
#endif

#ifdef NULLS
int add_one(int *place) { return *place += 1; }
kernel void NAME(global int *out, int n) {
  int x = 1;
  int *p = n & 1 ? (int *)0 : &x;
  p[0] = p[0] + 1;
  if (n & 2) add_one(0);
  if (n & 4) atomic_inc((global int *)0);
  if (n & 8) *(global int *)0 = 7;
  out[get_global_id(0)] = x;
}
#endif
