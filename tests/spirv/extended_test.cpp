// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each instruction of OpenCL.std against a reference: integers exactly, floats within OpenCL's bound in ULP.
#include "fixture.h"

#include <spirv/unified1/OpenCL.std.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numbers>
#include <span>

namespace upsweep::tests {
namespace {

constexpr size_t kItems = 128;
constexpr unsigned kLanes = 4;
using Wide = __int128;

struct IntegerRow {
  OpenCLLIB::Entrypoints number;
  unsigned operands;
  bool is_signed;
  Wide (*reference)(unsigned bits, Wide a, Wide b, Wide c);
};

Wide least(unsigned bits) { return -(Wide(1) << (bits - 1)); }
Wide modulus(unsigned bits) { return Wide(1) << bits; }
Wide saturated(Wide value, Wide low, Wide high) { return std::clamp(value, low, high); }
Wide s_sat(unsigned bits, Wide value) { return saturated(value, least(bits), -least(bits) - 1); }
Wide u_sat(unsigned bits, Wide value) { return saturated(value, 0, modulus(bits) - 1); }
Wide absolute(Wide value) { return value < 0 ? -value : value; }
int leading_zeros(unsigned bits, Wide value) {
  int count = 0;
  while (count < static_cast<int>(bits) && !(value >> (bits - 1 - count) & 1)) ++count;
  return count;
}
int trailing_zeros(unsigned bits, Wide value) {
  int count = 0;
  while (count < static_cast<int>(bits) && !(value >> count & 1)) ++count;
  return count;
}
/// The high half; an unsigned product of 64 bits has 128, which a signed Wide does not hold.
Wide u_mul_hi(unsigned bits, Wide a, Wide b) {
  return static_cast<Wide>(static_cast<unsigned __int128>(a) * static_cast<unsigned __int128>(b) >> bits);
}
Wide u_mad_sat(unsigned bits, Wide a, Wide b, Wide c) {
  return u_mul_hi(bits, a, b) != 0 ? modulus(bits) - 1 : u_sat(bits, ((a * b) & (modulus(bits) - 1)) + c);
}
Wide rotated(unsigned bits, Wide a, Wide b) {
  const auto amount = static_cast<unsigned>(b & (bits - 1));
  return amount == 0 ? a : (a << amount) | (a >> (bits - amount));
}

#define OF [](unsigned bits, Wide a, Wide b, Wide c) -> Wide { static_cast<void>(bits), static_cast<void>(a), static_cast<void>(b), static_cast<void>(c); return
#define END                                                                                                                    \
  ;                                                                                                                            \
  }
const IntegerRow kIntegerRows[] = {
    {OpenCLLIB::SAbs, 1, true, OF absolute(a) END},
    {OpenCLLIB::UAbs, 1, false, OF a END},
    {OpenCLLIB::SAbs_diff, 2, true, OF absolute(a - b) END},
    {OpenCLLIB::UAbs_diff, 2, false, OF absolute(a - b) END},
    {OpenCLLIB::SAdd_sat, 2, true, OF s_sat(bits, a + b) END},
    {OpenCLLIB::UAdd_sat, 2, false, OF u_sat(bits, a + b) END},
    {OpenCLLIB::SSub_sat, 2, true, OF s_sat(bits, a - b) END},
    {OpenCLLIB::USub_sat, 2, false, OF u_sat(bits, a - b) END},
    {OpenCLLIB::SHadd, 2, true, OF(a + b) >> 1 END},
    {OpenCLLIB::UHadd, 2, false, OF(a + b) >> 1 END},
    {OpenCLLIB::SRhadd, 2, true, OF(a + b + 1) >> 1 END},
    {OpenCLLIB::URhadd, 2, false, OF(a + b + 1) >> 1 END},
    {OpenCLLIB::SMax, 2, true, OF std::max(a, b) END},
    {OpenCLLIB::UMax, 2, false, OF std::max(a, b) END},
    {OpenCLLIB::SMin, 2, true, OF std::min(a, b) END},
    {OpenCLLIB::UMin, 2, false, OF std::min(a, b) END},
    {OpenCLLIB::SClamp, 3, true, OF std::min(std::max(a, b), c) END},
    {OpenCLLIB::UClamp, 3, false, OF std::min(std::max(a, b), c) END},
    {OpenCLLIB::SMul_hi, 2, true, OF(a *b) >> bits END},
    {OpenCLLIB::UMul_hi, 2, false, OF u_mul_hi(bits, a, b) END},
    {OpenCLLIB::SMad_hi, 3, true, OF((a * b) >> bits) + c END},
    {OpenCLLIB::UMad_hi, 3, false, OF u_mul_hi(bits, a, b) + c END},
    {OpenCLLIB::SMad_sat, 3, true, OF s_sat(bits, a *b + c) END},
    {OpenCLLIB::UMad_sat, 3, false, OF u_mad_sat(bits, a, b, c) END},
    {OpenCLLIB::Rotate, 2, false, OF rotated(bits, a, b) END},
    {OpenCLLIB::Clz, 1, false, OF leading_zeros(bits, a) END},
    {OpenCLLIB::Ctz, 1, false, OF trailing_zeros(bits, a) END},
    {OpenCLLIB::Popcount, 1, false, OF __builtin_popcountll(static_cast<uint64_t>(a)) END},
    {OpenCLLIB::Bitselect, 3, false, OF(a & ~c) | (b & c) END},
};
#undef OF
#undef END

struct FloatRow {
  OpenCLLIB::Entrypoints number;
  double float_ulps, double_ulps;
  double low, high;  ///< of the operands
  std::function<long double(long double, long double, long double)> reference;
  unsigned operands = 1;
};

constexpr long double kPi = std::numbers::pi_v<long double>;
constexpr double kNative = 8192;  // the specification leaves it to the implementation

#define OF(expression)                                                                                                         \
  [](long double a, [[maybe_unused]] long double b, [[maybe_unused]] long double c) -> long double { return expression; }
const FloatRow kFloatRows[] = {
    {OpenCLLIB::Acos, 4, 4, -1, 1, OF(std::acos(a))},
    {OpenCLLIB::Acosh, 4, 4, 1, 1e4, OF(std::acosh(a))},
    {OpenCLLIB::Acospi, 5, 5, -1, 1, OF(std::acos(a) / kPi)},
    {OpenCLLIB::Asin, 4, 4, -1, 1, OF(std::asin(a))},
    {OpenCLLIB::Asinh, 4, 4, -1e4, 1e4, OF(std::asinh(a))},
    {OpenCLLIB::Asinpi, 5, 5, -1, 1, OF(std::asin(a) / kPi)},
    {OpenCLLIB::Atan, 5, 5, -1e4, 1e4, OF(std::atan(a))},
    {OpenCLLIB::Atan2, 6, 6, -1e4, 1e4, OF(std::atan2(a, b)), 2},
    {OpenCLLIB::Atanh, 5, 5, -1, 1, OF(std::atanh(a))},
    {OpenCLLIB::Atanpi, 5, 5, -1e4, 1e4, OF(std::atan(a) / kPi)},
    {OpenCLLIB::Atan2pi, 6, 6, -1e4, 1e4, OF(std::atan2(a, b) / kPi), 2},
    {OpenCLLIB::Cbrt, 2, 2, -1e9, 1e9, OF(std::cbrt(a))},
    {OpenCLLIB::Ceil, 0, 0, -1e3, 1e3, OF(std::ceil(a))},
    {OpenCLLIB::Copysign, 0, 0, -9, 9, OF(std::copysign(a, b)), 2},
    {OpenCLLIB::Cos, 4, 4, -1e3, 1e3, OF(std::cos(a))},
    {OpenCLLIB::Cosh, 4, 4, -20, 20, OF(std::cosh(a))},
    {OpenCLLIB::Cospi, 4, 4, -0.49, 0.49, OF(std::cos(a *kPi))},
    {OpenCLLIB::Erfc, 16, 16, -4, 4, OF(std::erfc(a))},
    {OpenCLLIB::Erf, 16, 16, -4, 4, OF(std::erf(a))},
    {OpenCLLIB::Exp, 3, 3, -50, 50, OF(std::exp(a))},
    {OpenCLLIB::Exp2, 3, 3, -50, 50, OF(std::exp2(a))},
    {OpenCLLIB::Exp10, 3, 3, -30, 30, OF(std::pow(10.0L, a))},
    {OpenCLLIB::Expm1, 3, 3, -5, 20, OF(std::expm1(a))},
    {OpenCLLIB::Fabs, 0, 0, -9, 9, OF(std::fabs(a))},
    {OpenCLLIB::Fdim, 1, 1, -9, 9, OF(std::fdim(a, b)), 2},
    {OpenCLLIB::Floor, 0, 0, -1e3, 1e3, OF(std::floor(a))},
    {OpenCLLIB::Fma, 0.5, 0.5, -9, 9, OF(a *b + c), 3},
    {OpenCLLIB::Fmax, 0, 0, -9, 9, OF(std::max(a, b)), 2},
    {OpenCLLIB::Fmin, 0, 0, -9, 9, OF(std::min(a, b)), 2},
    {OpenCLLIB::Fmod, 0, 0, -1e4, 1e4, OF(std::fmod(a, b)), 2},
    {OpenCLLIB::Hypot, 4, 4, -1e9, 1e9, OF(std::hypot(a, b)), 2},
    {OpenCLLIB::Log, 3, 3, 2, 1e9, OF(std::log(a))},
    {OpenCLLIB::Log2, 3, 3, 2, 1e9, OF(std::log2(a))},
    {OpenCLLIB::Log10, 3, 3, 2, 1e9, OF(std::log10(a))},
    {OpenCLLIB::Log1p, 2, 2, 0, 1e9, OF(std::log1p(a))},
    {OpenCLLIB::Logb, 0, 0, 1e-9, 1e9, OF(std::logb(a))},
    {OpenCLLIB::Maxmag, 0, 0, -9, 9, OF(std::fabs(a) > std::fabs(b) ? a : b), 2},
    {OpenCLLIB::Minmag, 0, 0, -9, 9, OF(std::fabs(a) < std::fabs(b) ? a : b), 2},
    {OpenCLLIB::Pow, 16, 16, 0.1, 9, OF(std::pow(a, b)), 2},
    {OpenCLLIB::Powr, 16, 16, 0.1, 9, OF(std::pow(a, b)), 2},
    {OpenCLLIB::Remainder, 0, 0, -1e4, 1e4, OF(std::remainder(a, b)), 2},
    {OpenCLLIB::Rint, 0, 0, -1e3, 1e3, OF(std::rint(a))},
    {OpenCLLIB::Round, 0, 0, -1e3, 1e3, OF(std::round(a))},
    {OpenCLLIB::Rsqrt, 2, 2, 1e-9, 1e9, OF(1 / std::sqrt(a))},
    {OpenCLLIB::Sin, 4, 4, -1e3, 1e3, OF(std::sin(a))},
    {OpenCLLIB::Sinh, 4, 4, -20, 20, OF(std::sinh(a))},
    {OpenCLLIB::Sinpi, 4, 4, -0.49, 0.49, OF(std::sin(a *kPi))},
    {OpenCLLIB::Sqrt, 3, 0.5, 0, 1e9, OF(std::sqrt(a))},
    {OpenCLLIB::Tan, 5, 5, -1e3, 1e3, OF(std::tan(a))},
    {OpenCLLIB::Tanh, 5, 5, -9, 9, OF(std::tanh(a))},
    {OpenCLLIB::Tanpi, 6, 6, -0.49, 0.49, OF(std::tan(a *kPi))},
    {OpenCLLIB::Tgamma, 16, 16, 0.1, 20, OF(std::tgamma(a))},
    {OpenCLLIB::Trunc, 0, 0, -1e3, 1e3, OF(std::trunc(a))},
    {OpenCLLIB::FClamp, 0, 0, -9, 9, OF(std::min(std::max(a, b), c)), 3},
    {OpenCLLIB::Degrees, 2, 2, -9, 9, OF(a * 180 / kPi)},
    {OpenCLLIB::FMax_common, 0, 0, -9, 9, OF(std::max(a, b)), 2},
    {OpenCLLIB::FMin_common, 0, 0, -9, 9, OF(std::min(a, b)), 2},
    {OpenCLLIB::Radians, 2, 2, -999, 999, OF(a *kPi / 180)},
    {OpenCLLIB::Step, 0, 0, -9, 9, OF(b < a ? 0.0L : 1.0L), 2},
    {OpenCLLIB::Sign, 0, 0, -9, 9, OF(a < 0 ? -1.0L : 1.0L)},
};
/// Functions that floats alone have.
const FloatRow kHalfPreciseRows[] = {
    {OpenCLLIB::Half_cos, kNative, 0, -9, 9, OF(std::cos(a))},
    {OpenCLLIB::Half_divide, kNative, 0, 1, 9, OF(a / b), 2},
    {OpenCLLIB::Half_exp, kNative, 0, -9, 9, OF(std::exp(a))},
    {OpenCLLIB::Half_exp2, kNative, 0, -9, 9, OF(std::exp2(a))},
    {OpenCLLIB::Half_exp10, kNative, 0, -9, 9, OF(std::pow(10.0L, a))},
    {OpenCLLIB::Half_log, kNative, 0, 2, 9, OF(std::log(a))},
    {OpenCLLIB::Half_log2, kNative, 0, 2, 9, OF(std::log2(a))},
    {OpenCLLIB::Half_log10, kNative, 0, 2, 9, OF(std::log10(a))},
    {OpenCLLIB::Half_powr, kNative, 0, 1, 9, OF(std::pow(a, b)), 2},
    {OpenCLLIB::Half_recip, kNative, 0, 1, 9, OF(1 / a)},
    {OpenCLLIB::Half_rsqrt, kNative, 0, 1, 9, OF(1 / std::sqrt(a))},
    {OpenCLLIB::Half_sin, kNative, 0, -9, 9, OF(std::sin(a))},
    {OpenCLLIB::Half_sqrt, kNative, 0, 1, 9, OF(std::sqrt(a))},
    {OpenCLLIB::Half_tan, kNative, 0, -9, 9, OF(std::tan(a))},
    {OpenCLLIB::Native_cos, kNative, 0, -1, 1, OF(std::cos(a))},
    {OpenCLLIB::Native_divide, kNative, 0, 1, 9, OF(a / b), 2},
    {OpenCLLIB::Native_exp, kNative, 0, -9, 9, OF(std::exp(a))},
    {OpenCLLIB::Native_exp2, kNative, 0, -9, 9, OF(std::exp2(a))},
    {OpenCLLIB::Native_exp10, kNative, 0, -9, 9, OF(std::pow(10.0L, a))},
    {OpenCLLIB::Native_log, kNative, 0, 2, 9, OF(std::log(a))},
    {OpenCLLIB::Native_log2, kNative, 0, 2, 9, OF(std::log2(a))},
    {OpenCLLIB::Native_log10, kNative, 0, 2, 9, OF(std::log10(a))},
    {OpenCLLIB::Native_powr, kNative, 0, 1, 9, OF(std::pow(a, b)), 2},
    {OpenCLLIB::Native_recip, kNative, 0, 1, 9, OF(1 / a)},
    {OpenCLLIB::Native_rsqrt, kNative, 0, 1, 9, OF(1 / std::sqrt(a))},
    {OpenCLLIB::Native_sin, kNative, 0, 0.1, 1.5, OF(std::sin(a))},
    {OpenCLLIB::Native_sqrt, kNative, 0, 1, 9, OF(std::sqrt(a))},
    {OpenCLLIB::Native_tan, kNative, 0, 0.1, 1.5, OF(std::tan(a))},
};
#undef OF

/// k(out, a, b, c) of vectors: row by row.
template <typename Row>
Words module_of(ModuleBuilder &m, Id scalar, std::span<const Row> rows) {
  const Id library = m.import("OpenCL.std");
  const Id type = m.vector(scalar, kLanes), pointer = m.pointer(spv::StorageClass::CrossWorkgroup, type);
  const std::vector<Id> k = m.begin_kernel("k", {pointer, pointer, pointer, pointer});
  const Id index = m.global_id();
  Words operands;
  for (size_t n = 1; n < 4; ++n) operands.push_back(m.load(type, m.element(k[n], index, type)));
  for (size_t row = 0; row < rows.size(); ++row) {
    const Words given(operands.begin(), operands.begin() + rows[row].operands);
    const Id value = m.op(Op::OpExtInst, type, Words{library, word(rows[row].number)} + given);
    const Id place = m.op(Op::OpIAdd, m.integer(64), {index, m.constant(64, row * kItems)});
    m.store(m.element(k[0], place, type), value);
  }
  m.end_kernel();
  return m.words();
}

class ExtendedTest : public SpirvTest {
protected:
  Bytes run_rows(const Words &module, size_t rows, const std::vector<Bytes> &inputs) {
    cl_kernel kernel = kernel_of(build(module), "k");
    cl_mem output = buffer(rows * inputs[0].size());
    set(kernel, 0, output);
    for (cl_uint n = 0; n < 3; ++n) set(kernel, n + 1, buffer(inputs[n]));
    run(kernel, kItems);
    return content_of(output);
  }

  template <typename T>
  void check_integers() {
    constexpr unsigned kBits = sizeof(T) * 8;
    using Signed = std::make_signed_t<T>;
    const T edges[] = {0, 1, 2, T(~T(0)), T(~T(0) - 1), T(T(1) << (kBits - 1)), T((T(1) << (kBits - 1)) - 1), T(kBits)};
    std::mt19937_64 random(kBits);
    std::vector<std::vector<T>> operands(3, std::vector<T>(kItems * kLanes));
    for (size_t n = 0; n < 3; ++n)
      for (size_t k = 0; k < kItems * kLanes; ++k)
        operands[n][k] = k < 512 - 64 && k % 2 ? static_cast<T>(random())
                                               : edges[(n == 0   ? k / 2
                                                        : n == 1 ? k / 16
                                                                 : k / 3) %
                                                       8];
    KernelModule m;
    const Words module = module_of<IntegerRow>(m, m.integer(kBits), kIntegerRows);
    const auto results = values_of<T>(
        run_rows(module, std::size(kIntegerRows), {bytes_of(operands[0]), bytes_of(operands[1]), bytes_of(operands[2])}));
    size_t place = 0;
    for (const IntegerRow &row : kIntegerRows)
      for (size_t k = 0; k < kItems * kLanes; ++k, ++place) {
        const auto wide = [&](size_t n) {
          return row.is_signed ? Wide(static_cast<Signed>(operands[n][k])) : Wide(operands[n][k]);
        };
        const bool is_clamp = row.number == OpenCLLIB::SClamp || row.number == OpenCLLIB::UClamp;
        if (is_clamp && wide(1) > wide(2)) continue;  // undefined
        ASSERT_EQ(results[place], static_cast<T>(row.reference(kBits, wide(0), wide(1), wide(2))))
            << "instruction " << row.number << " of " << kBits << " bits, item " << k << ": " << +operands[0][k] << ", "
            << +operands[1][k] << ", " << +operands[2][k];
      }
  }

  template <typename T>
  void check_floats(std::span<const FloatRow> rows) {
    // Each row has its range: the operands of all rows lie side by side.
    KernelModule m;
    const Words module = module_of_float_rows(m, m.floating(sizeof(T) * 8), rows);
    cl_kernel kernel = kernel_of(build(module), "k");
    std::vector<std::vector<T>> operands(3);
    for (const FloatRow &row : rows) {
      const auto given = inputs_of_row<T>(row);
      for (size_t n = 0; n < 3; ++n) operands[n].insert(operands[n].end(), given[n].begin(), given[n].end());
    }
    cl_mem output = buffer(operands[0].size() * sizeof(T));
    set(kernel, 0, output);
    for (cl_uint n = 0; n < 3; ++n) set(kernel, n + 1, buffer(bytes_of(operands[n])));
    run(kernel, kItems);
    const auto results = values_of<T>(content_of(output));
    for (size_t place = 0; place < results.size(); ++place) {
      const FloatRow &row = rows[place / (kItems * kLanes)];
      const long double a = operands[0][place], b = operands[1][place], c = operands[2][place];
      if (row.number == OpenCLLIB::FClamp && b > c) continue;  // undefined
      const long double expected = row.reference(a, b, c);
      const double bound = sizeof(T) == 4 ? row.float_ulps : row.double_ulps;
      const T nearest = static_cast<T>(expected);
      const long double ulp =
          std::max<long double>(std::nextafter(std::fabs(nearest), std::numeric_limits<T>::infinity()) - std::fabs(nearest),
                                std::numeric_limits<T>::min());
      ASSERT_LE(std::fabs(static_cast<long double>(results[place]) - expected), (bound == 0.5 ? 0.501 : bound) * ulp)
          << "instruction " << row.number << " of " << sizeof(T) * 8 << " bits: " << static_cast<double>(a) << ", "
          << static_cast<double>(b) << ", " << static_cast<double>(c) << ": " << results[place] << " instead of "
          << static_cast<double>(expected);
    }
  }

  template <typename T>
  static std::vector<std::vector<T>> inputs_of_row(const FloatRow &row) {
    std::mt19937_64 random(row.number);
    std::uniform_real_distribution<double> between(row.low, row.high);
    std::vector<std::vector<T>> operands(3, std::vector<T>(kItems * kLanes));
    for (auto &list : operands)
      for (T &value : list) value = static_cast<T>(between(random));
    return operands;
  }

  static Words module_of_float_rows(ModuleBuilder &m, Id scalar, std::span<const FloatRow> rows) {
    const Id library = m.import("OpenCL.std");
    const Id type = m.vector(scalar, kLanes), pointer = m.pointer(spv::StorageClass::CrossWorkgroup, type);
    const std::vector<Id> k = m.begin_kernel("k", {pointer, pointer, pointer, pointer});
    const Id index = m.global_id();
    for (size_t row = 0; row < rows.size(); ++row) {
      const Id place = m.op(Op::OpIAdd, m.integer(64), {index, m.constant(64, row * kItems)});
      Words given{library, word(rows[row].number)};
      for (unsigned n = 0; n < rows[row].operands; ++n) given.push_back(m.load(type, m.element(k[n + 1], place, type)));
      m.store(m.element(k[0], place, type), m.op(Op::OpExtInst, type, given));
    }
    m.end_kernel();
    return m.words();
  }
};

TEST_F(ExtendedTest, GivenIntegersOf8Bits_WhenComputed_ThenExact) { check_integers<cl_uchar>(); }
TEST_F(ExtendedTest, GivenIntegersOf16Bits_WhenComputed_ThenExact) { check_integers<cl_ushort>(); }
TEST_F(ExtendedTest, GivenIntegersOf32Bits_WhenComputed_ThenExact) { check_integers<cl_uint>(); }
TEST_F(ExtendedTest, GivenIntegersOf64Bits_WhenComputed_ThenExact) { check_integers<cl_ulong>(); }
TEST_F(ExtendedTest, GivenFloats_WhenComputed_ThenWithinTheirBound) { check_floats<float>(kFloatRows); }
TEST_F(ExtendedTest, GivenDoubles_WhenComputed_ThenWithinTheirBound) { check_floats<double>(kFloatRows); }
TEST_F(ExtendedTest, GivenFastFunctions_WhenComputed_ThenWithinTheirBound) { check_floats<float>(kHalfPreciseRows); }

}  // namespace
}  // namespace upsweep::tests
