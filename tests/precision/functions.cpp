// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Exact values by MPFR, and close ones by the C library in double.
#include "functions.h"

#include <algorithm>
#include <cmath>
#include <ostream>

namespace upsweep::precision {
namespace {

constexpr mpfr_rnd_t kNearest = MPFR_RNDN;

/// A double as a number of MPFR.
class Number {
public:
  explicit Number(double value) {
    mpfr_init2(value_, 53);
    mpfr_set_d(value_, value, kNearest);
  }
  Number(const Number &) = delete;
  Number &operator=(const Number &) = delete;
  ~Number() { mpfr_clear(value_); }
  operator mpfr_srcptr() const { return value_; }

private:
  mpfr_t value_;
};

// UPSWEEP_EXACT(name, MPFR's call, the C library's)
#define UPSWEEP_EXACT(name, call, host)                                                                                        \
  [[maybe_unused]] void name##_exact(mpfr_t r, const Point &p) {                                                               \
    [[maybe_unused]] const Number x(p.x), y(p.y), z(p.z);                                                                      \
    call;                                                                                                                      \
  }                                                                                                                            \
  [[maybe_unused]] double name##_close(const Point &p) {                                                                       \
    [[maybe_unused]] const double x = p.x, y = p.y, z = p.z;                                                                   \
    return host;                                                                                                               \
  }
#define UPSWEEP_LIKE_C(name) UPSWEEP_EXACT(name, mpfr_##name(r, x, kNearest), std::name(x))
#define UPSWEEP_LIKE_C2(name) UPSWEEP_EXACT(name, mpfr_##name(r, x, y, kNearest), std::name(x, y))
/// The double is exact for every type.
#define UPSWEEP_IN_DOUBLE(name, host) UPSWEEP_EXACT(name, mpfr_set_d(r, name##_of(p), kNearest), host)

/// sin or cos of pi x from the exact remainder of x after multiples of a half. Most floats are integers, for which zeros must
/// be decided here.
double by_pi(double (*even)(double), double (*odd)(double), double zero, double x) {
  const double r = std::remainder(x, 2), n = std::rint(2 * r), f = r - n / 2;
  if (!std::isfinite(x)) return NAN;
  const bool is_odd = static_cast<int>(n) % 2 != 0;
  const double value = is_odd ? odd(M_PI * f) : even(M_PI * f);
  // Odd multiples of a half turn change the sign of sine and cosine.
  return value == 0 ? zero : (static_cast<int>(n) & 2) != 0 ? -value : value;
}
double sine(double x) { return std::sin(x); }
double cosine(double x) { return std::cos(x); }
double tangent_by_pi(double x) {
  const double r = std::remainder(x, 1), f = std::fabs(r) > 0.25 ? r - std::copysign(0.5, r) : r;
  if (!std::isfinite(x)) return NAN;
  // "tanpi(n) is copysign(0.0, n) for even integers n" and the other zero for odd ones; poles are MPFR's matter.
  if (r == 0) return std::copysign(0.0, std::remainder(x, 2) == 0 ? x : -x);
  if (f == 0) return NAN;
  return f == r ? std::tan(M_PI * f) : -1 / std::tan(M_PI * f);
}
double root(double x, int n) {
  const double r = std::pow(std::fabs(x), 1.0 / n);
  return n % 2 != 0 ? std::copysign(r, x) : x < 0 || n == 0 ? NAN : r;
}

UPSWEEP_LIKE_C(acos)
UPSWEEP_LIKE_C(acosh)
UPSWEEP_LIKE_C(asin)
UPSWEEP_LIKE_C(asinh)
UPSWEEP_LIKE_C(atan)
UPSWEEP_LIKE_C(atanh)
UPSWEEP_LIKE_C(cbrt)
UPSWEEP_LIKE_C(cos)
UPSWEEP_LIKE_C(cosh)
UPSWEEP_LIKE_C(erf)
UPSWEEP_LIKE_C(erfc)
UPSWEEP_LIKE_C(exp)
UPSWEEP_LIKE_C(exp2)
UPSWEEP_LIKE_C(expm1)
UPSWEEP_LIKE_C(log)
UPSWEEP_LIKE_C(log10)
UPSWEEP_LIKE_C(log1p)
UPSWEEP_LIKE_C(log2)
UPSWEEP_LIKE_C(sin)
UPSWEEP_LIKE_C(sinh)
UPSWEEP_LIKE_C(sqrt)
UPSWEEP_LIKE_C(tan)
UPSWEEP_LIKE_C(tanh)
UPSWEEP_LIKE_C2(atan2)
UPSWEEP_LIKE_C2(fmod)
UPSWEEP_LIKE_C2(hypot)
UPSWEEP_LIKE_C2(pow)
UPSWEEP_LIKE_C2(remainder)
UPSWEEP_EXACT(remquo, mpfr_remainder(r, x, y, kNearest), std::remainder(x, y))
UPSWEEP_EXACT(sincos_sine, mpfr_sin(r, x, kNearest), std::sin(x))
UPSWEEP_EXACT(sincos_cosine, mpfr_cos(r, x, kNearest), std::cos(x))
UPSWEEP_EXACT(exp10, mpfr_exp10(r, x, kNearest), ::exp10(x))
UPSWEEP_EXACT(rsqrt, p.x == 0 ? mpfr_set_d(r, 1 / p.x, kNearest) : mpfr_rec_sqrt(r, x, kNearest), 1 / std::sqrt(x))
UPSWEEP_EXACT(reciprocal, mpfr_ui_div(r, 1, x, kNearest), 1 / x)
UPSWEEP_EXACT(divide, mpfr_div(r, x, y, kNearest), x / y)
UPSWEEP_EXACT(fma, mpfr_fma(r, x, y, z, kNearest), std::fma(x, y, z))
// "powr(x, NaN) returns the NaN for x >= 0", also for x = 1.
UPSWEEP_EXACT(powr, std::isnan(p.y) ? mpfr_set_nan(r) : static_cast<void>(mpfr_powr(r, x, y, kNearest)),
              x < 0 ? NAN : std::pow(std::fabs(x), y))
UPSWEEP_EXACT(pown, mpfr_pow_si(r, x, p.n, kNearest), std::pow(x, p.n))
UPSWEEP_EXACT(rootn, mpfr_rootn_si(r, x, p.n, kNearest), root(x, p.n))
UPSWEEP_EXACT(ldexp, mpfr_mul_2si(r, x, p.n, kNearest), std::ldexp(x, p.n))
UPSWEEP_EXACT(fdim, p.x <= p.y ? mpfr_set_zero(r, 1) : static_cast<void>(mpfr_sub(r, x, y, kNearest)), x <= y ? 0 : x - y)
// x times a fraction of the circle; MPFR's functions with u divide the circle into u units.
UPSWEEP_EXACT(acospi, mpfr_acosu(r, x, 2, kNearest), std::acos(x) / M_PI)
UPSWEEP_EXACT(asinpi, mpfr_asinu(r, x, 2, kNearest), std::asin(x) / M_PI)
UPSWEEP_EXACT(atanpi, mpfr_atanu(r, x, 2, kNearest), std::atan(x) / M_PI)
UPSWEEP_EXACT(atan2pi, mpfr_atan2u(r, x, y, 2, kNearest), std::atan2(x, y) / M_PI)
UPSWEEP_EXACT(cospi, mpfr_cosu(r, x, 2, kNearest), by_pi(cosine, [](double a) { return -std::sin(a); }, 0, x))
UPSWEEP_EXACT(sinpi, mpfr_sinu(r, x, 2, kNearest), by_pi(sine, cosine, std::copysign(0.0, x), x))
UPSWEEP_EXACT(tanpi, mpfr_tanu(r, x, 2, kNearest), tangent_by_pi(x))

// MPFR returns NaN at zero and minus infinity; C has infinities.
UPSWEEP_EXACT(lgamma, int sign = 0; if (std::isinf(p.x)) mpfr_set_inf(r, 1);
              else mpfr_lgamma(r, &sign, x, kNearest), std::lgamma(x))
UPSWEEP_EXACT(tgamma, mpfr_gamma(r, x, kNearest), std::tgamma(x))

double ceil_of(const Point &p) { return std::ceil(p.x); }
double floor_of(const Point &p) { return std::floor(p.x); }
double rint_of(const Point &p) { return std::rint(p.x); }
double round_of(const Point &p) { return std::round(p.x); }
double trunc_of(const Point &p) { return std::trunc(p.x); }
double fabs_of(const Point &p) { return std::fabs(p.x); }
double logb_of(const Point &p) { return std::logb(p.x); }
double copysign_of(const Point &p) { return std::copysign(p.x, p.y); }
double fmax_of(const Point &p) { return std::fmax(p.x, p.y); }
double fmin_of(const Point &p) { return std::fmin(p.x, p.y); }
double maxmag_of(const Point &p) {
  const double a = std::fabs(p.x), b = std::fabs(p.y);
  return a > b ? p.x : b > a ? p.y : std::fmax(p.x, p.y);
}
double minmag_of(const Point &p) {
  const double a = std::fabs(p.x), b = std::fabs(p.y);
  return a < b ? p.x : b < a ? p.y : std::fmin(p.x, p.y);
}
UPSWEEP_IN_DOUBLE(ceil, ceil_of(p))
UPSWEEP_IN_DOUBLE(floor, floor_of(p))
UPSWEEP_IN_DOUBLE(rint, rint_of(p))
UPSWEEP_IN_DOUBLE(round, round_of(p))
UPSWEEP_IN_DOUBLE(trunc, trunc_of(p))
UPSWEEP_IN_DOUBLE(fabs, fabs_of(p))
UPSWEEP_IN_DOUBLE(logb, logb_of(p))
UPSWEEP_IN_DOUBLE(copysign, copysign_of(p))
UPSWEEP_IN_DOUBLE(fmax, fmax_of(p))
UPSWEEP_IN_DOUBLE(fmin, fmin_of(p))
UPSWEEP_IN_DOUBLE(maxmag, maxmag_of(p))
UPSWEEP_IN_DOUBLE(minmag, minmag_of(p))

using enum Arguments;
constexpr Function kFunctions[] = {
#define UPSWEEP_MATH(name, call, arguments, float_bound, relaxed, double_bound, half_bound)                                    \
  {#name, #call, arguments, float_bound, relaxed, double_bound, half_bound, false, name##_exact, name##_close},
#define UPSWEEP_MATH_FLOAT(name, call, of, arguments, bound)                                                                   \
  {#name, #call, arguments, bound, Same{}, 0, 0, true, of##_exact, of##_close},
#include "functions.def"
};

}  // namespace

std::span<const Function> functions() { return kFunctions; }

void PrintTo(const Function &function, std::ostream *out) { *out << function.name; }

bool is_either_zero(const Function &function, const Point &point) {
  constexpr std::string_view kNames[] = {"fmax", "fmin", "maxmag", "minmag"};
  return point.x == 0 && point.y == 0 && std::ranges::find(kNames, function.name) != std::end(kNames);
}

}  // namespace upsweep::precision
