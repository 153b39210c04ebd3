// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A random kernel as a tree. kernel_generator makes it, kernel_printer writes it as OpenCL C, kernel_interpreter computes its
// results. The specification defines all of its behaviour, so results must agree to the last bit.
#ifndef UPSWEEP_TESTS_FUZZ_KERNEL_PROGRAM_H
#define UPSWEEP_TESTS_FUZZ_KERNEL_PROGRAM_H

#include <array>
#include <cstdint>
#include <optional>
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
/// The result type of a comparison of this type.
[[nodiscard]] constexpr Type truth_of(Type type) {
  return type.width == 1 ? Type{Base::kInt, 1} : Type{signed_of(type.base), type.width};
}

enum class Op : uint8_t {
  kLiteral,   ///< bits in every component
  kVariable,  ///< number
  kGlobalId,  ///< linear
  kLocalId,   ///< linear
  kGroupId,   ///< linear
  kWideId,    ///< number: index in kWideIds, a ulong
  kSubGroupId,
  kArgument,  ///< number: 0 or 1
  kInput,     ///< in[argument & 63]
  kElement,   ///< box[argument & 7]
  kCrated,    ///< crate[argument & 7], of the program's type
  kPointed,   ///< *pointer
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
  kTexel,    ///< component of the picture at two uints; number: kBorder and kFloatCoordinates
  kCanvas,   ///< component of the work-item's texel of the canvas
};

/// Flags of a kTexel: the sampler clamps to the border, not to the edge; the coordinates are floats.
constexpr uint64_t kBorder = 1, kFloatCoordinates = 2;

/// A flag of a sum, difference or product: it cannot overflow, and is written as a plain operator.
constexpr uint64_t kPlain = 1;

struct Expression {
  Op op = Op::kLiteral;
  Type type;
  std::vector<Expression> arguments{};
  uint64_t number = 0;  ///< bits of a literal, number of a variable, argument or helper, or kPlain
  std::vector<unsigned> components{};
};

enum class Collective : uint8_t { kReduce, kInclusive, kExclusive, kBroadcast, kAll, kAny, kShuffle, kBallot };
enum class Combination : uint8_t { kAdd, kMin, kMax };
enum class Scope : uint8_t { kWorkGroup, kSubGroup, kNonUniform };  ///< the last: of the active work-items of a sub-group

struct Statement {
  enum class Kind : uint8_t {
    kAssign,           ///< variable = value
    kAssignComponent,  ///< variable.component = value
    kAssignElement,    ///< box[index & 7] = value
    kAssignCrated,     ///< crate[index & 7] = value
    kAssignPointed,    ///< *pointer = value
    kPoint,            ///< pointer = value ? &box[index & 7] : &chest[index & 7]
    kSave,             ///< records[index & 3] = record
    kRestore,          ///< record = records[index & 3]
    kStore,            ///< region number [index] = value
    kLoad,             ///< variable = region number [index]
    kIf,               ///< value, body, otherwise; a region's pointer is made before it, from `index`
    kFor,              ///< variable counts below (value & number)
    kDo,               ///< variable counts down from number while value
    kSwitch,           ///< value & mask of labels; the last body is the default; number: the cases that fall through
    kBreak,
    kContinue,
    kReturn,      ///< value
    kExchange,    ///< variable = the value of the work-item `number` further, through local memory
    kCollective,  ///< variable = the collective of value, and of index
    kAtomic,      ///< on bin 8 * combination + (index & 7)
    kPaint,       ///< the work-item's texel of the canvas = colour of value
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
  std::vector<uint32_t> labels{};  ///< for all cases except the last
  unsigned region = 0, spelling = 0;
};

constexpr unsigned kNoRegion = 0;
constexpr uint32_t kSwitchMask = 15;

struct Variable {
  Type type;
  Expression start{};
};

/// A function with two parameters of type uint, its variables 0 and 1.
struct Helper {
  std::vector<Variable> variables;
  std::vector<Statement> body;
  Expression result;
  bool inlined = false;
};

/// A query of a work-item that returns 64 bits.
struct WideId {
  const char *text;
  enum Kind : uint8_t { kGlobal, kLocal, kGroup, kGlobalSize, kLocalSize } kind;
  unsigned dimension;  ///< 3: linear
};
constexpr std::array<WideId, 9> kWideIds = {{{"get_global_linear_id()", WideId::kGlobal, 3},
                                             {"get_global_id(0)", WideId::kGlobal, 0},
                                             {"get_local_linear_id()", WideId::kLocal, 3},
                                             {"get_local_id(0)", WideId::kLocal, 0},
                                             {"get_global_id(1)", WideId::kGlobal, 1},
                                             {"get_local_id(1)", WideId::kLocal, 1},
                                             {"get_group_id(0)", WideId::kGroup, 0},
                                             {"get_global_size(0)", WideId::kGlobalSize, 0},
                                             {"get_local_size(0)", WideId::kLocalSize, 0}}};

/// A part of a buffer. In a part that is written, each work-item owns places, so that no two work-items race.
struct Region {
  Type type;
  bool loads_packed = false;  ///< by vload and vstore
};
constexpr size_t kPlaces = 160;  ///< in a region
/// Bytes of a region. Regions begin at multiples of 128 from the buffer's start.
[[nodiscard]] constexpr size_t region_bytes(const Region &region) {
  return (kPlaces * region.type.width * bits_of(region.type.base) / 8 + 127) / 128 * 128;
}
[[nodiscard]] constexpr bool is_packed(const Region &region) { return region.loads_packed || region.type.width == 3; }

/// A 2D image.
struct Picture {
  enum Kind : uint8_t { kUint8, kUint32, kInt16, kFloat, kUnorm8 } kind = kUint8;
  bool has_one_channel = false;  ///< R, else RGBA
  size_t width = 1, height = 1;
};

constexpr size_t kInputs = 64, kElements = 8, kBins = 24;

struct Program {
  std::vector<Helper> helpers;  ///< each may call earlier ones
  std::vector<Variable> variables;
  std::vector<Statement> body;
  std::array<size_t, 3> global{1, 1, 1}, local{1, 1, 1};
  std::array<uint32_t, 2> arguments{};
  Type crate{Base::kUint, 1};
  unsigned members = 0;         ///< the first variables are members of a structure; 0: there is none
  std::vector<Region> regions;  ///< number 0 is none
  unsigned sub_group_size = 0;  ///< required by the kernel; 0: none
  std::optional<Picture> picture, canvas;
  bool reads_canvas = false;
  /// Indices of the inputs are below this power of two. Checked kernels read 0 behind the inputs.
  size_t reach = kInputs;
};

[[nodiscard]] Program generate(uint64_t seed);
[[nodiscard]] std::string type_name(Type type);
/// `suffix` distinguishes names, so that several programs form one source.
[[nodiscard]] std::string print(const Program &program, const std::string &suffix = "");
/// The initial contents of all regions, one behind another.
[[nodiscard]] std::vector<uint8_t> heap(const Program &program);

struct Results {
  std::vector<uint64_t> outputs;  ///< a digest of each variable of each work-item
  std::array<uint32_t, kBins> bins{};
  std::vector<uint8_t> heap;
  std::vector<uint8_t> canvas;
  bool operator==(const Results &) const = default;
};
[[nodiscard]] std::array<uint32_t, kInputs> inputs();
[[nodiscard]] Results interpret(const Program &program, size_t sub_group_size);

}  // namespace upsweep::fuzz
#endif
