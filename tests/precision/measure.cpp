// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An error counts in units of the exact result's last place. Overflow counts as the next power of two, and subnormal results
// have the unit of the least number. The C library's double settles most calls of float and half; MPFR decides the rest.
#include "measure.h"

#include "tests/precision/precision.h"

#include <cmath>

namespace upsweep::precision {
namespace {

constexpr int kGuardBits = 64;
constexpr int kExponents = 20'000;  // MPFR's range: well past double's, but huge numbers take no time

/// 2^exponent for the normal range of double.
double power_of_two(int exponent) { return std::bit_cast<double>(static_cast<uint64_t>(exponent + 1023) << 52); }

/// Like std::frexp's, for a finite number that is not 0.
int exponent_of(double value) {
  const int field = static_cast<int>(std::bit_cast<uint64_t>(value) >> 52 & 0x7ff);
  return field != 0 ? field - 1022 : std::ilogb(value) + 1;
}

bool same(double a, double b) { return a == b ? std::signbit(a) == std::signbit(b) : std::isnan(a) && std::isnan(b); }

double error_in_ulps(double got, mpfr_srcptr want, const Format &format) {
  if (mpfr_nan_p(want) || std::isnan(got)) return mpfr_nan_p(want) && std::isnan(got) ? 0 : INFINITY;
  const bool sign_right = std::signbit(got) == (mpfr_signbit(want) != 0);
  const bool beyond = mpfr_inf_p(want) || (mpfr_regular_p(want) && mpfr_get_exp(want) > format.max_exponent);
  if (beyond && std::isinf(got)) return sign_right ? 0 : INFINITY;
  if (mpfr_inf_p(want)) return INFINITY;
  if (mpfr_zero_p(want) && got == 0) return sign_right ? 0 : INFINITY;
  const int exponent =
      mpfr_zero_p(want) ? format.min_exponent : static_cast<int>(std::max<mpfr_exp_t>(mpfr_get_exp(want), format.min_exponent));
  mpfr_t error;
  mpfr_init2(error, format.digits + kGuardBits);
  mpfr_set_d(error, std::isinf(got) ? std::copysign(1.0, got) : got, MPFR_RNDN);
  if (std::isinf(got)) mpfr_mul_2si(error, error, format.max_exponent, MPFR_RNDN);
  mpfr_sub(error, error, want, MPFR_RNDN);
  mpfr_mul_2si(error, error, format.digits - exponent, MPFR_RNDN);
  const double ulps = std::fabs(mpfr_get_d(error, MPFR_RNDN));
  mpfr_clear(error);
  return ulps;
}

double bound_of(const Function &function, const Format &format) {
  return format.bytes == 2 ? function.half_bound : format.bytes == 4 ? function.float_bound : function.double_bound;
}

/// Within 2^-exponent … 2^exponent.
bool in_range(double magnitude, int exponent) {
  return magnitude >= std::ldexp(1.0, -exponent) && magnitude <= std::ldexp(1.0, exponent);
}

template <typename... F>
struct Overloaded : F... {
  using F::operator()...;
};

}  // namespace

std::string_view name_of(Mode mode) {
  constexpr std::string_view kNames[] = {"full", "relaxed", "correctly rounded"};
  return kNames[static_cast<int>(mode)];
}

std::string_view options_of(Mode mode) {
  constexpr std::string_view kOptions[] = {"-cl-std=CL3.0", "-cl-std=CL3.0 -cl-fast-relaxed-math",
                                           "-cl-std=CL3.0 -cl-fp32-correctly-rounded-divide-sqrt"};
  return kOptions[static_cast<int>(mode)];
}

bool is_specified(const Function &function, const Format &format, Mode mode) {
  if (mode == Mode::Full) return !function.float_only || format.bytes == 4;
  if (format.bytes != 4 || function.float_only) return false;
  if (mode == Mode::Relaxed) return std::isfinite(function.float_bound);
  return function.name == "sqrt" || function.name == "divide" || function.name == "reciprocal";
}

/// The permitted error at this point, in ulp of the result.
double Measurement::allowed(const Point &point, double want, double ulp) const {
  if (mode_ == Mode::CorrectlyRounded) return 0.5;
  const double bound = bound_of(function_, format_);
  if (mode_ == Mode::Full) return bound;
  const auto absolute = [&](double error) { return std::max(bound, error / ulp); };
  const double x = std::fabs(point.x);
  return std::visit(Overloaded{[&](Same) { return bound; }, [](Ulps ulps) { return ulps.count; },
                               [&](Steep) { return 3 + std::floor(2 * x); },
                               [&](Trigonometric) { return x <= M_PI ? absolute(0x1p-11) : INFINITY; },
                               [&](TrigonometricPi) { return x <= 1 ? absolute(0x1p-11) : INFINITY; },
                               [&](Logarithmic) { return x >= 0.5 && x <= 2 ? absolute(0x1p-21) : bound; },
                               [&](Quotient) { return in_range(x, 62) && in_range(std::fabs(point.y), 62) ? 2.5 : INFINITY; },
                               [&](Reciprocal) { return in_range(x, 126) ? 2.5 : INFINITY; }},
                    std::isfinite(want) ? function_.relaxed : Relaxed(Same{}));
}

/// Whether the point cannot increase the largest error.
bool Measurement::is_settled(double got, const Point &point) const {
  if (format_.digits > kFloat.digits) return false;
  const double close = function_.close(point);
  if (same(got, close)) return true;
  if (std::isinf(got) && std::isfinite(close) && exponent_of(close) > format_.max_exponent)
    return std::signbit(got) == std::signbit(close);
  if (!std::isfinite(got) || !std::isfinite(close) || close == 0) return false;
  const int exponent = std::max(exponent_of(close), format_.min_exponent);
  return std::fabs(got - close) * power_of_two(format_.digits - exponent) <
         std::min(worst_.error, bound_of(function_, format_));
}

void Measurement::ask_mpfr(double got, const Point &point) {
  mpfr_set_emin(-kExponents);
  mpfr_set_emax(kExponents);
  mpfr_t want;
  mpfr_init2(want, format_.digits + kGuardBits);
  function_.exact(want, point);
  judge(got, point, want);
  mpfr_clear(want);
}

void Measurement::judge(double got, const Point &point, mpfr_srcptr want) {
  const double value = mpfr_get_d(want, MPFR_RNDN);
  const int exponent =
      mpfr_regular_p(want) ? static_cast<int>(std::max<mpfr_exp_t>(mpfr_get_exp(want), format_.min_exponent)) : 0;
  const double bound = allowed(point, value, std::ldexp(1.0, exponent - format_.digits));
  // -cl-fast-relaxed-math promises that no argument or result is infinite or NaN, and ignores signs of zeros.
  const bool is_finite = std::isfinite(decode(format_, encode(format_, value)));
  if (mode_ == Mode::Relaxed && (std::isinf(bound) || !is_finite || value == 0)) return;
  if (got == 0 && is_either_zero(function_, point)) return;
  const double error = error_in_ulps(got, want, format_);
  // lgamma has no bound, but C defines its zeros.
  const bool unbounded_is_wrong = std::isinf(error) || mpfr_zero_p(want);
  const double excess = error == 0 ? 0 : std::isinf(bound) ? (unbounded_is_wrong ? INFINITY : 0) : error / bound;
  if (excess > worst_.excess || (excess == worst_.excess && error > worst_.error)) {
    char *text = nullptr;
    mpfr_asprintf(&text, "%Ra", want);
    worst_ = {std::max(error, worst_.error), bound, excess, point, got, text, worst_.count};
    mpfr_free_str(text);
  }
  worst_.error = std::max(worst_.error, error);
}

cli::Result<Measurement> Measurement::create(const cli::Device &device, const Function &function, const Format &format,
                                             Mode mode) {
  const std::string source = fmt::format("#define T {}\n#define CALL {}\n{}", format.type, function.call, kPrecisionSource);
  const auto program = cli::build_program(device, source, std::string(options_of(mode)));
  if (!program) return cli::Failure(program.error());
  cl_int error = CL_SUCCESS;
  cl::Kernel kernel(*program, "apply", &error);
  if (auto made = cli::check(error, "make the kernel"); !made) return cli::Failure(made.error());
  return Measurement(device, function, format, mode, kernel);
}

/// The buffers of arguments and results, created again only if the count changes.
cli::Result<void> Measurement::write(Points &points) {
  const size_t count = points.x.size();
  if (count_ != count) {
    count_ = count;
    buffers_.clear();
    for (const size_t bytes : {format_.bytes, format_.bytes, format_.bytes, sizeof(int), format_.bytes}) {
      cl_int error = CL_SUCCESS;
      const cl::Buffer &buffer = buffers_.emplace_back(device_.context, CL_MEM_READ_WRITE, count * bytes, nullptr, &error);
      if (auto made = cli::check(error, "make a buffer"); !made) return made;
      kernel_.setArg(static_cast<cl_uint>(buffers_.size() - 1), buffer);
    }
  }
  const auto fill = [&](size_t at, const void *data, size_t bytes) {
    return bytes == 0 ? CL_SUCCESS : device_.queue.enqueueWriteBuffer(buffers_[at], CL_TRUE, 0, bytes, data);
  };
  cl_int error = fill(0, points.x.data(), points.x.byte_count());
  if (error == CL_SUCCESS) error = fill(1, points.y.data(), points.y.byte_count());
  if (error == CL_SUCCESS) error = fill(2, points.z.data(), points.z.byte_count());
  if (error == CL_SUCCESS) error = fill(3, points.n.data(), points.n.size() * sizeof(int));
  return cli::check(error, "write the arguments");
}

cli::Result<void> Measurement::add(Points &points) {
  if (auto written = write(points); !written) return written;
  const size_t count = points.x.size();
  Values results(format_);
  results.resize(count);
  cl_int error = device_.queue.enqueueNDRangeKernel(kernel_, cl::NullRange, cl::NDRange(count));
  if (error == CL_SUCCESS)
    error = device_.queue.enqueueReadBuffer(buffers_.back(), CL_TRUE, 0, results.byte_count(), results.data());
  if (auto done = cli::check(error, "run the kernel"); !done) return done;
  const bool has_n = !points.n.empty();
  const bool has_y = points.y.size() != 0, has_z = points.z.size() != 0;
  for (size_t i = 0; i < count; ++i) {
    const Point point = {points.x[i], has_y ? points.y[i] : 0, has_z ? points.z[i] : 0, has_n ? points.n[i] : 0};
    if (mode_ == Mode::Relaxed && !(std::isfinite(point.x) && std::isfinite(point.y) && point.x != 0)) continue;
    const double got = results[i];
    if (!is_settled(got, point)) ask_mpfr(got, point);
    ++worst_.count;
  }
  return {};
}

}  // namespace upsweep::precision
