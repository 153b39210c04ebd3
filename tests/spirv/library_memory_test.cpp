// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Instructions of OpenCL.std that read or write memory, have results of two types, or print.
#include "fixture.h"

#include <CL/cl_half.h>
#include <spirv/unified1/OpenCL.std.h>

#include <cmath>
#include <limits>
#include <numeric>

namespace upsweep::tests {
namespace {

using Storage = spv::StorageClass;

struct LibraryModule : KernelModule {
  Id library = import("OpenCL.std"), f32 = floating(32);
  Id call(Id type, OpenCLLIB::Entrypoints number, const Words &operands) {
    return op(Op::OpExtInst, type, Words{library, word(number)} + operands);
  }
  Id bits(Id value) { return op(Op::OpBitcast, i32, {value}); }
};

class LibraryTest : public SpirvTest {
protected:
  /// The floats that k(out, in), of ints, stores for floats.
  std::vector<cl_float> map_floats(const Words &module, const std::vector<cl_float> &input, size_t columns) {
    cl_kernel kernel = kernel_of(build(module), "k");
    cl_mem output = buffer(input.size() * columns * 4);
    set(kernel, 0, output);
    set(kernel, 1, buffer(bytes_of(input)));
    run(kernel, input.size());
    return values_of<cl_float>(content_of(output));
  }
};

// Functions that store a second result through a pointer, and functions of an integer and a float. Each input has a row.
TEST_F(LibraryTest, GivenResultsThroughPointers_WhenComputed_ThenBothAreRight) {
  constexpr size_t kColumns = 16;
  LibraryModule m;
  const std::vector<Id> k = m.begin_kernel("k", {m.global_i32, m.global_i32});
  const Id real = m.variable(m.f32), whole = m.variable(m.i32);
  const Id index = m.global_id(), x = m.op(Op::OpBitcast, m.f32, {m.get_at(k[1], index)});
  const Id row = m.op(Op::OpIMul, m.i64, {index, m.constant(64, kColumns)});
  uint64_t column = 0;
  const auto put = [&](Id value) { m.put_at(k[0], m.op(Op::OpIAdd, m.i64, {row, m.constant(64, column++)}), value); };
  const auto put_real = [&](Id value) { put(m.bits(value)); };
  put_real(m.call(m.f32, OpenCLLIB::Fract, {x, real})), put_real(m.load(m.f32, real));
  put_real(m.call(m.f32, OpenCLLIB::Frexp, {x, whole})), put(m.load(m.i32, whole));
  put_real(m.call(m.f32, OpenCLLIB::Modf, {x, real})), put_real(m.load(m.f32, real));
  put_real(m.call(m.f32, OpenCLLIB::Sincos, {x, real})), put_real(m.load(m.f32, real));
  put_real(m.call(m.f32, OpenCLLIB::Remquo, {x, m.constant(3.0F), whole})), put(m.load(m.i32, whole));
  put_real(m.call(m.f32, OpenCLLIB::Lgamma_r, {x, whole})), put(m.load(m.i32, whole));
  put(m.call(m.i32, OpenCLLIB::Ilogb, {x}));
  put_real(m.call(m.f32, OpenCLLIB::Ldexp, {x, m.number(-3)}));
  put_real(m.call(m.f32, OpenCLLIB::Pown, {x, m.number(-2)}));
  put_real(m.call(m.f32, OpenCLLIB::Rootn, {x, m.number(-3)}));
  m.end_kernel();
  const std::vector<cl_float> input{1.25F, -2.75F, 7.5F, -100.125F, 0.3125F, 12345.5F};
  const std::vector<cl_float> found = map_floats(m.words(), input, kColumns);
  const auto as_int = [](float value) { return std::bit_cast<cl_int>(value); };
  for (size_t n = 0; n < input.size(); ++n) {
    SCOPED_TRACE(input[n]);
    const float *row = &found[n * kColumns];
    const double x = input[n];
    const auto near = [&](float actual, double expected) { EXPECT_NEAR(actual, expected, std::fabs(expected) * 16e-7 + 1e-6); };
    EXPECT_EQ(row[0], x - std::floor(x));
    EXPECT_EQ(row[1], std::floor(x));
    int exponent = 0, quotient = 0;
    EXPECT_EQ(row[2], std::frexp(x, &exponent));
    EXPECT_EQ(as_int(row[3]), exponent);
    EXPECT_EQ(row[4], x - std::trunc(x));
    EXPECT_EQ(row[5], std::trunc(x));
    near(row[6], std::sin(x)), near(row[7], std::cos(x));
    EXPECT_EQ(row[8], std::remquo(x, 3.0, &quotient));
    EXPECT_EQ(std::abs(as_int(row[9])) & 7, std::abs(quotient) & 7);
    near(row[10], std::lgamma(x));
    EXPECT_EQ(as_int(row[11]), x < 0 && static_cast<long>(std::floor(x)) % 2 != 0 ? -1 : 1);
    EXPECT_EQ(as_int(row[12]), std::ilogb(x));
    EXPECT_EQ(row[13], std::ldexp(x, -3));
    near(row[14], 1 / (x * x));
    near(row[15], 1 / std::cbrt(x));
  }
}

TEST_F(LibraryTest, GivenVectorsSideBySide_WhenLoadedAndStored_ThenTheirPlacesFit) {
  for (const unsigned lanes : {2U, 3U, 4U, 8U, 16U}) {
    LibraryModule m;
    const Id type = m.vector(m.i32, lanes);
    const std::vector<Id> k = m.begin_kernel("k", {m.global_i32, m.global_i32});
    const Id index = m.global_id();
    const Id loaded = m.call(type, OpenCLLIB::Vloadn, {index, k[1], lanes});
    const Id sum = m.op(Op::OpIAdd, type, {loaded, m.splat(m.i32, lanes, m.number(1))});
    m.call(m.void_type(), OpenCLLIB::Vstoren, {sum, index, k[0]});
    m.end_kernel();
    std::vector<cl_int> input(20 * lanes), expected(20 * lanes);
    std::iota(input.begin(), input.end(), 100);
    std::iota(expected.begin(), expected.end(), 101);
    cl_kernel kernel = kernel_of(build(m.words()), "k");
    cl_mem output = buffer(input.size() * 4);
    set(kernel, 0, output);
    set(kernel, 1, buffer(bytes_of(input)));
    run(kernel, 20);
    EXPECT_EQ(values_of<cl_int>(content_of(output)), expected) << lanes;
  }
}

// Floats to halves in each rounding mode, and back: one at a time, by fours, and by aligned threes.
TEST_F(LibraryTest, GivenHalves_WhenStoredAndLoaded_ThenTheyAreRoundedAsAsked) {
  constexpr size_t kItems = 32;
  const cl_half_rounding_mode modes[] = {CL_HALF_RTE, CL_HALF_RTZ, CL_HALF_RTP, CL_HALF_RTN};
  for (uint32_t mode = 0; mode < 4; ++mode) {
    LibraryModule m;
    m.capability(spv::Capability::Float16Buffer);
    const Id half = m.floating(16), halves = m.pointer(Storage::CrossWorkgroup, half),
             floats = m.pointer(Storage::CrossWorkgroup, m.f32);
    const Id f32x4 = m.vector(m.f32, 4), f32x3 = m.vector(m.f32, 3);
    const std::vector<Id> k = m.begin_kernel("k", {halves, floats, halves, floats});
    const Id index = m.global_id();
    const Id four = m.call(f32x4, OpenCLLIB::Vloadn, {index, k[1], 4});
    const Id three = m.op(Op::OpVectorShuffle, f32x3, {four, four, 0, 1, 2});
    m.call(m.void_type(), OpenCLLIB::Vstore_halfn_r, {four, index, k[0], mode});
    m.call(m.void_type(), OpenCLLIB::Vstorea_halfn_r, {three, index, k[2], mode});
    const Id back = m.call(f32x4, OpenCLLIB::Vload_halfn, {index, k[0], 4});
    const Id again = m.call(f32x3, OpenCLLIB::Vloada_halfn, {index, k[2], 3});
    const Id first = m.call(m.f32, OpenCLLIB::Vload_half, {m.op(Op::OpIMul, m.i64, {index, m.constant(64, 4)}), k[0]});
    const Id widened = m.op(Op::OpVectorShuffle, f32x4, {again, again, 0, 1, 2, 2});
    const Id sum = m.op(Op::OpFAdd, f32x4,
                        {m.op(Op::OpFAdd, f32x4, {back, widened}), m.op(Op::OpCompositeConstruct, f32x4, Words(4, first))});
    m.call(m.void_type(), OpenCLLIB::Vstoren, {sum, index, k[3]});
    m.end_kernel();
    std::mt19937 random(mode);
    std::vector<cl_float> input;
    for (size_t n = 0; n < kItems * 4; ++n)
      input.push_back(std::ldexp(static_cast<float>(random() % 2000001) - 1000000, -static_cast<int>(n % 30)));
    for (cl_float &each : input)
      if (std::fabs(each) > 60000) each = std::fmod(each, 60000.0F);
    cl_kernel kernel = kernel_of(build(m.words()), "k");
    cl_mem stored = buffer(kItems * 8), aligned = buffer(kItems * 8), sums = buffer(kItems * 16);
    set(kernel, 0, stored), set(kernel, 1, buffer(bytes_of(input))), set(kernel, 2, aligned), set(kernel, 3, sums);
    run(kernel, kItems);
    const auto found = values_of<cl_half>(content_of(stored)), threes = values_of<cl_half>(content_of(aligned));
    const auto totals = values_of<cl_float>(content_of(sums));
    for (size_t n = 0; n < input.size(); ++n) {
      const auto half_of = [&](size_t at) { return cl_half_from_float(input[at], modes[mode]); };
      ASSERT_EQ(found[n], half_of(n)) << input[n] << ", mode " << mode;
      if (n % 4 < 3) ASSERT_EQ(threes[n], half_of(n)) << input[n] << ", mode " << mode;
      if (n % 4 < 3)
        ASSERT_EQ(totals[n],
                  cl_half_to_float(half_of(n)) + cl_half_to_float(half_of(n)) + cl_half_to_float(half_of(n / 4 * 4)));
    }
  }
}

// upsample, mad24, mul24, select, shuffle and shuffle2.
TEST_F(LibraryTest, GivenOtherIntegers_WhenComputed_ThenExact) {
  LibraryModule m;
  const Id i16 = m.integer(16), v4 = m.vector(m.i32, 4);
  const std::vector<Id> k = m.begin_kernel("k", {m.global_i32, m.global_i32});
  const Id index = m.global_id(), x = m.get_at(k[1], index);
  const Id row = m.op(Op::OpIMul, m.i64, {index, m.constant(64, 9)});
  uint64_t column = 0;
  const auto put = [&](Id value) { m.put_at(k[0], m.op(Op::OpIAdd, m.i64, {row, m.constant(64, column++)}), value); };
  const Id low = m.op(Op::OpUConvert, i16, {x}),
           high = m.op(Op::OpUConvert, i16, {m.binary(Op::OpShiftRightLogical, x, m.number(16))});
  put(m.call(m.i32, OpenCLLIB::U_Upsample, {high, low}));
  put(m.call(m.i32, OpenCLLIB::S_Upsample, {high, low}));
  const Id small = m.binary(Op::OpShiftRightArithmetic, x, m.number(9)),
           positive = m.binary(Op::OpShiftRightLogical, x, m.number(9));
  put(m.call(m.i32, OpenCLLIB::SMul24, {small, m.number(-77)}));
  put(m.call(m.i32, OpenCLLIB::UMul24, {positive, m.number(77)}));
  put(m.call(m.i32, OpenCLLIB::SMad24, {small, m.number(-77), x}));
  put(m.call(m.i32, OpenCLLIB::UMad24, {positive, m.number(77), x}));
  put(m.call(m.i32, OpenCLLIB::Select, {m.number(3), x, x}));
  Words parts;
  for (int n = 0; n < 4; ++n) parts.push_back(m.binary(Op::OpIAdd, x, m.number(n)));
  const Id vector = m.op(Op::OpCompositeConstruct, v4, parts), other = m.splat(m.i32, 4, m.number(50));
  const Id mask = m.op(Op::OpCompositeConstruct, v4, {x, m.number(6), m.number(0), m.number(1)});
  const auto weighted = [&](Id of) {
    Id sum = m.number(0);
    for (uint32_t n = 0; n < 4; ++n)
      sum = m.binary(Op::OpIAdd, m.binary(Op::OpIMul, sum, m.number(7)), m.op(Op::OpCompositeExtract, m.i32, {of, n}));
    return sum;
  };
  put(weighted(m.call(v4, OpenCLLIB::Shuffle, {vector, mask})));
  put(weighted(m.call(v4, OpenCLLIB::Shuffle2, {vector, other, mask})));
  m.call(m.void_type(), OpenCLLIB::Prefetch, {k[1], m.constant(64, 4)});
  m.end_kernel();
  std::vector<cl_uint> input;
  std::mt19937 random(5);
  for (int n = 0; n < 50; ++n) input.push_back(static_cast<cl_uint>(random()));
  cl_kernel kernel = kernel_of(build(m.words()), "k");
  cl_mem output = buffer(input.size() * 9 * 4);
  set(kernel, 0, output);
  set(kernel, 1, buffer(bytes_of(input)));
  run(kernel, input.size());
  const auto found = values_of<cl_uint>(content_of(output));
  std::vector<cl_uint> expected;
  for (const cl_uint x : input) {
    const cl_uint small = static_cast<cl_uint>(static_cast<cl_int>(x) >> 9), positive = x >> 9;
    const cl_uint vector[] = {x, x + 1, x + 2, x + 3, 50, 50, 50, 50};
    const auto weighted = [](cl_uint a, cl_uint b, cl_uint c, cl_uint d) { return ((a * 7 + b) * 7 + c) * 7 + d; };
    const cl_uint row[] = {x,
                           x,
                           small * static_cast<cl_uint>(-77),
                           positive * 77,
                           small * static_cast<cl_uint>(-77) + x,
                           positive * 77 + x,
                           x >> 31 ? x : 3,
                           weighted(vector[x % 4], vector[2], vector[0], vector[1]),
                           weighted(vector[x % 8], vector[6], vector[0], vector[1])};
    expected.insert(expected.end(), std::begin(row), std::end(row));
  }
  // The condition of select on scalars is a number that is not 0.
  for (size_t n = 0; n < input.size(); ++n) expected[n * 9 + 6] = input[n] ? input[n] : 3;
  EXPECT_EQ(found, expected);
}

TEST_F(LibraryTest, GivenGeometry_WhenComputed_ThenAsTheFormulas) {
  LibraryModule m;
  const Id v3 = m.vector(m.f32, 3), floats = m.pointer(Storage::CrossWorkgroup, m.f32);
  const std::vector<Id> k = m.begin_kernel("k", {floats, floats});
  const Id a = m.call(v3, OpenCLLIB::Vloadn, {m.constant(64, 0), k[1], 3}),
           b = m.call(v3, OpenCLLIB::Vloadn, {m.constant(64, 1), k[1], 3});
  uint64_t column = 0;
  const auto put = [&](Id value) { m.store(m.element(k[0], m.constant(64, column++), m.f32), value); };
  const auto put_all = [&](Id vector) {
    for (uint32_t n = 0; n < 3; ++n) put(m.op(Op::OpCompositeExtract, m.f32, {vector, n}));
  };
  put_all(m.call(v3, OpenCLLIB::Cross, {a, b}));
  put(m.call(m.f32, OpenCLLIB::Distance, {a, b})), put(m.call(m.f32, OpenCLLIB::Length, {a}));
  put_all(m.call(v3, OpenCLLIB::Normalize, {a}));
  put(m.call(m.f32, OpenCLLIB::Fast_distance, {a, b})), put(m.call(m.f32, OpenCLLIB::Fast_length, {a}));
  put_all(m.call(v3, OpenCLLIB::Fast_normalize, {a}));
  const Id half = m.splat(m.f32, 3, m.constant(0.25F));
  put_all(m.call(v3, OpenCLLIB::Mix, {a, b, half}));
  put_all(m.call(v3, OpenCLLIB::Smoothstep, {m.splat(m.f32, 3, m.constant(-4.0F)), m.splat(m.f32, 3, m.constant(8.0F)), b}));
  m.end_kernel();
  cl_kernel kernel = kernel_of(build(m.words()), "k");
  cl_mem output = buffer(19 * 4);
  set(kernel, 0, output);
  set(kernel, 1, buffer(bytes_of(std::vector<cl_float>{1, 2, -2, 5, -1, 6})));
  run(kernel, 1);
  const auto smooth = [](double x) {
    const double t = (x + 4) / 12;
    return t * t * (3 - 2 * t);
  };
  const double distance = std::sqrt(16 + 9 + 64);
  const double expected[] = {
      2 * 6 - -2 * -1, -2 * 5 - 1 * 6, 1 * -1 - 2 * 5, distance, 3,    1.0 / 3, 2.0 / 3,   -2.0 / 3,   distance, 3,
      1.0 / 3,         2.0 / 3,        -2.0 / 3,       2,        1.25, 0,       smooth(5), smooth(-1), smooth(6)};
  const auto found = values_of<cl_float>(content_of(output));
  for (size_t n = 0; n < std::size(expected); ++n)
    EXPECT_NEAR(found[n], expected[n], std::fabs(expected[n]) * (n > 7 ? 1e-3 : 1e-6) + 1e-6) << n;
}

TEST_F(LibraryTest, GivenPrintf_WhenRun_ThenItReturnsZeroAndPrints) {
  LibraryModule m;
  const std::string format = "spirv %d %s\n", word_text = "text";
  const auto text = [&](const std::string &characters) {
    Words parts;
    for (const char each : characters + '\0') parts.push_back(m.constant(8, static_cast<unsigned char>(each)));
    const Id type = m.array(m.integer(8), static_cast<uint32_t>(parts.size()));
    return m.global(Storage::UniformConstant, type, {m.constant_of(Op::OpConstantComposite, type, parts)});
  };
  const Id first = text(format), second = text(word_text), pointer = m.pointer(Storage::UniformConstant, m.integer(8));
  const Id out = m.begin_kernel("k", {m.global_i32})[0];
  const auto start = [&](Id array) { return m.op(Op::OpInBoundsAccessChain, pointer, {array, m.number(0)}); };
  m.put_at(out, m.number(0), m.call(m.i32, OpenCLLIB::Printf, {start(first), m.number(42), start(second)}));
  m.end_kernel();
  cl_program program = build(m.words());
  testing::internal::CaptureStdout();
  const auto result = values_of<cl_int>(output_of(program, "k", 4));
  EXPECT_EQ(clFinish(queue_), CL_SUCCESS);
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "spirv 42 text\n");
  EXPECT_EQ(result[0], 0);
}

}  // namespace
}  // namespace upsweep::tests
