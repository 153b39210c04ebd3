// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A random kernel as a tree: kernel_generator makes it, kernel_printer writes it as OpenCL C, kernel_interpreter says what it
// computes. Nothing in it is undefined by the specification, so that all must agree to the last bit.
#ifndef UPSWEEP_TESTS_FUZZ_KERNEL_PROGRAM_H
#define UPSWEEP_TESTS_FUZZ_KERNEL_PROGRAM_H

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace upsweep::fuzz {

enum class Base : uint8_t { kChar, kUchar, kShort, kUshort, kInt, kUint, kLong, kUlong, kFloat };

struct Type {
  Base base = Base::kInt;
  unsigned width = 1;
  bool operator==(const Type &) const = default;
};

[[nodiscard]] constexpr bool is_float(Base base) { return base == Base::kFloat; }
[[nodiscard]] constexpr bool is_signed(Base base) { return is_float(base) || static_cast<unsigned>(base) % 2 == 0; }
[[nodiscard]] constexpr unsigned bits_of(Base base) { return is_float(base) ? 32 : 8u << (static_cast<unsigned>(base) / 2); }
[[nodiscard]] constexpr Base unsigned_of(Base base) {
  return is_float(base) ? Base::kUint : static_cast<Base>(static_cast<unsigned>(base) | 1);
}
[[nodiscard]] constexpr Base signed_of(Base base) {
  return is_float(base) ? Base::kInt : static_cast<Base>(static_cast<unsigned>(base) & ~1u);
}
/// What a comparison of this type gives.
[[nodiscard]] constexpr Type truth_of(Type type) {
  return type.width == 1 ? Type{Base::kInt, 1} : Type{signed_of(type.base), type.width};
}

enum class Op : uint8_t {
  kLiteral,   ///< bits in every component
  kVariable,  ///< number
  kGlobalId,  ///< linear
  kLocalId,   ///< linear
  kGroupId,   ///< linear
  kArgument,  ///< number: 0 or 1
  kInput,     ///< in[argument & 63]
  kElement,   ///< box[argument & 7]
  kNegate,
  kComplement,
  kNot,
  kAdd,
  kSubtract,
  kMultiply,
  kDivide,
  kRemainder,  ///< the divisor is (b & 15) | 1
  kAnd,
  kOr,
  kXor,
  kShiftLeft,
  kShiftRight,
  kLess,
  kLessEqual,
  kEqual,
  kNotEqual,
  kLogicalAnd,
  kLogicalOr,
  kChoose,  ///< condition ? a : b
  kSelect,  ///< select(b, a, condition)
  kMin,
  kMax,
  kRotate,
  kPopcount,
  kLeadingZeros,
  kAddSaturated,
  kSubtractSaturated,
  kHalvedSum,
  kHighProduct,
  kConvert,
  kConvertSaturated,
  kReinterpret,
  kSwizzle,  ///< components
  kCompose,  ///< from scalars
  kCall,     ///< helper number
};

struct Expression {
  Op op = Op::kLiteral;
  Type type;
  std::vector<Expression> arguments{};
  uint64_t number = 0;  ///< bits of a literal, or which variable, argument or helper
  std::vector<unsigned> components{};
};

enum class Collective : uint8_t { kReduce, kInclusive, kExclusive, kBroadcast, kAll, kAny, kShuffle, kBallot };
enum class Combination : uint8_t { kAdd, kMin, kMax };
enum class Scope : uint8_t {
  kWorkGroup,
  kSubGroup,
  kNonUniform
};  ///< the last: of those work-items of a sub-group that are here

struct Statement {
  enum class Kind : uint8_t {
    kAssign,           ///< variable = value
    kAssignComponent,  ///< variable.component = value
    kAssignElement,    ///< box[index & 7] = value
    kIf,               ///< value, body, otherwise
    kFor,              ///< variable counts below (value & number)
    kDo,               ///< variable counts down from number while value
    kSwitch,           ///< value & 3; number: which cases fall through
    kBreak,
    kContinue,
    kReturn,      ///< value
    kExchange,    ///< variable = the value of the work-item `number` further, through local memory
    kCollective,  ///< variable = the collective of value, and of index
    kAtomic,      ///< on bin 8 * combination + (index & 7)
  };
  Kind kind = Kind::kAssign;
  unsigned variable = 0;
  uint64_t number = 0;
  Expression value{};
  Expression index{};
  Collective collective = Collective::kReduce;
  Combination combination = Combination::kAdd;
  Scope scope = Scope::kWorkGroup;
  std::vector<std::vector<Statement>> bodies{};
};

struct Variable {
  Type type;
  Expression start{};
};

/// Of two parameters of type uint, which are its variables 0 and 1.
struct Helper {
  std::vector<Variable> variables;
  std::vector<Statement> body;
  Expression result;
  bool inlined = false;
};

struct Program {
  std::vector<Helper> helpers;  ///< each calls those before it
  std::vector<Variable> variables;
  std::vector<Statement> body;
  std::array<size_t, 3> global{1, 1, 1}, local{1, 1, 1};
  std::array<uint32_t, 2> arguments{};
};

constexpr size_t kInputs = 64, kElements = 8, kBins = 24;

[[nodiscard]] Program generate(uint64_t seed);
[[nodiscard]] std::string type_name(Type type);
[[nodiscard]] std::string print(const Program &program);

struct Results {
  std::vector<uint64_t> outputs;  ///< a digest of each variable of each work-item
  std::array<uint32_t, kBins> bins{};
  bool operator==(const Results &) const = default;
};
[[nodiscard]] std::array<uint32_t, kInputs> inputs();
[[nodiscard]] Results interpret(const Program &program, size_t sub_group_size);

}  // namespace upsweep::fuzz
#endif
