// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Neighbours that wrap around or are clamped at an edge: contiguous in most sub-groups, and not in others.

#define KERNEL(T)                                                                                                              \
  kernel void rows_##T(global int *out) {                                                                                      \
    local T data[1024];                                                                                                        \
    const uint n = (uint)get_local_size(0), x = (uint)get_local_id(0);                                                         \
    data[x] = (T)((x * 7 + 3) % 50);                                                                                           \
    barrier(CLK_LOCAL_MEM_FENCE);                                                                                              \
    T sum = data[(x + 1) % n];                                                                                                 \
    sum += data[x ? x - 1 : n - 1];                                                                                            \
    sum += data[min(x + 5, n - 1)];                                                                                            \
    sum += data[max((int)x - 9, 0)];                                                                                           \
    sum += data[x & 7];                                                                                                        \
    if (x % 3) sum -= data[(x + 2) % n];                                                                                       \
    if (x > 20) sum += data[(x + n - 21) % n];                                                                                 \
    barrier(CLK_LOCAL_MEM_FENCE);                                                                                              \
    data[(x + 11) % n] = sum;                                                                                                  \
    barrier(CLK_LOCAL_MEM_FENCE);                                                                                              \
    if (x & 4) data[(x + n - 2) % n] = (T)(x % 100);                                                                           \
    barrier(CLK_LOCAL_MEM_FENCE);                                                                                              \
    global T *view = (global T *)(out + (n + 1) / 2 * 2);                                                                      \
    view[(x + 3) % n] = data[x];                                                                                               \
    barrier(CLK_GLOBAL_MEM_FENCE);                                                                                             \
    out[x] = (int)view[x];                                                                                                     \
  }

KERNEL(uchar)
KERNEL(ushort)
KERNEL(uint)
KERNEL(ulong)
KERNEL(float)
KERNEL(double)

// Indices that wrap at 2^32 between two lanes. The first five work-items write one value to one place on purpose.
#pragma upsweep check off race - of - equal - values
kernel void wrapping(global int *out) {
  const uint x = (uint)get_global_id(0), n = (uint)get_global_size(0);
  const uint index = min(x - 5, 0xfffffff8u);
  out[index < n ? index : n + (0u - index)] = x < 5 ? 1000 : (int)x;
}
