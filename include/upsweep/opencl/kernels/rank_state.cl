// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The known properties of the key at a place of the sorted array (rank.cl), and a key's parts by number.
//
// state[UPS_WANTED]   number of wanted elements: k, or all if there are fewer.
// state[UPS_LESS]     number of keys less than the bits found so far.
// state[UPS_RANK]     the place of the key among the keys with these bits.
// state[UPS_SOURCE]   the source of keys: UPS_FROM_KEYS, UPS_GATHERS from there to `candidates`, UPS_FROM_CANDIDATES.
// state[UPS_SIZE]     number of keys with the bits found so far.
// state[UPS_NEXT]     the place behind the last of the candidates, a uint.
// state[UPS_FOUND]    and the following words: the bits found for each part of the key (keys.cl).
#define UPS_WANTED 0
#define UPS_LESS 1
#define UPS_RANK 2
#define UPS_SOURCE 3
#define UPS_SIZE 4
#define UPS_NEXT 5
#define UPS_FOUND 6

// A count of the work-group.
#if UPS_GROUP == 1
#define UPS_INCREMENT(place) ((*(place))++)
#else
#define UPS_INCREMENT(place) atomic_inc(place)
#endif

#define UPS_BITS_OF_PART(k, type, bits_of, is_float, is_signed, minus_infinity)                                                \
  case k: return ups_bits_##k(x);
ulong ups_bits(UPS_KEY x, uint part) {
  switch (part) { UPS_PARTS(UPS_BITS_OF_PART) }
  return 0;
}

// Whether a key begins with the bits found: all bits of the parts before `part`, and the bits of `part` above the 8 bits at
// `shift`.
bool ups_begins_so(UPS_KEY x, const ulong *found, uint part, uint shift) {
  for (uint p = 0; p < part; ++p) {
    if (ups_bits(x, p) != found[p]) return false;
  }
  return ups_bits(x, part) >> shift >> 8 == found[part] >> shift >> 8;
}
