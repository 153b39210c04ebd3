// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The operator on totals, ups_apply, and ups_state, the type that work-groups scan. A state is a total, or for an operator
// without a known identity a total and a flag whether it is present. UPS_NONE leaves every state unchanged, bit by bit: -0 for
// floating-point sums, NaN for minima and maxima, where a number and a NaN give the number.
//
// UPS_OPERATOR_...    the named operator; otherwise UPS_APPLY is the function of the caller's text.
// UPS_T_UNSIGNED      the unsigned type of an integer UPS_T, in which sums and products wrap.
// UPS_IDENTITY        identity of the caller's operator, if it has one.
// UPS_T_LOWEST, UPS_T_HIGHEST   the least and the greatest value of an integer UPS_T.

#if defined(UPS_OPERATOR_plus)
#ifdef UPS_T_UNSIGNED
UPS_T ups_apply(UPS_T a, UPS_T b) { return (UPS_T)((UPS_T_UNSIGNED)a + (UPS_T_UNSIGNED)b); }
#define UPS_IDENTITY ((UPS_T)0)
#else
UPS_T ups_apply(UPS_T a, UPS_T b) { return a + b; }
#define UPS_IDENTITY (-(UPS_T)0)
#endif

#elif defined(UPS_OPERATOR_multiplies)
#ifdef UPS_T_UNSIGNED
UPS_T ups_apply(UPS_T a, UPS_T b) { return (UPS_T)((UPS_T_UNSIGNED)a * (UPS_T_UNSIGNED)b); }
#else
UPS_T ups_apply(UPS_T a, UPS_T b) { return a * b; }
#endif
#define UPS_IDENTITY ((UPS_T)1)

#elif defined(UPS_OPERATOR_minimum)
#ifdef UPS_T_UNSIGNED
UPS_T ups_apply(UPS_T a, UPS_T b) { return b < a ? b : a; }
#define UPS_IDENTITY UPS_T_HIGHEST
#else
UPS_T ups_apply(UPS_T a, UPS_T b) { return b < a || a != a ? b : a; }
#define UPS_IDENTITY ((UPS_T)NAN)
#endif

#elif defined(UPS_OPERATOR_maximum)
#ifdef UPS_T_UNSIGNED
UPS_T ups_apply(UPS_T a, UPS_T b) { return a < b ? b : a; }
#define UPS_IDENTITY UPS_T_LOWEST
#else
UPS_T ups_apply(UPS_T a, UPS_T b) { return a < b || a != a ? b : a; }
#define UPS_IDENTITY ((UPS_T)NAN)
#endif

#elif defined(UPS_OPERATOR_bit_and)
UPS_T ups_apply(UPS_T a, UPS_T b) { return (UPS_T)(a & b); }
#define UPS_IDENTITY ((UPS_T) ~(UPS_T)0)

#elif defined(UPS_OPERATOR_bit_or)
UPS_T ups_apply(UPS_T a, UPS_T b) { return (UPS_T)(a | b); }
#define UPS_IDENTITY ((UPS_T)0)

#elif defined(UPS_OPERATOR_bit_xor)
UPS_T ups_apply(UPS_T a, UPS_T b) { return (UPS_T)(a ^ b); }
#define UPS_IDENTITY ((UPS_T)0)

#else
UPS_T ups_apply(UPS_T a, UPS_T b) { return UPS_APPLY(a, b); }
#endif

// An optional total.
#ifdef UPS_IDENTITY
typedef UPS_T ups_maybe;
ups_maybe ups_some(UPS_T value) { return value; }
ups_maybe ups_nothing(void) { return UPS_IDENTITY; }
UPS_T ups_value(ups_maybe a) { return a; }
ups_maybe ups_apply_maybe(ups_maybe a, ups_maybe b) { return ups_apply(a, b); }
#else
typedef struct {
  UPS_T value;
  uint is_some;
} ups_maybe;
ups_maybe ups_some(UPS_T value) {
  ups_maybe a;
  a.value = value;
  a.is_some = 1;
  return a;
}
ups_maybe ups_nothing(void) {
  ups_maybe a = {0};
  return a;
}
UPS_T ups_value(ups_maybe a) { return a.value; }
// Operands are not modified: Intel's compiler of 2026.2 lost totals of segments with `a.value = ...; return a;`.
ups_maybe ups_apply_maybe(ups_maybe a, ups_maybe b) {
  if (a.is_some && b.is_some) return ups_some(ups_apply(a.value, b.value));
  return a.is_some ? a : b;
}
#endif
