// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Conversion instructions, plain, saturated and rounded in each mode; and composite instructions.
#include "fixture.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>

namespace upsweep::tests {
namespace {

constexpr size_t kItems = 128;
constexpr unsigned kMostBytes = 8;
enum Mode : int { kDefault = -1, kNearest, kZero, kUp, kDown };  // FPRoundingMode's numbers

struct Type {
  bool is_float;
  unsigned bits;
};
constexpr Type kIntegers[] = {{false, 8}, {false, 16}, {false, 32}, {false, 64}};
constexpr Type kFloats[] = {{true, 32}, {true, 64}};

struct Row {
  Op op;
  Type to;
  Mode mode = kDefault;
  bool saturates = false;
};

uint64_t mask_of(unsigned bits) { return bits == 64 ? ~uint64_t(0) : (uint64_t(1) << bits) - 1; }

template <typename T>
T nearest_in_mode(long double exact, Mode mode) {
  T result = static_cast<T>(exact);
  const T infinity = std::numeric_limits<T>::infinity();
  if (std::isnan(exact) || static_cast<long double>(result) == exact) return result;
  const bool is_above = static_cast<long double>(result) > exact;
  if (mode == kUp && !is_above) result = std::nextafter(result, infinity);
  if (mode == kDown && is_above) result = std::nextafter(result, -infinity);
  if (mode == kZero && is_above == (exact > 0)) result = std::nextafter(result, T(0));
  return result;
}

uint64_t float_bits(long double exact, const Type &to, Mode mode) {
  if (to.bits == 32) return std::bit_cast<uint32_t>(nearest_in_mode<float>(exact, mode));
  return std::bit_cast<uint64_t>(nearest_in_mode<double>(exact, mode));
}

long double whole(long double value, Mode mode) {
  switch (mode) {
  case kNearest: return std::nearbyint(value);
  case kUp: return std::ceil(value);
  case kDown: return std::floor(value);
  default: return std::trunc(value);
  }
}

/// The bits of the result; nothing if it is undefined.
std::optional<uint64_t> reference(const Row &row, const Type &from, uint64_t bits) {
  const auto as_signed = static_cast<int64_t>(bits << (64 - from.bits)) >> (64 - from.bits);
  const bool from_signed = row.op == Op::OpSConvert || row.op == Op::OpConvertSToF || row.op == Op::OpSatConvertSToU;
  long double value = from_signed ? static_cast<long double>(as_signed) : static_cast<long double>(bits);
  if (from.is_float) value = from.bits == 32 ? std::bit_cast<float>(static_cast<uint32_t>(bits)) : std::bit_cast<double>(bits);
  if (row.to.is_float) return float_bits(value, row.to, row.mode);
  if (row.op == Op::OpUConvert || row.op == Op::OpSConvert)
    return (from_signed ? static_cast<uint64_t>(as_signed) : bits) & mask_of(row.to.bits);
  const bool to_signed = row.op == Op::OpConvertFToS || row.op == Op::OpSatConvertUToS;
  const long double end = std::ldexp(1.0L, static_cast<int>(row.to.bits) - (to_signed ? 1 : 0)), low = to_signed ? -end : 0;
  if (from.is_float) value = whole(value, row.mode);
  const bool is_outside = std::isnan(value) || value < low || value >= end;
  if (is_outside && !row.saturates) return std::nullopt;
  if (std::isnan(value)) return 0;
  if (value < low) return static_cast<uint64_t>(to_signed ? static_cast<int64_t>(low) : 0) & mask_of(row.to.bits);
  if (value >= end) return mask_of(row.to.bits) >> (to_signed ? 1 : 0);
  return (value < 0 ? static_cast<uint64_t>(static_cast<int64_t>(value)) : static_cast<uint64_t>(value)) & mask_of(row.to.bits);
}

std::vector<Row> rows_from(const Type &from) {
  std::vector<Row> rows;
  for (const Type &to : kIntegers) {
    if (from.is_float) {
      for (const bool saturates : {false, true})
        for (const Mode mode : {kDefault, kNearest, kZero, kUp, kDown})
          for (const Op op : {Op::OpConvertFToU, Op::OpConvertFToS}) rows.push_back({op, to, mode, saturates});
      continue;
    }
    if (to.bits != from.bits) rows.push_back({Op::OpUConvert, to}), rows.push_back({Op::OpSConvert, to});
    rows.push_back({Op::OpSatConvertSToU, to, kDefault, true}), rows.push_back({Op::OpSatConvertUToS, to, kDefault, true});
  }
  for (const Type &to : kFloats) {
    if (from.is_float && from.bits == to.bits) continue;
    for (const Mode mode : {kDefault, kNearest, kZero, kUp, kDown}) {
      if (from.is_float) rows.push_back({Op::OpFConvert, to, mode});
      if (!from.is_float) rows.push_back({Op::OpConvertSToF, to, mode}), rows.push_back({Op::OpConvertUToF, to, mode});
    }
  }
  return rows;
}

std::vector<uint64_t> inputs_of(const Type &from, size_t count) {
  std::mt19937_64 random(from.bits + count);
  std::vector<uint64_t> inputs;
  if (!from.is_float) {
    for (unsigned bit = 0; bit < from.bits; ++bit)
      for (const uint64_t offset : {uint64_t(0), uint64_t(1), ~uint64_t(0)}) inputs.push_back((uint64_t(1) << bit) + offset);
    while (inputs.size() < count) inputs.push_back(random() >> (random() % 64));
  } else {
    const auto add = [&](double value) {
      inputs.push_back(from.bits == 32 ? std::bit_cast<uint32_t>(static_cast<float>(value)) : std::bit_cast<uint64_t>(value));
    };
    for (const int bits : {0, 7, 8, 15, 16, 23, 31, 32, 63, 64, 127})
      for (const double offset : {-1.0, -0.5, 0.0, 0.5, 1.5})
        add(std::ldexp(1.0, bits) + offset), add(-std::ldexp(1.0, bits) + offset);
    for (const double value : {0.25, 0.75, 1e300, 1e-300, 3.5e38, 1e-45, std::numeric_limits<double>::infinity(), std::nan("")})
      add(value), add(-value);
    while (inputs.size() < count)
      add(std::ldexp(static_cast<double>(static_cast<int64_t>(random())), static_cast<int>(random() % 70) - 63));
  }
  inputs.resize(count);
  std::shuffle(inputs.begin(), inputs.end(), random);
  for (uint64_t &each : inputs) each &= mask_of(from.bits);
  return inputs;
}

unsigned room_of(unsigned lanes) { return lanes == 3 ? 4 : lanes; }

class ConversionTest : public SpirvTest {
protected:
  static Id scalar_of(ModuleBuilder &m, const Type &type) {
    return type.is_float ? m.floating(type.bits) : m.integer(type.bits);
  }

  /// k(out, in): a row's results begin at multiples of kItems vectors of the widest components.
  static Words module_of(const Type &from, unsigned lanes, const std::vector<Row> &rows) {
    KernelModule m;
    const auto global = spv::StorageClass::CrossWorkgroup;
    const Id i8 = m.integer(8), type = m.vector(scalar_of(m, from), lanes);
    const std::vector<Id> k = m.begin_kernel("k", {m.pointer(global, i8), m.pointer(global, type)});
    const Id index = m.global_id(), value = m.load(type, m.element(k[1], index, type));
    for (size_t row = 0; row < rows.size(); ++row) {
      const Id to = m.vector(scalar_of(m, rows[row].to), lanes);
      const Id converted = m.op(rows[row].op, to, {value});
      if (rows[row].mode != kDefault)
        m.decorate(converted, spv::Decoration::FPRoundingMode, {static_cast<uint32_t>(rows[row].mode)});
      const bool is_named = rows[row].op == Op::OpSatConvertSToU || rows[row].op == Op::OpSatConvertUToS;
      if (rows[row].saturates && !is_named) m.decorate(converted, spv::Decoration::SaturatedConversion);
      const Id area = m.element(k[0], m.constant(64, row * kItems * room_of(lanes) * kMostBytes), i8);
      m.store(m.element(m.op(Op::OpBitcast, m.pointer(global, to), {area}), index, to), converted);
    }
    m.end_kernel();
    return m.words();
  }

  void check(const Type &from, unsigned lanes) {
    const std::vector<Row> rows = rows_from(from);
    const std::vector<uint64_t> inputs = inputs_of(from, kItems * lanes);
    Bytes bytes(kItems * room_of(lanes) * from.bits / 8, kPoison);
    for (size_t k = 0; k < inputs.size(); ++k)
      std::memcpy(&bytes[(k / lanes * room_of(lanes) + k % lanes) * from.bits / 8], &inputs[k], from.bits / 8);
    cl_kernel kernel = kernel_of(build(module_of(from, lanes, rows)), "k");
    const size_t area = kItems * room_of(lanes) * kMostBytes;
    cl_mem output = buffer(rows.size() * area);
    set(kernel, 0, output);
    set(kernel, 1, buffer(bytes));
    run(kernel, kItems);
    const Bytes content = content_of(output);
    for (size_t row = 0; row < rows.size(); ++row)
      for (size_t k = 0; k < inputs.size(); ++k) {
        const std::optional<uint64_t> expected = reference(rows[row], from, inputs[k]);
        if (!expected) continue;
        uint64_t actual = 0;
        std::memcpy(&actual, &content[row * area + (k / lanes * room_of(lanes) + k % lanes) * rows[row].to.bits / 8],
                    rows[row].to.bits / 8);
        if (rows[row].to.is_float && is_nan(rows[row].to, *expected) && is_nan(rows[row].to, actual)) continue;
        ASSERT_EQ(actual, *expected) << "instruction " << word(rows[row].op) << " from " << from.bits << " to "
                                     << rows[row].to.bits << " bits, mode " << rows[row].mode << ", saturated "
                                     << rows[row].saturates << ", " << lanes << " components: " << std::hex << inputs[k];
      }
  }
  static bool is_nan(const Type &type, uint64_t bits) {
    return type.bits == 32 ? std::isnan(std::bit_cast<float>(static_cast<uint32_t>(bits)))
                           : std::isnan(std::bit_cast<double>(bits));
  }
};

TEST_F(ConversionTest, GivenIntegers_WhenConverted_ThenAsInCpp) {
  for (const Type &from : kIntegers)
    for (const unsigned lanes : {1U, 3U, 4U}) check(from, lanes);
}
TEST_F(ConversionTest, GivenFloats_WhenConverted_ThenAsInCpp) {
  for (const unsigned lanes : {1U, 3U}) check(kFloats[0], lanes);
}
TEST_F(ConversionTest, GivenDoubles_WhenConverted_ThenAsInCpp) {
  for (const unsigned lanes : {1U, 4U}) check(kFloats[1], lanes);
}

// Vectors of each size: construct, shuffle, dynamic extract and insert, any, all, bit casts and products.
TEST_F(ConversionTest, GivenVectorsOfEachSize_WhenTakenApart_ThenTheirComponentsFit) {
  for (const unsigned lanes : {2U, 3U, 4U, 8U, 16U}) {
    KernelModule m;
    const Id type = m.vector(m.i32, lanes), bools = m.vector(m.boolean, lanes), f32 = m.floating(32),
             floats = m.vector(f32, lanes);
    const std::vector<Id> k = m.begin_kernel("k", {m.global_i32, m.global_i32});
    const Id index = m.global_id(), in = m.get_at(k[1], index);
    Words parts;
    for (unsigned n = 0; n < lanes; ++n) parts.push_back(m.binary(Op::OpIAdd, in, m.number(100 * n)));
    const Id vector = m.op(Op::OpCompositeConstruct, type, parts);
    Words reversed{vector, vector};
    for (unsigned n = 0; n < lanes; ++n) reversed.push_back(n % 2 ? lanes - 1 - n : 2 * lanes - 1 - n);
    const Id shuffled = m.op(Op::OpVectorShuffle, type, reversed);
    const Id at = m.binary(Op::OpUMod, in, m.number(lanes));
    const Id dynamic = m.op(Op::OpVectorExtractDynamic, m.i32, {shuffled, at});
    const Id inserted = m.op(Op::OpVectorInsertDynamic, type, {vector, m.number(7), at});
    const Id last = m.op(Op::OpCompositeExtract, m.i32, {inserted, lanes - 1});
    const Id seven = m.op(Op::OpIEqual, bools, {inserted, m.splat(m.i32, lanes, m.number(7))});
    const auto flag = [&](Op op, int value) {
      return m.op(Op::OpSelect, m.i32, {m.op(op, m.boolean, {seven}), m.number(value), m.number(0)});
    };
    const Id as_floats = m.op(Op::OpConvertSToF, floats, {vector});
    const Id doubled = m.op(Op::OpVectorTimesScalar, floats, {as_floats, m.constant(2.0F)});
    const Id dot = m.op(Op::OpDot, f32, {doubled, m.splat(f32, lanes, m.constant(1.0F))});
    const Id copied = m.op(Op::OpCopyObject, m.i32, {m.op(Op::OpConvertFToS, m.i32, {dot})});
    Id sum = copied;
    for (const Id each : {m.binary(Op::OpIMul, dynamic, m.number(3)), m.binary(Op::OpIMul, last, m.number(5)),
                          flag(Op::OpAny, 100000), flag(Op::OpAll, 200000)})
      sum = m.binary(Op::OpIAdd, sum, each);
    m.put_at(k[0], index, sum);
    m.end_kernel();
    std::vector<cl_int> input(67), expected;
    std::iota(input.begin(), input.end(), 8);
    for (const cl_int n : input) {
      const int count = std::max(1, static_cast<int>(lanes)), place = n % count;
      const int last = place == count - 1 ? 7 : n + 100 * (count - 1);
      const int dot = 2 * (count * n + 100 * count * (count - 1) / 2);
      expected.push_back(dot + 3 * (n + 100 * (count - 1 - place)) + 5 * last + 100000);
    }
    EXPECT_EQ(map(m.words(), input), expected) << lanes;
  }
}

/// Component k of the vector is bit k of the input.
TEST_F(ConversionTest, GivenEachSetOfTrueComponents_WhenAskedForAnyAndAll_ThenAsTheirBits) {
  for (const unsigned lanes : {2U, 3U, 4U, 8U, 16U}) {
    KernelModule m;
    const Id type = m.vector(m.i32, lanes), bools = m.vector(m.boolean, lanes);
    const std::vector<Id> k = m.begin_kernel("k", {m.global_i32, m.global_i32});
    const Id index = m.global_id();
    const Id bits = m.get_at(k[1], index);
    Words components;
    for (unsigned c = 0; c < lanes; ++c) components.push_back(m.binary(Op::OpBitwiseAnd, bits, m.number(1 << c)));
    const Id vector = m.op(Op::OpCompositeConstruct, type, components);
    const Id set = m.op(Op::OpINotEqual, bools, {vector, m.splat(m.i32, lanes, m.number(0))});
    const auto flag = [&](Op op, int value) {
      return m.op(Op::OpSelect, m.i32, {m.op(op, m.boolean, {set}), m.number(value), m.number(0)});
    };
    m.put_at(k[0], index, m.binary(Op::OpIAdd, flag(Op::OpAny, 1), flag(Op::OpAll, 2)));
    m.end_kernel();
    const int all = (1 << lanes) - 1;
    std::vector<cl_int> input{0, all}, expected;
    for (unsigned c = 0; c < lanes; ++c) input.insert(input.end(), {1 << c, all - (1 << c)});
    for (const cl_int n : input) expected.push_back((n != 0 ? 1 : 0) + (n == all ? 2 : 0));
    EXPECT_EQ(map(m.words(), input), expected) << lanes;
  }
}

}  // namespace
}  // namespace upsweep::tests
