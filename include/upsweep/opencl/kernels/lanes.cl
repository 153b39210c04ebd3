// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Vectors of totals on CPUs, and scans of their lanes by shifts in registers (Hillis and Steele 1986), for the named operators.
//
// UPS_LANE_COUNT          elements of a vector: 16, or 8 of 64 bits.
// UPS_LANE           the lanes' type: UPS_T, or its unsigned type, in which integers wrap.
// UPS_LANE_BITS      number of bits of a lane.
#define UPS_VECTOR UPS_JOIN(UPS_LANE, UPS_LANE_COUNT)
#define UPS_LOAD UPS_JOIN(vload, UPS_LANE_COUNT)
#define UPS_TO_TOTALS UPS_JOIN(convert_, UPS_JOIN(UPS_T, UPS_LANE_COUNT))
#define UPS_TO_LANES UPS_JOIN(as_, UPS_VECTOR)
#define UPS_OF_LANES UPS_JOIN(as_, UPS_JOIN(UPS_T, UPS_LANE_COUNT))
#define UPS_RESULTS UPS_JOIN(UPS_OUT, UPS_LANE_COUNT)
#define UPS_TO_RESULTS UPS_JOIN(convert_, UPS_RESULTS)
#define UPS_NO_LANE ((UPS_LANE)UPS_IDENTITY)

UPS_VECTOR ups_apply_lanes(UPS_VECTOR a, UPS_VECTOR b) {
#if defined(UPS_OPERATOR_plus)
  return a + b;
#elif defined(UPS_OPERATOR_multiplies)
  return a * b;
#elif defined(UPS_OPERATOR_minimum) && defined(UPS_T_UNSIGNED)
  return min(a, b);
#elif defined(UPS_OPERATOR_minimum)
  return select(a, b, (b < a) | (a != a));
#elif defined(UPS_OPERATOR_maximum) && defined(UPS_T_UNSIGNED)
  return max(a, b);
#elif defined(UPS_OPERATOR_maximum)
  return select(a, b, (a < b) | (a != a));
#elif defined(UPS_OPERATOR_bit_and)
  return a & b;
#elif defined(UPS_OPERATOR_bit_or)
  return a | b;
#else
  return a ^ b;
#endif
}

// The steps of a scan: v shifted up, with the first lane of w in lanes without a source. Steps are within 16 bytes first,
// since registers of all sizes shift such parts together. UPS_SHIFTED() shifts by one lane.
#if UPS_LANE_BITS == 64
#define UPS_PLACE_OF_LANE ulong
#elif UPS_LANE_BITS == 32
#define UPS_PLACE_OF_LANE uint
#elif UPS_LANE_BITS == 16
#define UPS_PLACE_OF_LANE ushort
#else
#define UPS_PLACE_OF_LANE uchar
#endif
#if defined(__has_builtin)
#if __has_builtin(__builtin_shufflevector)
#define UPS_SHUFFLE_IS_FIXED  // one instruction, whereas a driver's shuffle2() may be a loop
#endif
#endif
#ifdef UPS_SHUFFLE_IS_FIXED
#define UPS_SHUFFLE_8(v, w, a, b, c, d, e, f, g, h) __builtin_shufflevector(v, w, a, b, c, d, e, f, g, h)
#define UPS_SHUFFLE_16(v, w, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p)                                                   \
  __builtin_shufflevector(v, w, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p)
#else
#define UPS_PLACES_OF_LANES UPS_JOIN(UPS_PLACE_OF_LANE, UPS_LANE_COUNT)
#define UPS_SHUFFLE_8(v, w, a, b, c, d, e, f, g, h) shuffle2(v, w, (UPS_PLACES_OF_LANES)(a, b, c, d, e, f, g, h))
#define UPS_SHUFFLE_16(v, w, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p)                                                   \
  shuffle2(v, w, (UPS_PLACES_OF_LANES)(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p))
#endif
#if UPS_LANE_COUNT == 8
#define UPS_REVERSED(v) (v).s76543210
#define UPS_LAST_LANE(v) (v).s7
#define UPS_SHIFTED(v, w) UPS_SHUFFLE_8(v, w, 8, 0, 1, 2, 3, 4, 5, 6)
#define UPS_SHIFT_1(v, w) UPS_SHUFFLE_8(v, w, 8, 0, 8, 2, 8, 4, 8, 6)
#define UPS_SHIFT_2(v, w) UPS_SHUFFLE_8(v, w, 8, 8, 1, 1, 8, 8, 5, 5)
#define UPS_SHIFT_3(v, w) UPS_SHUFFLE_8(v, w, 8, 8, 8, 8, 3, 3, 3, 3)
#define UPS_FOR_SHIFTS(M) M(1) M(2) M(3)
#else
#define UPS_REVERSED(v) (v).sfedcba9876543210
#define UPS_LAST_LANE(v) (v).sf
#define UPS_SHIFTED(v, w) UPS_SHUFFLE_16(v, w, 16, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14)
#define UPS_FOR_SHIFTS(M) M(1) M(2) M(3) M(4)
#if UPS_LANE_BITS == 32
#define UPS_SHIFT_1(v, w) UPS_SHUFFLE_16(v, w, 16, 0, 1, 2, 16, 4, 5, 6, 16, 8, 9, 10, 16, 12, 13, 14)
#define UPS_SHIFT_2(v, w) UPS_SHUFFLE_16(v, w, 16, 16, 0, 1, 16, 16, 4, 5, 16, 16, 8, 9, 16, 16, 12, 13)
#define UPS_SHIFT_3(v, w) UPS_SHUFFLE_16(v, w, 16, 16, 16, 16, 3, 3, 3, 3, 16, 16, 16, 16, 11, 11, 11, 11)
#define UPS_SHIFT_4(v, w) UPS_SHUFFLE_16(v, w, 16, 16, 16, 16, 16, 16, 16, 16, 7, 7, 7, 7, 7, 7, 7, 7)
#elif UPS_LANE_BITS == 16
#define UPS_SHIFT_1(v, w) UPS_SHUFFLE_16(v, w, 16, 0, 1, 2, 3, 4, 5, 6, 16, 8, 9, 10, 11, 12, 13, 14)
#define UPS_SHIFT_2(v, w) UPS_SHUFFLE_16(v, w, 16, 16, 0, 1, 2, 3, 4, 5, 16, 16, 8, 9, 10, 11, 12, 13)
#define UPS_SHIFT_3(v, w) UPS_SHUFFLE_16(v, w, 16, 16, 16, 16, 0, 1, 2, 3, 16, 16, 16, 16, 8, 9, 10, 11)
#define UPS_SHIFT_4(v, w) UPS_SHUFFLE_16(v, w, 16, 16, 16, 16, 16, 16, 16, 16, 7, 7, 7, 7, 7, 7, 7, 7)
#else
#define UPS_SHIFT_1(v, w) UPS_SHIFTED(v, w)
#define UPS_SHIFT_2(v, w) UPS_SHUFFLE_16(v, w, 16, 16, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13)
#define UPS_SHIFT_3(v, w) UPS_SHUFFLE_16(v, w, 16, 16, 16, 16, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11)
#define UPS_SHIFT_4(v, w) UPS_SHUFFLE_16(v, w, 16, 16, 16, 16, 16, 16, 16, 16, 0, 1, 2, 3, 4, 5, 6, 7)
#endif
#endif

// Each lane becomes the total of the lanes up to it.
#define UPS_SCAN_STEP(k) v = ups_apply_lanes(UPS_SHIFT_##k(v, none), v);
UPS_VECTOR ups_scan_lanes(UPS_VECTOR v) {
  const UPS_VECTOR none = (UPS_VECTOR)(UPS_NO_LANE);
  UPS_FOR_SHIFTS(UPS_SCAN_STEP)
  return v;
}

UPS_LANE ups_reduce_lanes(UPS_VECTOR v) { return UPS_LAST_LANE(ups_scan_lanes(v)); }
