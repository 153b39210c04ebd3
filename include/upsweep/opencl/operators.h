// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operators and other functions of kernels: the usual ones by name, and any by its OpenCL C text.
//
//     up::plus{}
//     up::operation("compose", "affine compose(affine a, affine b) { ... }")
//     up::function("is_large", "bool is_large(int x) { return x > 100; }")
//
// Named operators are of numbers; bit_and, bit_or and bit_xor of integers. Sums and products of integers wrap. Of a number and
// a NaN, minimum and maximum take the number. Operators are associative and need not commute.
#pragma once

#include <upsweep/opencl/types.h>

namespace upsweep::opencl {

// A function of the caller's text, which defines `name` and may define other functions and types before it.
struct function {
  std::string name;
  std::string text;
  bool takes_index = false;

  function() = default;
  function(std::string function_name, std::string definition) : name(std::move(function_name)), text(std::move(definition)) {}
  bool exists() const { return !name.empty(); }
};

// The function's second argument is an element's index, a ulong: of transformations of reductions.
inline function with_index(function f) {
  f.takes_index = true;
  return f;
}

struct plus {};
struct multiplies {};
struct minimum {};
struct maximum {};
struct bit_and {};
struct bit_or {};
struct bit_xor {};

// An operator on totals: T name(T a, T b). `identity` is an expression in OpenCL C of the value that leaves every other
// unchanged; scans are somewhat faster with it.
struct operation {
  std::string name;
  std::string text;
  std::string identity;
  bool is_named = false;

  operation(std::string function_name, std::string definition, std::string identity_expression = "")
      : name(std::move(function_name)), text(std::move(definition)), identity(std::move(identity_expression)) {}
  operation(plus) : name("plus"), is_named(true) {}
  operation(multiplies) : name("multiplies"), is_named(true) {}
  operation(minimum) : name("minimum"), is_named(true) {}
  operation(maximum) : name("maximum"), is_named(true) {}
  operation(bit_and) : name("bit_and"), is_named(true) {}
  operation(bit_or) : name("bit_or"), is_named(true) {}
  operation(bit_xor) : name("bit_xor"), is_named(true) {}

  bool is_arithmetic() const { return is_named && (name == "plus" || name == "multiplies"); }
  bool is_of_bits() const { return is_named && name.starts_with("bit_"); }
  // Whether the operator is defined for elements of a type.
  bool takes(const element_type &type) const { return !is_named || (is_of_bits() ? type.is_integer() : type.is_number()); }
};

}  // namespace upsweep::opencl
