// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The operators of scans and reductions by name and type: the CPU library's calls behind one table of functions.
#ifndef UPSWEEP_CLI_FILES_OPERATORS_H
#define UPSWEEP_CLI_FILES_OPERATORS_H

#include "cli/files/element.h"

#include <array>
#include <cstdint>
#include <string_view>

namespace upsweep::cli {

enum class Operation { Sum, Product, Min, Max, And, Or, Xor };

// Values are of one compute type; pointers are to those, aligned.
struct Operator {
  std::array<std::byte, 8> nothing;  // what changes no value, not even the sign of zero
  // to[0] = from, to[i + 1] = to[i] op in[i]: n + 1 values.
  void (*scan)(const void *in, void *to, size_t n, const void *from);
  // Scans in place along the middle of three axes.
  void (*scan_axis)(void *values, uint64_t batches, uint64_t length, uint64_t inner);
  // Scans in place, from the beginning wherever a flag is not 0.
  void (*scan_by_flag)(const uint8_t *flags, void *values, size_t n);
  // total = total op in[0] op … in[n - 1]
  void (*reduce)(const void *in, size_t n, void *total);
  // totals[i] = totals[i] op in[i]
  void (*combine)(void *totals, const void *in, size_t n);
};

Result<Operation> parse_operation(std::string_view name);
std::string_view name_of(Operation operation);

// There is none for bitwise operations on floating-point numbers.
const Operator *find_operator(Operation operation, Compute compute);

// How results of an operation are computed and stored.
struct OperationTypes {
  Compute compute;
  ElementType result;
  std::array<std::byte, 8> identity;  // what exclusive scans begin with, a value of the input's type
};

// `dtype` may be empty. Sums and products of integers are of 64 bits with the sign of the input, as NumPy's; all others have
// the input's type. Integers can have any type of results, floating-point numbers a floating-point one.
Result<OperationTypes> find_types(Operation operation, ElementType input, std::string_view dtype);

}  // namespace upsweep::cli
#endif
