// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arithmetic, bit, logical and relational instructions on each type, against the same operations in C++. A kernel for each type
// and number of components stores the results of all rows of a table.
#include "fixture.h"

#include <cmath>
#include <limits>
#include <span>

namespace upsweep::tests {
namespace {

constexpr size_t kItems = 256;

/// The bits of the operands' components, and a field of bits inside them.
struct Given {
  uint64_t a, b;
  unsigned offset, count;
};

enum class Shape : uint8_t {
  kUnary,
  kBinary,
  kTest,     ///< of one operand: Bool, stored as 1 or 0
  kCompare,  ///< of two
  kLogic,    ///< of Bool: whether a < b, and whether a is odd
  kLogicUnary,
  kLow,  ///< the members of a structure of two
  kHigh,
  kInsert,
  kExtract,
};

/// False if the specification leaves the result undefined.
using Reference = bool (*)(unsigned bits, const Given &given, uint64_t &result);
struct Row {
  const char *name;
  Op op;
  Shape shape;
  Reference reference;
  double ulps = 0;
};

uint64_t mask_of(unsigned bits) { return bits == 64 ? ~uint64_t(0) : (uint64_t(1) << bits) - 1; }
int64_t sign(unsigned bits, uint64_t value) { return static_cast<int64_t>(value << (64 - bits)) >> (64 - bits); }
uint64_t least(unsigned bits) { return uint64_t(1) << (bits - 1); }
bool overflows(unsigned bits, const Given &g) { return g.b == 0 || (g.a == least(bits) && g.b == mask_of(bits)); }
uint64_t reverse(unsigned bits, uint64_t value) {
  uint64_t result = 0;
  for (unsigned k = 0; k < bits; ++k) result |= (value >> k & 1) << (bits - 1 - k);
  return result;
}
uint64_t field(const Given &g) { return g.count == 0 ? 0 : mask_of(g.count); }

#define RESULT(expression)                                                                                                     \
  [](unsigned bits, const Given &g, uint64_t &r) {                                                                             \
    static_cast<void>(bits), static_cast<void>(g);                                                                             \
    r = static_cast<uint64_t>(expression);                                                                                     \
    return true;                                                                                                               \
  }
#define RESULT_IF(condition, expression)                                                                                       \
  [](unsigned bits, const Given &g, uint64_t &r) {                                                                             \
    static_cast<void>(bits);                                                                                                   \
    if (!(condition)) return false;                                                                                            \
    r = static_cast<uint64_t>(expression);                                                                                     \
    return true;                                                                                                               \
  }
#define SA sign(bits, g.a)
#define SB sign(bits, g.b)

const Row kIntegerRows[] = {
    {"IAdd", Op::OpIAdd, Shape::kBinary, RESULT(g.a + g.b)},
    {"ISub", Op::OpISub, Shape::kBinary, RESULT(g.a - g.b)},
    {"IMul", Op::OpIMul, Shape::kBinary, RESULT(g.a *g.b)},
    {"UDiv", Op::OpUDiv, Shape::kBinary, RESULT_IF(g.b != 0, g.a / g.b)},
    {"SDiv", Op::OpSDiv, Shape::kBinary, RESULT_IF(!overflows(bits, g), SA / SB)},
    {"UMod", Op::OpUMod, Shape::kBinary, RESULT_IF(g.b != 0, g.a % g.b)},
    {"SRem", Op::OpSRem, Shape::kBinary, RESULT_IF(!overflows(bits, g), SA % SB)},
    {"SMod", Op::OpSMod, Shape::kBinary,
     RESULT_IF(!overflows(bits, g), SA % SB != 0 && ((SA % SB < 0) != (SB < 0)) ? SA % SB + SB : SA % SB)},
    {"SNegate", Op::OpSNegate, Shape::kUnary, RESULT(0 - g.a)},
    {"IAddCarry low", Op::OpIAddCarry, Shape::kLow, RESULT(g.a + g.b)},
    {"IAddCarry high", Op::OpIAddCarry, Shape::kHigh, RESULT(((g.a + g.b) & mask_of(bits)) < g.a)},
    {"ISubBorrow low", Op::OpISubBorrow, Shape::kLow, RESULT(g.a - g.b)},
    {"ISubBorrow high", Op::OpISubBorrow, Shape::kHigh, RESULT(g.a < g.b)},
    {"UMulExtended low", Op::OpUMulExtended, Shape::kLow, RESULT(g.a *g.b)},
    {"UMulExtended high", Op::OpUMulExtended, Shape::kHigh,
     RESULT(static_cast<unsigned __int128>(g.a) * static_cast<unsigned __int128>(g.b) >> bits)},
    {"SMulExtended low", Op::OpSMulExtended, Shape::kLow, RESULT(g.a *g.b)},
    {"SMulExtended high", Op::OpSMulExtended, Shape::kHigh,
     RESULT(static_cast<__int128>(SA) * static_cast<__int128>(SB) >> bits)},
    {"ShiftLeftLogical", Op::OpShiftLeftLogical, Shape::kBinary, RESULT_IF(g.b < bits, g.a << g.b)},
    {"ShiftRightLogical", Op::OpShiftRightLogical, Shape::kBinary, RESULT_IF(g.b < bits, g.a >> g.b)},
    {"ShiftRightArithmetic", Op::OpShiftRightArithmetic, Shape::kBinary, RESULT_IF(g.b < bits, SA >> g.b)},
    {"BitwiseOr", Op::OpBitwiseOr, Shape::kBinary, RESULT(g.a | g.b)},
    {"BitwiseXor", Op::OpBitwiseXor, Shape::kBinary, RESULT(g.a ^ g.b)},
    {"BitwiseAnd", Op::OpBitwiseAnd, Shape::kBinary, RESULT(g.a & g.b)},
    {"Not", Op::OpNot, Shape::kUnary, RESULT(~g.a)},
    {"BitCount", Op::OpBitCount, Shape::kUnary, RESULT(__builtin_popcountll(g.a))},
    {"BitReverse", Op::OpBitReverse, Shape::kUnary, RESULT(reverse(bits, g.a))},
    {"BitFieldInsert", Op::OpBitFieldInsert, Shape::kInsert,
     RESULT(g.count == 0 ? g.a : (g.a & ~(field(g) << g.offset)) | (g.b & field(g)) << g.offset)},
    {"BitFieldUExtract", Op::OpBitFieldUExtract, Shape::kExtract, RESULT(g.count == 0 ? 0 : g.a >> g.offset & field(g))},
    {"BitFieldSExtract", Op::OpBitFieldSExtract, Shape::kExtract,
     RESULT(g.count == 0 ? 0 : sign(g.count, g.a >> g.offset & field(g)))},
    {"IEqual", Op::OpIEqual, Shape::kCompare, RESULT(g.a == g.b)},
    {"INotEqual", Op::OpINotEqual, Shape::kCompare, RESULT(g.a != g.b)},
    {"UGreaterThan", Op::OpUGreaterThan, Shape::kCompare, RESULT(g.a > g.b)},
    {"SGreaterThan", Op::OpSGreaterThan, Shape::kCompare, RESULT(SA > SB)},
    {"UGreaterThanEqual", Op::OpUGreaterThanEqual, Shape::kCompare, RESULT(g.a >= g.b)},
    {"SGreaterThanEqual", Op::OpSGreaterThanEqual, Shape::kCompare, RESULT(SA >= SB)},
    {"ULessThan", Op::OpULessThan, Shape::kCompare, RESULT(g.a < g.b)},
    {"SLessThan", Op::OpSLessThan, Shape::kCompare, RESULT(SA < SB)},
    {"ULessThanEqual", Op::OpULessThanEqual, Shape::kCompare, RESULT(g.a <= g.b)},
    {"SLessThanEqual", Op::OpSLessThanEqual, Shape::kCompare, RESULT(SA <= SB)},
    {"LogicalEqual", Op::OpLogicalEqual, Shape::kLogic, RESULT((g.a < g.b) == ((g.a & 1) != 0))},
    {"LogicalNotEqual", Op::OpLogicalNotEqual, Shape::kLogic, RESULT((g.a < g.b) != ((g.a & 1) != 0))},
    {"LogicalOr", Op::OpLogicalOr, Shape::kLogic, RESULT((g.a < g.b) || (g.a & 1) != 0)},
    {"LogicalAnd", Op::OpLogicalAnd, Shape::kLogic, RESULT((g.a < g.b) && (g.a & 1) != 0)},
    {"LogicalNot", Op::OpLogicalNot, Shape::kLogicUnary, RESULT(!(g.a < g.b))},
};
#undef SA
#undef SB

double number(unsigned bits, uint64_t value) {
  return bits == 32 ? static_cast<double>(std::bit_cast<float>(static_cast<uint32_t>(value))) : std::bit_cast<double>(value);
}
/// A float's sum, product, quotient or remainder is that of doubles, rounded: a double has over twice a float's bits.
uint64_t rounded(unsigned bits, double value) {
  return bits == 32 ? std::bit_cast<uint32_t>(static_cast<float>(value)) : std::bit_cast<uint64_t>(value);
}
uint64_t one_if(unsigned bits, bool condition) { return rounded(bits, condition ? 1 : 0); }
/// x - y * floor(x / y), which has the sign of y.
double modulus(double x, double y) {
  const double rest = std::fmod(x, y);
  return rest != 0 && std::signbit(rest) != std::signbit(y) ? rest + y : rest;
}
bool is_normal(unsigned bits, uint64_t value) {
  return bits == 32 ? std::isnormal(std::bit_cast<float>(static_cast<uint32_t>(value)))
                    : std::isnormal(std::bit_cast<double>(value));
}

#define A number(bits, g.a)
#define B number(bits, g.b)
#define TEST_OF(condition) RESULT(one_if(bits, condition))
const Row kFloatRows[] = {
    {"FAdd", Op::OpFAdd, Shape::kBinary, RESULT(rounded(bits, A + B))},
    {"FSub", Op::OpFSub, Shape::kBinary, RESULT(rounded(bits, A - B))},
    {"FMul", Op::OpFMul, Shape::kBinary, RESULT(rounded(bits, A *B))},
    {"FDiv", Op::OpFDiv, Shape::kBinary, RESULT(rounded(bits, A / B)), 2.5},
    {"FRem", Op::OpFRem, Shape::kBinary, RESULT_IF(B != 0, rounded(bits, std::fmod(A, B)))},
    {"FMod", Op::OpFMod, Shape::kBinary, RESULT_IF(B != 0 && !std::isinf(B), rounded(bits, modulus(A, B)))},
    {"FNegate", Op::OpFNegate, Shape::kUnary, RESULT(rounded(bits, -A))},
    {"FOrdEqual", Op::OpFOrdEqual, Shape::kCompare, TEST_OF(A == B)},
    {"FUnordEqual", Op::OpFUnordEqual, Shape::kCompare, TEST_OF(!(A < B || A > B))},
    {"FOrdNotEqual", Op::OpFOrdNotEqual, Shape::kCompare, TEST_OF(A<B || A> B)},
    {"FUnordNotEqual", Op::OpFUnordNotEqual, Shape::kCompare, TEST_OF(A != B)},
    {"FOrdLessThan", Op::OpFOrdLessThan, Shape::kCompare, TEST_OF(A < B)},
    {"FUnordLessThan", Op::OpFUnordLessThan, Shape::kCompare, TEST_OF(!(A >= B))},
    {"FOrdGreaterThan", Op::OpFOrdGreaterThan, Shape::kCompare, TEST_OF(A > B)},
    {"FUnordGreaterThan", Op::OpFUnordGreaterThan, Shape::kCompare, TEST_OF(!(A <= B))},
    {"FOrdLessThanEqual", Op::OpFOrdLessThanEqual, Shape::kCompare, TEST_OF(A <= B)},
    {"FUnordLessThanEqual", Op::OpFUnordLessThanEqual, Shape::kCompare, TEST_OF(!(A > B))},
    {"FOrdGreaterThanEqual", Op::OpFOrdGreaterThanEqual, Shape::kCompare, TEST_OF(A >= B)},
    {"FUnordGreaterThanEqual", Op::OpFUnordGreaterThanEqual, Shape::kCompare, TEST_OF(!(A < B))},
    {"LessOrGreater", Op::OpLessOrGreater, Shape::kCompare, TEST_OF(A<B || A> B)},
    {"Ordered", Op::OpOrdered, Shape::kCompare, TEST_OF(!std::isnan(A) && !std::isnan(B))},
    {"Unordered", Op::OpUnordered, Shape::kCompare, TEST_OF(std::isnan(A) || std::isnan(B))},
    {"IsNan", Op::OpIsNan, Shape::kTest, TEST_OF(std::isnan(A))},
    {"IsInf", Op::OpIsInf, Shape::kTest, TEST_OF(std::isinf(A))},
    {"IsFinite", Op::OpIsFinite, Shape::kTest, TEST_OF(std::isfinite(A))},
    {"IsNormal", Op::OpIsNormal, Shape::kTest, TEST_OF(is_normal(bits, g.a))},
    {"SignBitSet", Op::OpSignBitSet, Shape::kTest, TEST_OF(std::signbit(A))},
};
#undef A
#undef B

struct Elements {
  bool is_float;
  unsigned bits;
  [[nodiscard]] unsigned bytes() const { return bits / 8; }
};

/// The room of a vector, in components: three take the room of four.
unsigned room_of(unsigned lanes) { return lanes == 3 ? 4 : lanes; }

std::vector<uint64_t> edges_of(const Elements &of) {
  const unsigned bits = of.bits;
  if (!of.is_float)
    return {0, 1, 2, 3, bits - 1, bits, mask_of(bits), mask_of(bits) - 1, least(bits), least(bits) - 1, least(bits) + 1};
  const double infinity = std::numeric_limits<double>::infinity();
  std::vector<uint64_t> edges;
  for (const double each : {0.0, 1.0, 0.5, 1.5, 3.0, infinity, std::nan("")})
    for (const double value : {each, -each}) edges.push_back(rounded(bits, value));
  const uint64_t largest = rounded(bits, infinity) - 1;
  const uint64_t least_normal = bits == 32 ? 0x00800000 : 0x0010000000000000;
  for (const uint64_t value : {largest, least_normal, least_normal - 1, uint64_t(1)}) {
    edges.push_back(value);
    edges.push_back(value | least(bits));
  }
  return edges;
}

/// All pairs of edges first, then random values.
void fill(const Elements &of, size_t count, std::vector<uint64_t> &a, std::vector<uint64_t> &b) {
  std::mt19937_64 random(of.bits + (of.is_float ? 1 : 0) + count);
  const std::vector<uint64_t> edges = edges_of(of);
  for (size_t k = 0; k < count; ++k) {
    const bool is_edge = k < edges.size() * edges.size();
    a.push_back(is_edge ? edges[k % edges.size()] : random() & mask_of(of.bits));
    b.push_back(is_edge ? edges[k / edges.size()] : random() & mask_of(of.bits));
    if (!is_edge && !of.is_float && k % 2) b.back() %= of.bits;  // an amount to shift
    if (!is_edge && of.is_float && k % 2) b.back() = (a.back() & ~mask_of(of.bits / 4)) | (b.back() & mask_of(of.bits / 4));
  }
}

Bytes packed(const Elements &of, unsigned lanes, const std::vector<uint64_t> &components) {
  Bytes bytes(components.size() / lanes * room_of(lanes) * of.bytes(), kPoison);
  for (size_t k = 0; k < components.size(); ++k)
    std::memcpy(&bytes[(k / lanes * room_of(lanes) + k % lanes) * of.bytes()], &components[k], of.bytes());
  return bytes;
}

double ulps_between(unsigned bits, uint64_t a, uint64_t b) {
  const auto place = [&](uint64_t value) {
    const auto magnitude = static_cast<double>(value & (least(bits) - 1));
    return value & least(bits) ? -magnitude : magnitude;
  };
  return std::fabs(place(a) - place(b));
}

class InstructionTest : public SpirvTest {
protected:
  /// A module with one kernel for each number of components: k1(out, a, b, fields), k2, …
  static Words module_of(const Elements &of, const std::vector<Row> &rows) {
    ModuleBuilder m;
    using C = spv::Capability;
    for (const C each : {C::Int8, C::Int16, C::Int64, C::Float64, C::Vector16, C::BitInstructions}) m.capability(each);
    m.extension("SPV_KHR_bit_instructions");
    for (const unsigned lanes : {1U, 2U, 3U, 4U, 8U, 16U}) add_kernel(m, of, lanes, rows);
    return m.words();
  }

  static void add_kernel(ModuleBuilder &m, const Elements &of, unsigned lanes, const std::vector<Row> &rows) {
    const Id scalar = of.is_float ? m.floating(of.bits) : m.integer(of.bits), type = m.vector(scalar, lanes);
    const Id index_type = m.integer(64), fields_type = m.vector(m.integer(32), 2);
    const auto in = spv::StorageClass::CrossWorkgroup;
    const Id pointer = m.pointer(in, type);
    Values values{type, m.vector(m.bool_type(), lanes), 0, 0, 0, 0, 0, 0};
    values.pair = of.is_float ? 0 : m.structure({type, type});
    values.one =
        m.splat(scalar, lanes, of.is_float ? of.bits == 32 ? m.constant(1.0F) : m.constant(1.0) : m.constant(of.bits, 1));
    values.zero = m.constant_of(Op::OpConstantNull, type);
    const std::vector<Id> arguments =
        m.begin_kernel("k" + std::to_string(lanes), {pointer, pointer, pointer, m.pointer(in, fields_type)});
    const Id index = m.global_id();
    values.a = m.load(type, m.element(arguments[1], index, type));
    values.b = m.load(type, m.element(arguments[2], index, type));
    const Id fields = m.load(fields_type, m.element(arguments[3], index, fields_type));
    values.offset = m.op(Op::OpCompositeExtract, m.integer(32), {fields, 0});
    values.count = m.op(Op::OpCompositeExtract, m.integer(32), {fields, 1});
    for (size_t row = 0; row < rows.size(); ++row) {
      const Id place = m.op(Op::OpIAdd, index_type, {index, m.constant(64, row * kItems)});
      m.store(m.element(arguments[0], place, type), emit(m, rows[row], values));
    }
    m.end_kernel();
  }

  struct Values {
    Id type, bools, a, b, offset, count, one, zero, pair = 0;
  };

  static Id emit(ModuleBuilder &m, const Row &row, const Values &v) {
    const auto number_of = [&](Id condition) { return m.op(Op::OpSelect, v.type, {condition, v.one, v.zero}); };
    switch (row.shape) {
    case Shape::kUnary: return m.op(row.op, v.type, {v.a});
    case Shape::kBinary: return m.op(row.op, v.type, {v.a, v.b});
    case Shape::kTest: return number_of(m.op(row.op, v.bools, {v.a}));
    case Shape::kCompare: return number_of(m.op(row.op, v.bools, {v.a, v.b}));
    case Shape::kLogic:
    case Shape::kLogicUnary: {
      const Id is_less = m.op(Op::OpULessThan, v.bools, {v.a, v.b});
      if (row.shape == Shape::kLogicUnary) return number_of(m.op(row.op, v.bools, {is_less}));
      const Id bit = m.op(Op::OpBitwiseAnd, v.type, {v.a, v.one});
      return number_of(m.op(row.op, v.bools, {is_less, m.op(Op::OpINotEqual, v.bools, {bit, v.zero})}));
    }
    case Shape::kLow:
    case Shape::kHigh:
      return m.op(Op::OpCompositeExtract, v.type, {m.op(row.op, v.pair, {v.a, v.b}), row.shape == Shape::kHigh ? 1U : 0U});
    case Shape::kInsert: return m.op(row.op, v.type, {v.a, v.b, v.offset, v.count});
    case Shape::kExtract: return m.op(row.op, v.type, {v.a, v.offset, v.count});
    }
    return 0;
  }

  void check(const Elements &of, const std::vector<Row> &rows) {
    cl_program program = build(module_of(of, rows));
    const auto capability =
        figure_of<cl_device_fp_config>(device_, of.bits == 32 ? CL_DEVICE_SINGLE_FP_CONFIG : CL_DEVICE_DOUBLE_FP_CONFIG);
    const bool has_denormals = !of.is_float || capability & CL_FP_DENORM;
    for (const unsigned lanes : {1U, 2U, 3U, 4U, 8U, 16U}) {
      std::vector<uint64_t> a, b;
      fill(of, kItems * lanes, a, b);
      std::vector<cl_uint> fields;
      for (size_t item = 0; item < kItems; ++item) {
        const auto offset = static_cast<cl_uint>(item % (of.bits + 1));
        fields.push_back(offset);
        fields.push_back(item % 7 == 0 ? of.bits - offset : static_cast<cl_uint>(item / 3 % (of.bits + 1 - offset)));
      }
      cl_kernel kernel = kernel_of(program, ("k" + std::to_string(lanes)).c_str());
      cl_mem output = buffer(rows.size() * kItems * room_of(lanes) * of.bytes());
      set(kernel, 0, output);
      set(kernel, 1, buffer(packed(of, lanes, a)));
      set(kernel, 2, buffer(packed(of, lanes, b)));
      set(kernel, 3, buffer(bytes_of(fields)));
      run(kernel, kItems);
      const Bytes content = content_of(output);
      for (size_t row = 0; row < rows.size(); ++row)
        for (size_t k = 0; k < kItems * lanes; ++k) {
          const size_t item = k / lanes;
          const Given given{a[k], b[k], fields[2 * item], fields[2 * item + 1]};
          uint64_t expected = 0, actual = 0;
          if (!rows[row].reference(of.bits, given, expected)) continue;
          expected &= mask_of(of.bits);
          std::memcpy(&actual, &content[((row * kItems + item) * room_of(lanes) + k % lanes) * of.bytes()], of.bytes());
          if (of.is_float && !has_denormals && uses_denormals(of.bits, given, expected)) continue;
          ASSERT_TRUE(agrees(of, rows[row], expected, actual))
              << rows[row].name << " of " << lanes << " components of " << of.bits << " bits: a = " << std::hex << given.a
              << ", b = " << given.b << ", field " << given.offset << " + " << given.count << ": " << actual << " instead of "
              << expected;
        }
    }
  }

  static bool uses_denormals(unsigned bits, const Given &given, uint64_t result) {
    const auto is_denormal = [&](uint64_t value) { return number(bits, value) != 0 && !is_normal(bits, value); };
    return is_denormal(given.a) || is_denormal(given.b) || is_denormal(result);
  }

  static bool agrees(const Elements &of, const Row &row, uint64_t expected, uint64_t actual) {
    if (expected == actual) return true;
    if (!of.is_float) return false;
    const double a = number(of.bits, expected), b = number(of.bits, actual);
    if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
    return (row.op != Op::OpFNegate && a == b) || ulps_between(of.bits, expected, actual) <= row.ulps;
  }
};

std::vector<Row> all_of(std::span<const Row> rows) { return {rows.begin(), rows.end()}; }

TEST_F(InstructionTest, GivenIntegersOf8Bits_WhenComputed_ThenAsInCpp) { check({false, 8}, all_of(kIntegerRows)); }
TEST_F(InstructionTest, GivenIntegersOf16Bits_WhenComputed_ThenAsInCpp) { check({false, 16}, all_of(kIntegerRows)); }
TEST_F(InstructionTest, GivenIntegersOf32Bits_WhenComputed_ThenAsInCpp) { check({false, 32}, all_of(kIntegerRows)); }
TEST_F(InstructionTest, GivenIntegersOf64Bits_WhenComputed_ThenAsInCpp) { check({false, 64}, all_of(kIntegerRows)); }
TEST_F(InstructionTest, GivenFloats_WhenComputed_ThenAsInCpp) { check({true, 32}, all_of(kFloatRows)); }
TEST_F(InstructionTest, GivenDoubles_WhenComputed_ThenAsInCpp) { check({true, 64}, all_of(kFloatRows)); }

}  // namespace
}  // namespace upsweep::tests
