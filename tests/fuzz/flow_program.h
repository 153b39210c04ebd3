// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A random kernel that is mostly control flow: nested loops, `switch` with fall-through, `break` and `continue` over several
// levels, early returns, and gotos in both directions, also into loops. All work-items of a group arrive at its barriers.
// Conditions are uniform, divergent or depend on data. Values are unsigned, so that all implementations must agree.
#ifndef UPSWEEP_TESTS_FUZZ_FLOW_PROGRAM_H
#define UPSWEEP_TESTS_FUZZ_FLOW_PROGRAM_H

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace upsweep::fuzz::flow {

/// A value or an operation on two.
struct Expression {
  enum class Op : uint8_t {
    kLiteral,
    kVariable,
    kGlobalId,
    kLocalId,
    kUniform,  ///< the argument, uniform
    kInput,    ///< in[a & 63]
    kAdd,
    kMultiply,
    kXor,
    kAnd,
    kShift,  ///< a >> (b & 7)
    kLess,
    kEqual
  };
  Op op = Op::kLiteral;
  uint32_t number = 0;  ///< the literal or the variable
  std::vector<Expression> operands{};
};

using Block = std::vector<struct Statement>;

struct Statement {
  enum class Kind : uint8_t {
    kAssign,    ///< variable = value
    kStore,     ///< out[global id] = out[global id] * 33 + value
    kIf,        ///< value, bodies[0], else bodies[1]
    kFor,       ///< variable counts from 0 below (value & 3); bodies[0]
    kDo,        ///< bodies[0] while ++variable < number and value
    kForever,   ///< bodies[0], left when ++variable - 1 reaches (value & 3)
    kSwitch,    ///< value & 3 of bodies[0 .. 3]; number: the cases that fall through
    kBreak,     ///< leaves the loop `number` levels further out
    kContinue,  ///< the same
    kGoto,      ///< to label number, if value; the first two times alone, by variable, unless it is forward
    kLabel,     ///< number
    kReturn,    ///< if value
    kExchange,  ///< v1 ^= v0 of the next work-item, through local memory, between two barriers
  };
  Kind kind = Kind::kAssign;
  unsigned variable = 0;
  uint32_t number = 0;
  Expression value{};
  std::vector<Block> bodies{};
  bool forward = false;
};

struct Program {
  Block body;
  unsigned variables = 0;  ///< the first: global id, local id, the argument, the argument + 5; all others begin with 0
  std::array<size_t, 2> local{1, 1}, global{1, 1};
  uint32_t argument = 1;
  unsigned sub_group_size = 0;  ///< required by the kernel; 0: none
  bool exchanges = false;
};

constexpr size_t kInputs = 64, kMostItems = 64;
[[nodiscard]] std::array<uint32_t, kInputs> inputs();

/// Draws a program that ends, according to `interpret`.
[[nodiscard]] Program generate(uint64_t seed, int deepest);
/// As OpenCL C, a kernel "flow" + suffix of (global uint *out, global const uint *in, uint argument).
[[nodiscard]] std::string print(const Program &program, const std::string &suffix);
/// The output; empty if a work-item takes too many steps or the work-items of a group do not meet at a barrier.
[[nodiscard]] std::optional<std::vector<uint32_t>> interpret(const Program &program);
/// The program after edit `number`, which makes it smaller; empty if that is no program. `last`: neither this edit nor a later
/// one exists.
[[nodiscard]] std::optional<Program> edited(Program program, size_t edit, bool &last);

}  // namespace upsweep::fuzz::flow
#endif
