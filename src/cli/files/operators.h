// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The operators of scans and reductions by name and type: the CPU library's calls as a table of functions.
#ifndef UPSWEEP_CLI_FILES_OPERATORS_H
#define UPSWEEP_CLI_FILES_OPERATORS_H

#include "cli/files/element.h"

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

namespace upsweep::cli {

enum class Operation { Sum, Product, Min, Max, And, Or, Xor };

// Values are of one compute type; pointers to them are aligned.
struct Operator {
  std::array<std::byte, 8> nothing;  // the identity, which changes no value, not even the sign of zero
  // to[0] = from, to[i + 1] = to[i] op in[i]: n + 1 values.
  void (*scan)(const void *in, void *to, size_t n, const void *from);
  // Scans in place along the middle of three axes.
  void (*scan_axis)(void *values, uint64_t batches, uint64_t length, uint64_t inner);
  // Scans in place, restarting wherever a flag is not 0.
  void (*scan_by_flag)(const uint8_t *flags, void *values, size_t n);
  // total = total op in[0] op … in[n - 1]
  void (*reduce)(const void *in, size_t n, void *total);
  // totals[i] = totals[i] op in[i]
  void (*combine)(void *totals, const void *in, size_t n);
};

// In the order of the enumeration.
std::span<const std::string_view> operation_names();
Result<Operation> parse_operation(std::string_view name);
std::string_view name_of(Operation operation);

// Null for bitwise operations on floating-point numbers.
const Operator *find_operator(Operation operation, Compute compute);

// The types in which an operation's results are computed and stored.
struct OperationTypes {
  Compute compute;
  ElementType result;
  std::array<std::byte, 8> identity;  // the initial value of exclusive scans, in the input's type
};

// `dtype` may be empty. Sums and products of integers have 64 bits by default and the input's sign, as in NumPy; other results
// have the input's type. Results of integers can have any type, results of floating-point numbers only floating-point types.
Result<OperationTypes> find_types(Operation operation, ElementType input, std::string_view dtype);

}  // namespace upsweep::cli
#endif
