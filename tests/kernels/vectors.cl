// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Vectors of three components and of wide and narrow elements, alone, in arrays and in structs.
#pragma OPENCL EXTENSION cl_khr_fp16 : enable

typedef struct {
  char tag;
  float3 place;
  uchar3 small[2];
  long3 wide;
} Triples;

typedef struct __attribute__((packed)) {
  char tag;
  int value;
  short3 rest;
} Packed;

kernel void triples(global int *out, const Triples given, Packed packed, float3 plain) {
  int i = (int)get_global_id(0);
  float3 places[4];
  for (int k = 0; k < 4; ++k) places[k] = given.place * (float)k;
  places[i % 4].y += plain.z;
  if (i % 3 == 0) places[i % 4] = plain.zxy;
  packed.rest.y += (short)i;
  float3 sum = places[0] + places[1] + places[2] + places[3];
  long3 wide = given.wide + (long3)(i, 0, given.small[1].z);
  out[i] = (int)(sum.x + 10 * sum.y + 100 * sum.z) + (int)(wide.x * 2 + wide.y + wide.z) + given.tag + packed.tag +
           packed.value + packed.rest.x + 3 * packed.rest.y + 5 * packed.rest.z + (int)sizeof(Triples) +
           1000 * (int)sizeof(Packed);
}

// vload3 and vstore3 pack, arrays of three components do not.
kernel void packed_triples(global int *out, local int *tile) {
  size_t i = get_local_id(0), n = get_local_size(0);
  vstore3((int3)((int)i, 100 + (int)i, 200 + (int)i), i, tile);
  barrier(CLK_LOCAL_MEM_FENCE);
  int3 other = vload3((i + 1) % n, tile);
  global int *mine = out + 3 * get_group_id(0) * n;
  if (i & 1)
    vstore3(other.zyx, i, mine);
  else
    vstore3(other, i, mine);
}

kernel void wide_and_narrow(global int *out, long8 longs, double4 doubles) {
  int i = (int)get_global_id(0);
  longs.s3 <<= i % 40;
  longs.even += (long4)(i);
  if (i % 5 == 1) longs.hi = longs.lo.wzyx;
  doubles = doubles * (double)i + doubles.yxwz;
  if (i & 2) doubles.s2 = -doubles.s0;
  half8 halves = convert_half8((int8)(i % 10) + (int8)(0, 1, 2, 3, 4, 5, 6, 7));
  halves = halves * halves + (half)0.5f;
  if (i % 3 == 0) halves.odd = (half4)(2);
  long sum = longs.s0 ^ longs.s1 ^ longs.s2 ^ longs.s3 ^ longs.s4 ^ longs.s5 ^ longs.s6 ^ longs.s7;
  double total = doubles.s0 + 2 * doubles.s1 + 3 * doubles.s2 + 4 * doubles.s3;
  float four = (float)(halves.s0 + halves.s1) + (float)halves.s7 * 4;
  out[i] = (int)(sum % 100003) + (int)(total * 4) + (int)(four * 2);
}

kernel void offsets(global int *out) {
  local int count;
  if (get_local_linear_id() == 0) count = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  atomic_inc(&count);
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_linear_id()] = count * 100000 + (int)(get_global_id(0) + 10 * get_global_id(1) + 100 * get_global_id(2)) +
                                7 * (int)(get_global_offset(0) + get_global_offset(1) + get_global_offset(2));
}

// Each work-item has a row of 16 numbers of each type; the bytes are unaligned.
kernel void wide_loads(global int *out, global const half *halves, global const float *floats, global const char *bytes) {
  size_t i = get_global_id(0);
  float16 h = vloada_half16(i, halves);
  double16 d = convert_double16(vload16(i, floats));
  double8 e = convert_double8(((global const float8 *)floats)[i]);
  int16 b = convert_int16(vload16(i, bytes + 1));
  vstore16(convert_int16(h) + 1000 * convert_int16(d) + 1000000 * b, i, out);
  out[16 * get_global_size(0) + i] = (int)(e.s0 + e.s7);
}

// Products of narrow elements, which wrap around. The signs of comparisons and quotients show whether they do.
kernel void narrow_products(global int *out, int steps) {
  const int i = (int)get_global_id(0);
  char4 bytes = (char4)((char)i, (char)(i + 1), (char)(7 * i), (char)-i);
  const char4 add = (char4)((char)(3 * i + 1));
  short3 shorts = (short3)((short)(100 * i), (short)(-333 * i), 12345);
  for (int k = 0; k < steps; ++k) {
    bytes = bytes * bytes + add;
    if ((i + k) % 3 == 0)
      bytes = bytes.wxzy;
    else
      bytes.y -= (char)k;
    shorts = shorts * convert_short3(bytes.xyz) - shorts.zxy;
  }
  const short3 third = shorts / (short)3;
  const char4 negative = bytes < (char4)(0);
  out[i] = third.x + third.y + third.z + 7 * bytes.x + 5 * bytes.w + (negative.y ? 1000 : 0) + (negative.z ? 3000 : 0);
}

// Constants next to numbers in a pair of which one half is used: with three components, and with two where the other is
// dropped.
kernel void sums_of_halves(global int *out, global short *shorts) {
  const size_t i = get_global_id(0);
  short3 three = vload3(i, shorts);
  if (i % 4 == 0)
    three++;
  else if (i % 4 == 1)
    three -= (short3)(3, 5, 7);
  else
    three = add_sat(three, (short3)(-32000, 9, 32000));
  const short2 pair = vload2(i, shorts) + (short2)(300, -1000);
  out[4 * i] = three.x;
  out[4 * i + 1] = three.y;
  out[4 * i + 2] = three.z;
  out[4 * i + 3] = i % 2 ? pair.x : pair.y;
}

// The same for bytes, which become shorts.
kernel void averages_of_halves(global int *out, global const uchar *bytes) {
  const size_t i = get_global_id(0);
  const uchar2 pair = hadd((uchar2)(7, bytes[i]), (uchar2)(85)) + (uchar2)(11, 13);
  out[i] = i % 2 ? pair.y : hadd(pair, (uchar2)(1)).y;
}

// Either operand may be the greater, and the other is sometimes 0.
kernel void which_is_greater(global int *out, global const short *shorts, short limit) {
  const size_t i = get_global_id(0);
  const short2 pair = vload2(i, shorts), zeros = max(pair, (short)0) == (short)0, limits = min(pair, limit) == limit;
  out[i] = (zeros.x & 1) + (zeros.y & 2) + (limits.x & 4) + (limits.y & 8);
}
