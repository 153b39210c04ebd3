// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels whose accesses may leave their object. Each test builds one of them under a name of its own (-D NAME=…), since the
// checker counts further findings of a kernel at a line instead of reporting them.

#ifdef ROW
kernel void NAME(global int *out, global const int *in, int n) {
  const int i = get_global_id(0);
  out[i] = in[i] + 1;
}
#endif

#ifdef REVERSED
kernel void NAME(global int *out, global const int *in, int n) {
  const int i = get_global_id(0);
  out[i] = in[n - 1 - i] + 1;
}
#endif

#ifdef GUARDED
kernel void NAME(global int *out, global const int *in, int n) {
  const int i = get_global_id(0);
  if (i < n) out[i] = in[i] + 1;
}
#endif

#ifdef STRIDED
kernel void NAME(global int *out, global const int *in, int n) {
  const int i = get_global_id(0);
  out[i] = in[i * 3] + 1;
}
#endif

#ifdef INDIRECT
kernel void NAME(global int *out, global const int *in, int n) {
  const int i = get_global_id(0);
  out[i] = in[in[i] % n + (in[i] < 0 ? n : 0)] + 1;
}
#endif

#ifdef UNIFORM
kernel void NAME(global int *out, global const int *in, int n) {
  const int i = get_global_id(0);
  out[i] = in[n] + 1;
}
#endif

#ifdef LOOP
kernel void NAME(global int *out, global const int *in, int n) {
  const int i = get_global_id(0);
  int sum = 0;
  global const int *p = in;
  for (int k = 0; k < n; ++k, p += 2) sum += *p;
  out[i] = sum;
}
#endif

#ifdef SELECTED
kernel void NAME(global int *out, global const int *in, int n) {
  const int i = get_global_id(0);
  global const int *p = i & 1 ? in : out;
  out[i] = p[i + n] + 1;
}
#endif

#ifdef BYTES
kernel void NAME(global uchar *out, global const uchar *in, int n) {
  const int i = get_global_id(0);
  out[i] = in[i + n] + 1;
}
#endif

#ifdef VECTORS
kernel void NAME(global int *out, global const int *in, int n) {
  const int i = get_global_id(0);
  vstore3(vload3(i, in + n), i, out);
}
#endif

#ifdef ATOMICS
kernel void NAME(global int *out, global const int *in, int n) {
  const int i = get_global_id(0);
  atomic_add(out + i * n, in[i]);
}
#endif

#ifdef COPY
kernel void NAME(global int *out, global const int *in, int n) {
  local int tile[64];
  event_t event = async_work_group_copy(tile, in + n, get_local_size(0), 0);
  wait_group_events(1, &event);
  out[get_global_id(0)] = tile[get_local_id(0)];
}
#endif

#ifdef LOCAL
kernel void NAME(global int *out, global const int *in, int n) {
  local int tile[32];
  const int l = get_local_id(0);
  tile[l] = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = tile[l + n];
}
#endif

#ifdef LOCAL_ARGUMENT
kernel void NAME(global int *out, global const int *in, int n, local int *tile) {
  const int l = get_local_id(0);
  tile[l + n] = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = tile[l + n];
}
#endif

#ifdef PRIVATE
kernel void NAME(global int *out, global const int *in, int n) {
  const int i = get_global_id(0);
  int values[5];
  for (int k = 0; k < 5; ++k) values[k] = in[i] * k;
  out[i] = values[(i & 3) + n];
}
#endif

#ifdef UNROLLED
kernel void NAME(global int *out, global const int *in, int n) {
  const int i = get_global_id(0);
  int values[5];
  for (int k = 0; k <= 5; ++k) values[k] = in[i] + k;
  out[i] = values[1] + values[4];
}
#endif

#ifdef MEMBER
typedef struct {
  int before;
  int values[4];
  int after;
} Record;
kernel void NAME(global Record *out, global const int *in, int n) {
  const int i = get_global_id(0);
  out[i].values[(i & 1) + n] = in[i];
}
#endif

#ifdef TABLE
constant int table[6] = {1, 1, 2, 3, 5, 8};
kernel void NAME(global int *out, global const int *in, int n) {
  const int i = get_global_id(0);
  out[i] = table[(i & 3) + n];
}
#endif

#ifdef MISALIGNED
kernel void NAME(global int *out, global const int *in, int n) {
  const int i = get_global_id(0);
  global const int4 *p = (global const int4 *)(in + 4 * i + n);
  out[i] = (*p).z;
}
#endif

#ifdef PRIVATE_POINTER
float part(float x, float *whole) { return fract(x, whole); }
kernel void NAME(global float *out, global const float *in, int n) {
  const int i = get_global_id(0);
  float whole[3];
  out[i] = part(in[i], &whole[(i & 1) + n]) + whole[1];
}
#endif

#ifdef POINTERS
typedef struct {
  global int *values;
  int count;
} List;
kernel void NAME(global int *out, global const List *list, int n) {
  const int i = get_global_id(0);
  out[i] = list->values[i + n];
}
#endif

#ifdef FIRST_MEMBER
typedef struct {
  int values[4];
  int after[4];
} Begin;
kernel void NAME(global int *out, global const int *in, int n) {
  const int i = get_global_id(0);
  Begin begin;
  for (int k = 0; k < 4; ++k) begin.values[k] = in[i] + k, begin.after[k] = -1;
  const Begin *p = &begin;
  out[i] = p->values[(i & 1) + n];
}
#endif

#ifdef COMPONENTS
kernel void NAME(global int4 *out, global const int *in, int n) {
  const int i = get_global_id(0);
  if (n)
    out[i].xw = (int2)(in[0], in[0] + 1);
  else
    out[i].y = in[0];
}
#endif
