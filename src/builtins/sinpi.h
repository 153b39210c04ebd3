// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sin(pi f) and cos(pi f) for |f| <= 1/4, and the reduction of any argument to that range.
#pragma once
#include "elementary.h"

/// x = 2 m + n/2 + f with |f| <= 1/4, all exact; n is from -2 to 2.
typedef struct {
  float f;
  int n;
} Quarter_float;
typedef struct {
  double f;
  long n;
} Quarter_double;
#define DEFINE_QUARTER(T) \
  HELPER Quarter_##T quarter(T x) { \
    T r = x - (T)2 * __builtin_elementwise_rint(x * (T)0.5); \
    T shifted = (T)2 * r + CAT(ROUNDER_, T), n = shifted - CAT(ROUNDER_, T); \
    Quarter_##T q = {r - (T)0.5 * n, integer_of(shifted)}; \
    return q; \
  } \
  HELPER T finite(T x, T r) { return __builtin_elementwise_abs(x) < (T)INFINITY ? r : (T)NAN; }
DEFINE_QUARTER(float)
DEFINE_QUARTER(double)

// sin(pi f) = f (pi + f^2 P(f^2)), pi in two parts; cos(pi f) = 1 + f^2 P(f^2). Minimax: 2^-31 and 2^-29 in float, 2^-61 and 2^-58 in double.
HELPER float sinpi_near(float f) {
  float z = f * f;
  float p = POLYNOMIAL(float, z, -0x1.777a5cp-24f, -0x1.4abbcep2f, 0x1.466b62p1f, -0x1.329de8p-1f, 0x1.3ef73ep-4f);
  return fused(f, 0x1.921fb6p1f, f * p);
}
HELPER float cospi_near(float f) {
  return POLYNOMIAL(float, f *f, 1.0f, -0x1.3bd3ccp2f, 0x1.03c19ep2f, -0x1.55a5bp0f, 0x1.d09344p-3f);
}
HELPER double sinpi_near(double f) {
  double p = POLYNOMIAL(double, f *f, 0x1.1a62633145c07p-53, -0x1.4abbce625be53p2, 0x1.466bc6775abc6p1, -0x1.32d2cce6483b7p-1,
                        0x1.507834b835953p-4, -0x1.e3079f38d6a33p-8, 0x1.e931e2be0c6bdp-12, -0x1.80fb29be961fbp-16);
  return fused(f, 0x1.921fb54442d18p+1, f * p);
}
HELPER double cospi_near(double f) {
  return POLYNOMIAL(double, f *f, 1.0, -0x1.3bd3cc9be45dep2, 0x1.03c1f081b5a23p2, -0x1.55d3c7e3b7782p0, 0x1.e1f50664cca8cp-3,
                    -0x1.a6d1d2d5fcbcdp-6, 0x1.f9b7a4a3edf2cp-10, -0x1.ac077c3d3989ap-14);
}
