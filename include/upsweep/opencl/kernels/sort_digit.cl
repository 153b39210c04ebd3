// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The digit of a key by which a pass of a radix sort orders.
//
// UPS_KEY          type of keys; a digit is bits of ups_bits_0() (keys.cl).
// UPS_RADIX_BITS   the most bits of a digit, which has UPS_RADIX values.
// UPS_VALUES       0: keys alone; 1: with values of UPS_IN; 2: with their indices, in the first pass.
uint ups_digit(UPS_KEY key, uint shift, uint mask) { return (uint)(ups_bits_0(key) >> shift) & mask; }
