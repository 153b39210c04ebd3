// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The order of keys, as unsigned integers: ups_bits_0() to ups_bits_<k>() of a key's parts, from the most significant on. A
// number is one part, an integer of 128 bits is two parts, and a struct has a part for each member that counts.
//
// UPS_KEY          type of keys; for numbers the unsigned type of their bits.
// UPS_DESCENDING   1 for the reverse order.
// UPS_PARTS(M)     M(k, type, bits, is_float, is_signed, minus_infinity) for each part: its number, the unsigned type of its
//                  bits, its bits in key `x`, and their meaning.

// The order of floating-point numbers: -0 before 0, then NaNs without a sign, then NaNs with one.
#define UPS_PART_BITS(k, type, bits_of, is_float, is_signed, minus_infinity)                                                   \
  type ups_bits_##k(UPS_KEY x) {                                                                                               \
    const type sign = (type)((type)1 << (8 * sizeof(type) - 1));                                                               \
    type bits = (type)(bits_of);                                                                                               \
    if (is_float) {                                                                                                            \
      bits = (bits & sign) != 0 ? (type)~bits : (type)(bits | sign);                                                           \
      bits = (type)(bits - (type) ~(minus_infinity));                                                                          \
    } else if (is_signed) {                                                                                                    \
      bits ^= sign;                                                                                                            \
    }                                                                                                                          \
    return UPS_DESCENDING ? (type)~bits : bits;                                                                                \
  }
UPS_PARTS(UPS_PART_BITS)
