// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// log, log2, log10 and log1p of float and double (specification: "Math Functions"; bounds 3, 3, 3 and 2 ulp, here 1, 1.2, 1.1 and 1.3).
// With x = (1 + f) 2^k, f from -0.3 to 0.5, the logarithm of 1 + f is f + rest; rest and its errors are small relative to f, which is
// exact. For other bases, f is multiplied by a constant in two parts, so that only the last sum rounds the leading term.
#include "elementary.h"

// rest(f) = log(1 + f) - f. float: f^2 Q(f), Q minimax: 2^-27 of the logarithm.
HELPER float rest(float f) {
  return f * f * POLYNOMIAL(float, f, -0x1p-1f, 0x1.5555a6p-2f, -0x1.00004ep-2f, 0x1.9968fp-3f, -0x1.54eb54p-3f, 0x1.28852ep-3f, -0x1.0db586p-3f, 0x1.ad4188p-4f, -0x1.721d3ep-5f);
}
// rest() for f from -0.293 to 0.415.
HELPER float even_rest(float f) {
  return f * f * POLYNOMIAL(float, f, -0x1.fffff8p-2f, 0x1.55555p-2f, -0x1.000436p-2f, 0x1.99a426p-3f, -0x1.5424a4p-3f, 0x1.226bd4p-3f, -0x1.0f48ep-3f, 0x1.087628p-3f, -0x1.384c9cp-4f);
}
// double: with s = f / (2 + f), log(1 + f) = 2 atanh(s) = 2 s + s R(s^2), and 2 s = f - s f; so rest = s (f^2/2 + R) - f^2/2.
// R is minimax: 2^-62 of the logarithm.
HELPER double rest(double f) {
  double s = f / (2.0 + f), z = s * s, square = 0.5 * f * f;
  return fused(s, fused(z, POLYNOMIAL(double, z, 0x1.555555555554fp-1, 0x1.999999999c15bp-2, 0x1.24924921e6fe5p-2, 0x1.c71c748ce6f3fp-3, 0x1.745c4b977115fp-3, 0x1.3b35a76777094p-3, 0x1.0dcd50a6c0f7cp-3, 0x1.1b75928799d54p-3), square), -square);
}

HELPER double even_rest(double f) { return rest(f); }

// NaN and infinity are kept.
#define SPECIAL(T, x, r) (x == 0 ? -(T)INFINITY : x < 0 ? (T)NAN : x < (T)INFINITY ? r : x)

// name_of(p) is the logarithm of (1 + f) 2^k. On level 4 infinite k and NaN give the special results; on level 3 they are separate calls.
#define LOGARITHM(name, T, Parts, parts_of) \
  HELPER T any_##name(T x) { \
    bool tiny = is_tiny(x); \
    Parts p = parts_of(tiny ? grown(x) : x); \
    p.k = tiny ? p.k - 64 : p.k; \
    return SPECIAL(T, x, name##_of(p)); \
  } \
  RARE T special_##name(T x) { return any_##name(x); } \
  LARGE T name(T x) { \
    uint level = __ups_level(); \
    if (level < 3) return any_##name(x); \
    T r = name##_of(parts_of(x)); \
    if (level == 3 && SELDOM(!is_normal(x))) r = special_##name(x); \
    return r; \
  }

// The natural logarithm. K: the logarithm of 2 in two parts; in float the second is 2^-28 of the first.
HELPER float log_of(FloatParts p) { return fused(p.k, 0x1.62e43p-1f, p.f + rest(p.f)); }
HELPER double log_of(DoubleParts p) {
  return fused(p.k, 0x1.62e42fefa39efp-1, p.f + fused(p.k, 0x1.abc9e3b39803fp-56, rest(p.f)));
}
LOGARITHM(log, float, FloatParts, simple_parts)
LOGARITHM(log, double, DoubleParts, level_parts)

// B: the factor of f in two parts; K: the factor of the exponent in two parts, the second positive, so that both parts of an infinite
// exponent have the same sign.
#define BASE(name, T, Parts, B, B_low, K, K_low) \
  HELPER T name##_of(Parts p) { \
    return fused(p.k, K, fused(p.f, B, fused(p.f, B_low, fused(even_rest(p.f), B, p.k * K_low)))); \
  } \
  LOGARITHM(name, T, Parts, level_parts)
// For base 2 the exponent is exact, and where it is -1 most of the sum cancels: f B is computed in two parts, plus the sum's rounding
// error, which is dropped if k is infinite.
#define BASE_2(T, Parts, B, B_low) \
  HELPER T log2_of(Parts p) { \
    T high = p.f * B, low = fused(p.f, B, -high), sum = p.k + high, error = (p.k - sum) + high; \
    return sum + (below_2(error) + fused(p.f, B_low, fused(even_rest(p.f), B, low))); \
  } \
  LOGARITHM(log2, T, Parts, level_parts)
BASE_2(float, FloatParts, 0x1.715476p+0f, 0x1.4ae0cp-26f)
BASE_2(double, DoubleParts, 0x1.71547652b82fep+0, 0x1.777d0ffda0d24p-56)
BASE(log10, float, FloatParts, 0x1.bcb7b2p-2f, -0x1.5b235ep-27f, 0x1.344134p-2f, 0x1.09f7ap-26f)
BASE(log10, double, DoubleParts, 0x1.bcb7b1526e50ep-2, 0x1.95355baaafad3p-57, 0x1.34413509f79fep-2, 0x1.e623e2566b02ep-55)

// log1p: k is that of the sum 1 + x, but f is derived from x itself: with s = 2^-k it is s x - (1 - s), rounded once, or x if k is 0. For
// large numbers, for which s may be 0, it is the sum's. Zeros are subtracted so that x's zero keeps its sign.
HELPER float power_of_2(float k) { return __builtin_astype(((int)k + 127) << 23, float); }
HELPER double power_of_2(double k) { return __builtin_astype(__builtin_astype(k + (0x1p52 + 1023), long) << 52, double); }
#define LOG1P(T, Parts, parts_of) \
  HELPER T any_log1p(T x, Parts p) { \
    T down = (T)0 - p.k, s = __ups_level() == 4 ? scaled((T)1, down, (T)0) : power_of_2(down); \
    T f = fused(x, s, -((T)1 - s)); \
    p.f = (__ups_level() == 4 || p.k < 60) ? f : p.f; \
    p.k = -down; \
    return log_of(p); \
  } \
  RARE T special_log1p(T x) { \
    T sum = x + (T)1; \
    return SPECIAL(T, sum, any_log1p(x, parts_of(sum))); \
  } \
  LARGE T log1p(T x) { \
    T sum = x + (T)1; \
    Parts p = parts_of(sum); \
    T r = any_log1p(x, p); \
    if (__ups_level() < 3) return SPECIAL(T, sum, r); \
    if (SELDOM(!is_normal(sum))) r = special_log1p(x); \
    return r; \
  }
LOG1P(float, FloatParts, simple_parts)
LOG1P(double, DoubleParts, simple_parts)
