// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Addresses and numbers about which the compiler knows a fact for the work-items behind a guard. The fact does not hold for
// the other work-items of the sub-group, nor for the first one, whose address a vector access uses.

// Behind the guard i is below 8, so that i + 8 is i | 8. In the first work-items it is not. The index steps by a whole vector,
// as does the stored number.
kernel void ors_behind_a_guard(global ulong *out, uint n) {
  ulong l = get_local_id(0);
  ulong i = (ulong)n - l;
  if (i < 8) out[l] = i + 8;
}

kernel void ors_an_index(global int *out, uint n) {
  uint l = (uint)get_local_id(0);
  ulong i = (ulong)l - n;
  if (i < 4) out[2 * i + 8] = (int)l;
  uint j = l - n;
  if (j < 8) out[j + 16] = (int)l + 100;
}

// The pointer is computed before the guard, where the index of the first work-items is far beyond the buffer.
kernel void points_before_a_guard(global int *out, uint off, uint n) {
  uint i = (uint)get_local_id(0) - off;
  global int *p = out + i;
  if (i < n) *p = (int)i;
  if ((i & 1) == 0 && i < n) *p += 100;
}

// The same with a loop that advances the pointer.
kernel void moves_a_pointer(global int *out, uint off, uint n) {
  uint i = (uint)get_local_id(0) - off;
  global int *p = out + i;
  for (uint k = 0; k < 3; ++k, p += n)
    if (i < n) *p = (int)(i + 100 * k);
}

// An index of 8, 10 and 12 bits, which wraps to 0 between two work-items.
kernel void starts_again(global int *out, global const int *in, uint c, uint d) {
  uint l = (uint)get_local_id(0);
  uint x = (l + d) << 24;
  out[3 * l] = in[((l << 24) - (c << 24)) >> 24];
  out[3 * l + 1] = in[(x + c) >> 22];
  out[3 * l + 2] = in[(((l + d) << 26) + (c << 27)) >> 26];
}

// Only every sixteenth place has the alignment of a whole vector.
typedef int aligned_int __attribute__((aligned(64)));
kernel void aligned_places(global int *out, uint first) {
  uint i = (uint)get_local_id(0) + first;
  if ((i & 15) == 0) *(global aligned_int *)(out + i) += (int)i;
}

// Structures of three bytes, four apart, and arrays of them in private memory.
typedef struct {
  uchar a, b, c;
} __attribute__((aligned(4))) Three;
kernel void three_bytes(global Three *out, uint n) {
  uint l = (uint)get_local_id(0);
  Three all[4];
  for (uint k = 0; k < 4; ++k) all[k].a = (uchar)(l + k), all[k].b = (uchar)n, all[k].c = (uchar)(l * 3);
  Three one = all[(l + n) & 3];
  out[l] = one;
}

// The index equals the guarded number, for every value of that number.
kernel void narrow_numbers(global int *out, uint n) {
  ushort i = (ushort)((ushort)get_local_id(0) - (ushort)n);
  if (i < 8) out[i + 8] = i + 8;
  uchar j = (uchar)((uchar)n - (uchar)get_local_id(0));
  if (j < 8) out[j | 16] = j + 16;
  long k = (long)get_local_id(0) - (long)n;
  if (k >= 0 && k < 8) out[k + 24] = (int)(k | 8);
}
