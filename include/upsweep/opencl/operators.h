// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operators and other functions of kernels: the usual operators by name, and any function by its OpenCL C text.
//
//     up::plus{}
//     up::operation("compose", "affine compose(affine a, affine b) { ... }")
//     up::function("is_large", "bool is_large(int x) { return x > 100; }")
//
// Named operators apply to numbers; bit_and, bit_or and bit_xor to integers. Sums and products of integers wrap. The minimum
// or maximum of a number and a NaN is the number. Operators are associative and need not commute.
#pragma once

#include <upsweep/common/cpp20.h>
#ifdef UPSWEEP_CPP20
#include <upsweep/common/operators.h>
#include <upsweep/opencl/types.h>

namespace upsweep::opencl {

// A function in the caller's text, which defines `name` and may define other functions and types before it.
struct function {
  std::string name;
  std::string text;
  bool takes_index = false;

  function() = default;
  function(std::string function_name, std::string definition) : name(std::move(function_name)), text(std::move(definition)) {}
  bool exists() const { return !name.empty(); }
};

// The function's second argument is an element's index, a ulong, in the transformations of reductions.
inline function with_index(function f) {
  f.takes_index = true;
  return f;
}

using common::bit_and, common::bit_or, common::bit_xor, common::maximum, common::minimum, common::multiplies, common::plus;

// An operator on totals: T name(T a, T b). `identity` is an OpenCL C expression for the value that leaves every operand
// unchanged; it makes scans somewhat faster.
struct operation {
  std::string name;
  std::string text;
  std::string identity;
  bool is_named = false;

  operation(std::string function_name, std::string definition, std::string identity_expression = "")
      : name(std::move(function_name)), text(std::move(definition)), identity(std::move(identity_expression)) {}
  template <class Op>
    requires(common::is_usual<Op, unsigned>)
  operation(Op) : name(Op::kName), is_named(true) {}

  bool is_arithmetic() const { return is_named && (name == "plus" || name == "multiplies"); }
  bool is_of_bits() const { return is_named && name.starts_with("bit_"); }
  // Whether the operator is defined for elements of a type.
  bool takes(const element_type &type) const { return !is_named || (is_of_bits() ? type.is_integer() : type.is_number()); }
};

}  // namespace upsweep::opencl
#endif
