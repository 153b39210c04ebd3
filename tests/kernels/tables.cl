// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Look-ups in constant tables of lengths around a register's: element i is i^2 + i + 1.
#define TABLE(T, n, ...) constant T T##_##n[n] = {__VA_ARGS__};
#define TABLES(T)                                                                                                              \
  TABLE(T, 2, 1, 3)                                                                                                            \
  TABLE(T, 3, 1, 3, 7)                                                                                                         \
  TABLE(T, 4, 1, 3, 7, 13)                                                                                                     \
  TABLE(T, 5, 1, 3, 7, 13, 21)                                                                                                 \
  TABLE(T, 8, 1, 3, 7, 13, 21, 31, 43, 57)                                                                                     \
  TABLE(T, 9, 1, 3, 7, 13, 21, 31, 43, 57, 73)                                                                                 \
  TABLE(T, 16, 1, 3, 7, 13, 21, 31, 43, 57, 73, 91, 111, 133, 157, 183, 211, 241)                                              \
  TABLE(T, 17, 1, 3, 7, 13, 21, 31, 43, 57, 73, 91, 111, 133, 157, 183, 211, 241, 273)
TABLES(float)
TABLES(double)
constant float float_32[32] = {1,   3,   7,   13,  21,  31,  43,  57,  73,  91,  111, 133, 157, 183, 211, 241,
                               273, 307, 343, 381, 421, 463, 507, 553, 601, 651, 703, 757, 813, 871, 931, 993};

#define SUM(T, i)                                                                                                              \
  (T##_2[i % 2] + T##_3[i % 3] + T##_4[i % 4] + T##_5[i % 5] + T##_8[i % 8] + T##_9[i % 9] + T##_16[i % 16] + T##_17[i % 17])
#ifdef LANES
__attribute__((intel_reqd_sub_group_size(LANES)))
#endif
kernel void
look_up(global int *out, global const uint *indices) {
  size_t id = get_global_id(0);
  uint i = indices[id];
  float sum = SUM(float, i) + float_32[i % 32];
  // Inactive lanes have indices beyond the tables.
  if (i % 3 == 0) sum += double_5[i % 15 / 3] + (float)SUM(double, (ulong)i);
  out[id] = (int)sum;
}

// The address is computed in another block than the load's.
kernel void look_up_later(global int *out, global const uint *indices) {
  size_t id = get_global_id(0);
  constant float *element = &float_8[indices[id] % 8];
  constant float *other = &float_16[indices[id] * 3 % 16];
  int sum = 0;
  for (uint k = 0; k < indices[id] % 5; ++k) {
    if ((indices[id] ^ k) & 1) sum += (int)*element;
    if (k & 2) sum -= (int)*other;
  }
  out[id] = sum;
}
