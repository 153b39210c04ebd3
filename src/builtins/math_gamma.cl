// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// tgamma of float and double (specification: "Math Functions"; bound 16 ulp, here 8), and lgamma_r of float, which has no bound; lgamma_r
// of double is libclc's (math.cl). For y >= 6, log2 Gamma(y) = (y - 1/2) log2 y - y log2 e + log2 sqrt(2 pi) + Q(1/y^2) / (y ln 2)
// (Stirling), with Q interpolated at Chebyshev points for y >= 6: 2^-54. Below 6, Gamma(x) = Gamma(x + 6) / (x (x + 1) … (x + 5)). For
// negative arguments, Gamma(-a) = -pi / (a sin(pi a) Gamma(a)), with the exponent of 2 negated, so that no intermediate result overflows.
#include "sinpi.h"

// log2 Gamma(y + tail) for 6 <= y <= 206 and a tail below y's last place.
HELPER Wide log2_gamma(double y, double tail) {
  Wide l = wide_log2(y);
  double u = 1.0 / y;
  double q = POLYNOMIAL(double, u *u, 0x1.5555555555553p-4, -0x1.6c16c16be0177p-9, 0x1.a019ffb088f4ap-11, -0x1.3811d8a674e82p-11,
                        0x1.b8a29079c8399p-11, -0x1.e3a7757ba6c7dp-10, 0x1.19b216ee4b0b7p-8);
  // The derivative, log2 y - log2(e) / (2 y), accounts for the tail.
  double small = fused(u * q, 0x1.71547652b82fep+0, tail * fused(-u, 0x1.71547652b82fep-1, l.high));
  Wide up = wide_product(y - 0.5, l.high), down = wide_product(-y, 0x1.71547652b82fep+0);
  up.low = fused(y - 0.5, l.low, up.low);
  down.low = fused(-y, 0x1.777d0ffda0d24p-56, down.low);
  Wide sum = wide_sum(up.high, down.high), all = wide_sum(sum.high, 0x1.536439a4c6efcp+0);
  all.low += (sum.low + small) + (up.low + down.low);
  return all;
}

// (x + 1) … (x + 5)
HELPER double rising_product(double x) { return (x + 1.0) * (x + 2.0) * ((x + 3.0) * (x + 4.0)) * (x + 5.0); }
HELPER double sine_by_pi(double x) {
  Quarter_double q = quarter(x);
  double sine = (q.n & 1) ? cospi_near(q.f) : sinpi_near(q.f);
  return (q.n & 2) ? -sine : sine;
}

LARGE double tgamma(double x) {
  double a = __builtin_elementwise_abs(x), y = cut(a, 0.0, 200.0); // Gamma(200) is out of range, and so is its reciprocal
  bool low = y < 6.0, negative = x < 0;
  double shifted = low ? y + 6.0 : y;
  Wide l = log2_gamma(shifted, low ? y - (shifted - 6.0) : 0.0);
  Power power = wide_exp2(negative ? -l.high : l.high, negative ? -l.low : l.low);
  double product = rising_product(y), sine = sine_by_pi(a);
  double above = negative ? (low ? product : 1.0) * -0x1.921fb54442d18p+1 : 1.0;
  double below = negative ? (low ? sine : sine * a) : (low ? y * product : 1.0);
  // Scales intermediates by 2^-8: 120 / a may be out of range when the product is not.
  double r = scaled(power.fraction * (above * 0x1p-8 / below), power.exponent + 8);
  r = (negative & (__builtin_elementwise_trunc(x) == x)) ? (double)NAN : r;
  r = x == 0 ? __builtin_elementwise_copysign((double)INFINITY, x) : r;
  return x != x ? x : r;
}
LARGE float tgamma(float x) { return (float)tgamma((double)x); }

// log |Gamma(x)| in double, which leaves enough digits for float after cancellation near its zeros; the sign of Gamma, 0 at its poles.
LARGE float lgamma_r(float x, __private int *sign) {
  double a = __builtin_elementwise_abs((double)x), y = cut(a, 0x1p-149, 0x1p128);
  bool low = y < 6.0, negative = x < 0, pole = (x <= 0) & (__builtin_elementwise_trunc(x) == x);
  double shifted = low ? y + 6.0 : y;
  Wide l = log2_gamma(shifted, low ? y - (shifted - 6.0) : 0.0);
  Wide below = wide_log2(low ? y * rising_product(y) : 1.0);
  double sine = sine_by_pi(a), r = (l.high - below.high) + (l.low - below.low);
  // Gamma(-a) = -pi / (a sin(pi a) Gamma(a))
  Wide reflected = wide_log2((negative & !pole) ? 0x1.921fb54442d18p+1 / (a * __builtin_elementwise_abs(sine)) : 1.0);
  r = 0x1.62e42fefa39efp-1 * (negative ? (reflected.high - r) + reflected.low : r);
  r = ((x == 1) | (x == 2)) ? 0.0 : r;
  *sign = pole ? 0 : (negative & (sine > 0)) ? -1 : 1;
  return x != x ? x : (pole | (a == (double)INFINITY)) ? INFINITY : (float)r;
}
