// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// log, log2 and log10 of float and double (specification: "Math Functions"; bound 3 ulp, here 1.2), and log1p of float (bound 2, here 0.502).
// With x = (1 + f) 2^k the logarithm of 1 + f is f + rest, where rest is small beside f and so are its errors; f is exact. In another
// base f is multiplied by a constant in two parts, so that only the last sum rounds the leading term.
#include "elementary.h"

// rest(f) = log(1 + f) - f. float: -f^2/2 + f^3 P(f), P minimax: 2^-25 of the logarithm.
HELPER float rest(float f) {
  float p = POLYNOMIAL(float, f, 0x1.55555p-2f, -0x1.0000bcp-2f, 0x1.99a40ap-3f, -0x1.54dc62p-3f, 0x1.228fc2p-3f, -0x1.090098p-3f,
                       0x1.067f36p-3f, -0x1.55981cp-4f);
  return fused(f * f, f * p, -0.5f * f * f);
}
// double: with s = f / (2 + f), log(1 + f) = 2 atanh(s) = 2 s + s R(s^2), and 2 s = f - s f; so rest = s (f^2/2 + R) - f^2/2.
// R is minimax: 2^-57 of the logarithm.
HELPER double rest(double f) {
  double s = f / (2.0 + f), z = s * s, square = 0.5 * f * f;
  double r = z * POLYNOMIAL(double, z, 0x1.5555555555558p-1, 0x1.99999999952b9p-2, 0x1.2492492dfb9b8p-2, 0x1.c71c62d649d8dp-3,
                            0x1.7462b925f9f72p-3, 0x1.39fdcbbcee0e7p-3, 0x1.2b5f5b2f7190cp-3);
  return fused(s, square + r, -square);
}

// NaN stays, and so does infinity.
#define SPECIAL(T, x, r) (x == 0 ? -(T)INFINITY : x < 0 ? (T)NAN : x < (T)INFINITY ? r : x)

// B: the factor of f in two parts; K: that of the exponent.
#define LOGARITHM(name, T, Parts, B, B_low, K, K_low) \
  LARGE T name(T x) { \
    Parts p = parts(x); \
    T r = fused(p.f, B, fused(p.f, B_low, fused(rest(p.f), B, p.k * K_low))); \
    return SPECIAL(T, x, fused(p.k, K, r)); \
  }
#define NATURAL(T, Parts, K, K_low) \
  LARGE T log(T x) { \
    Parts p = parts(x); \
    T r = p.f + fused(p.k, K_low, rest(p.f)); \
    return SPECIAL(T, x, fused(p.k, K, r)); \
  }
NATURAL(float, FloatParts, 0x1.62e43p-1f, -0x1.05c61p-29f)
NATURAL(double, DoubleParts, 0x1.62e42fefa39efp-1, 0x1.abc9e3b39803fp-56)
LOGARITHM(log2, float, FloatParts, 0x1.715476p+0f, 0x1.4ae0cp-26f, 1.0f, 0.0f)
LOGARITHM(log2, double, DoubleParts, 0x1.71547652b82fep+0, 0x1.777d0ffda0d24p-56, 1.0, 0.0)
LOGARITHM(log10, float, FloatParts, 0x1.bcb7b2p-2f, -0x1.5b235ep-27f, 0x1.344136p-2f, -0x1.ec10cp-27f)
LOGARITHM(log10, double, DoubleParts, 0x1.bcb7b1526e50ep-2, 0x1.95355baaafad3p-57, 0x1.34413509f79ffp-2, -0x1.9dc1da994fd21p-59)

// log1p of float, in double, where 1 + x is exact unless x is tiny; near zero f is x. The polynomial is minimax: 2^-33 of the logarithm.
LARGE float log1p(float x) {
  DoubleParts p = normal_parts(1.0 + (double)x, BIAS);
  double f = p.k == 0 ? (double)x : p.f;
  double q = POLYNOMIAL(double, f, -0x1.00000004edf84p-1, 0x1.55555511209b1p-2, -0x1.ffffd91bb20eep-3, 0x1.9999cbb5de4acp-3,
                        -0x1.5561bdc1f3a24p-3, 0x1.2495e1aff49f3p-3, -0x1.fd3a7acf18196p-4, 0x1.c3a3a3b570103p-4,
                        -0x1.b8ac28a9c1963p-4, 0x1.b4115854c4ac6p-4, -0x1.f4625ce4b6a6dp-5);
  float r = (float)fused(p.k, 0x1.62e42fefa39efp-1, fused(f * f, q, f));
  return __builtin_elementwise_abs(x) < 0x1p-30f ? x : SPECIAL(float, x + 1.0f, r);
}
