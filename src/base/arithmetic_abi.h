// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The operations of UPSWEEP_CHECK=arithmetic, and accesses of a pipe, as the `element` of an UpsweepCheckSite whose kind is
// UPSWEEP_OBJECT_ARITHMETIC. The site's value has the type of the operands, and its width is the result's bytes. In an
// UpsweepFailure, `address` is the first operand and `bytes` the second.
#ifndef UPSWEEP_BASE_ARITHMETIC_ABI_H
#define UPSWEEP_BASE_ARITHMETIC_ABI_H

#ifdef __cplusplus
extern "C" {
#endif

enum UpsweepArithmetic {
  UPSWEEP_SIGNED_ADD = 1,
  UPSWEEP_SIGNED_SUBTRACT = 2,
  UPSWEEP_SIGNED_MULTIPLY = 3,
  UPSWEEP_SIGNED_DIVIDE = 4,
  UPSWEEP_SIGNED_REMAINDER = 5,
  UPSWEEP_UNSIGNED_DIVIDE = 6,
  UPSWEEP_UNSIGNED_REMAINDER = 7,
  UPSWEEP_SHIFT_LEFT = 8,
  UPSWEEP_SHIFT_RIGHT = 9,
  UPSWEEP_CONVERT_TO_SIGNED = 10,
  UPSWEEP_CONVERT_TO_UNSIGNED = 11,
  UPSWEEP_READ_PACKET = 12,  ///< UPSWEEP_CHECK=memory: the index of a packet in a reservation, whose size is the second operand
  UPSWEEP_WRITE_PACKET = 13
};

#ifdef __cplusplus
}
#endif
#endif
