// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Linear recurrences of floats, halves and complex numbers, against the recurrence in double precision.
#include "recurrence_check.h"

#include <cmath>

using namespace upsweep::test;

namespace {

// The same numbers as doubles, or as parts of complex ones.
double part(float x, int which) { return which == 0 ? x : 0; }
double part(double x, int which) { return which == 0 ? x : 0; }
double part(__half x, int which) { return which == 0 ? __half2float(x) : 0; }
double part(__nv_bfloat16 x, int which) { return which == 0 ? __bfloat162float(x) : 0; }
double part(float2 x, int which) { return which == 0 ? x.x : x.y; }
double part(double2 x, int which) { return which == 0 ? x.x : x.y; }
void set(float &x, double re, double) { x = static_cast<float>(re); }
void set(double &x, double re, double) { x = re; }
void set(__half &x, double re, double) { x = __float2half(static_cast<float>(re)); }
void set(__nv_bfloat16 &x, double re, double) { x = __float2bfloat16(static_cast<float>(re)); }
void set(float2 &x, double re, double im) { x = {static_cast<float>(re), static_cast<float>(im)}; }
void set(double2 &x, double re, double im) { x = {re, im}; }

double random_part() { return static_cast<double>(generator()() % 20001) / 10000 - 1; }

// a| < 1, so that errors decay; `tolerance` is for a single result.
template <class A, class B, class Out>
void check_rounded(const char *name, const cuda::axis &of, double tolerance) {
  const std::size_t n = of.batches * of.length * of.inner;
  std::vector<A> a(n);
  std::vector<B> b(n);
  for (std::size_t i = 0; i < n; ++i) {
    set(a[i], 0.69 * random_part(), 0.69 * random_part());
    set(b[i], random_part(), random_part());
  }
  DeviceArray<A> in_a(a);
  DeviceArray<B> in_b(b);
  DeviceArray<Out> x(n);
  UPSWEEP_CUDA(cuda::linear_recurrence_of_axis(shared_space(), in_a.data(), in_b.data(), x.data(), of));
  const std::vector<Out> got = x.download();
  UPSWEEP_CHECK(x.end_is_intact());
  double worst = 0;
  for (std::size_t batch = 0; batch < of.batches; ++batch) {
    for (std::size_t i = 0; i < of.inner; ++i) {
      double re = 0, im = 0;
      for (std::size_t l = 0; l < of.length; ++l) {
        const std::size_t at = place_of(of, {}, batch, l, i);
        const double a_re = part(a[at], 0), a_im = part(a[at], 1), was = re;
        re = a_re * re - a_im * im + part(b[at], 0);
        im = a_re * im + a_im * was + part(b[at], 1);
        const double wrong = std::hypot(part(got[at], 0) - re, part(got[at], 1) - im);
        worst = std::max(worst, wrong == wrong ? wrong : 1e30);
      }
    }
  }
  if (!(worst <= tolerance)) {
    report(__FILE__, __LINE__, (std::string(name) + " " + text_of(of) + ": wrong by " + std::to_string(worst)).c_str());
  }
  // The same again, bit for bit.
  DeviceArray<Out> again(n);
  UPSWEEP_CUDA(cuda::linear_recurrence_of_axis(shared_space(), in_a.data(), in_b.data(), again.data(), of));
  expect_same(std::string(name) + " again", again.download(), got);
}

template <class A, class B, class Out>
void check_rounded(const char *name, double tolerance) {
  for (const cuda::axis &of : {cuda::axis{50, 1000, 1}, {1, 70001, 1}, {3, 900, 64}, {2, 20, 70000}}) {
    if (!is_short_run() || of.inner == 1) {
      check_rounded<A, B, Out>(name, of, tolerance);
    }
  }
}

}  // namespace

UPSWEEP_TEST(GivenFloats_WhenRun_ThenNearDoubles) { check_rounded<float, float, float>("f32", 2e-6); }
UPSWEEP_TEST(GivenDoubles_WhenRun_ThenNearDoubles) { check_rounded<double, double, double>("f64", 1e-14); }
UPSWEEP_TEST(GivenHalves_WhenRun_ThenStatesAreFloats) {
  check_rounded<__half, __half, float>("f16 to f32", 2e-6);
  check_rounded<__half, __half, __half>("f16", 3e-3);
}
UPSWEEP_TEST(GivenBrainFloats_WhenRun_ThenStatesAreFloats) {
  check_rounded<__nv_bfloat16, __nv_bfloat16, __nv_bfloat16>("bf16", 2e-2);
}
UPSWEEP_TEST(GivenComplexNumbers_WhenRun_ThenNearDoubles) {
  check_rounded<float2, float2, float2>("complex", 3e-5);
  check_rounded<double2, double2, double2>("complex doubles", 1e-13);
  check_rounded<float, float2, float2>("real and complex", 1e-5);
}
