// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Names of operations, and the types that they compute with.
#include "cli/files/operators.h"

#include "cli/files/operator_table.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <fmt/ranges.h>
#include <limits>
#include <type_traits>

namespace upsweep::cli {
namespace {

constexpr std::array<std::string_view, 7> kNames = {"sum", "product", "min", "max", "and", "or", "xor"};

bool is_arithmetic(Operation operation) { return operation <= Operation::Product; }
bool is_bitwise(Operation operation) { return operation >= Operation::And; }

ElementType default_type(Operation operation, ElementType input) {
  if (!is_arithmetic(operation) || is_real(input.scalar)) return input.native();
  return {input.is_signed() || input.is_bool ? Scalar::Long : Scalar::ULong};
}

// Sums and bitwise results are right in the result's width, whatever the upper bits. Comparisons need all bits of the input,
// and its sign.
Compute compute_for(Operation operation, ElementType input, ElementType result) {
  if (is_real(input.scalar)) return input.bytes() == 8 || result.bytes() == 8 ? Compute::F64 : Compute::F32;
  if (is_real(result.scalar)) return Compute::F64;
  const bool is_order = !is_arithmetic(operation) && !is_bitwise(operation);
  if (is_order && input.is_signed()) return input.bytes() > 4 ? Compute::I64 : Compute::I32;
  return (is_order ? input.bytes() : result.bytes()) > 4 ? Compute::U64 : Compute::U32;
}

// The extremes of the input's type, which differ from those of the wider compute type.
template <class T>
std::array<std::byte, 8> identity_of(Operation operation, ElementType input) {
  const auto extreme = with_type(input.scalar, [&](auto zero) {
    using Element = decltype(zero);
    if constexpr (std::is_integral_v<Element>) {
      using Limits = std::numeric_limits<Element>;
      return static_cast<T>(operation == Operation::Min ? Limits::max() : Limits::min());
    } else {
      return static_cast<T>(operation == Operation::Min ? INFINITY : -INFINITY);
    }
  });
  T value = operation == Operation::Product ? T(1) : T(0);
  if (operation == Operation::Min || operation == Operation::Max) value = extreme;
  if constexpr (std::is_integral_v<T>)
    if (operation == Operation::And) value = static_cast<T>(~T(0));
  if (input.is_bool) value = value != T(0) ? T(1) : T(0);
  std::array<std::byte, 8> bytes{};
  std::memcpy(bytes.data(), &value, sizeof(T));
  return bytes;
}

}  // namespace

Result<Operation> parse_operation(std::string_view name) {
  const auto *found = std::ranges::find(kNames, name);
  if (found != kNames.end()) return static_cast<Operation>(found - kNames.begin());
  return misuse("--op {}: operations are {}", name, fmt::join(kNames, ", "));
}

std::span<const std::string_view> operation_names() { return kNames; }

std::string_view name_of(Operation operation) { return kNames[static_cast<size_t>(operation)]; }

const Operator *find_operator(Operation operation, Compute compute) {
  if (is_arithmetic(operation)) return find_arithmetic(operation, compute);
  return is_bitwise(operation) ? find_bitwise(operation, compute) : find_order(operation, compute);
}

Result<OperationTypes> find_types(Operation operation, ElementType input, std::string_view dtype) {
  if (is_bitwise(operation) && is_real(input.scalar))
    return fail("--op {} needs integers, but the elements are of type {}", name_of(operation), input.name());
  ElementType result = default_type(operation, input);
  if (!dtype.empty()) {
    const auto wanted = parse_element_type(dtype);
    if (!wanted) return misuse("--dtype: {}", wanted.error());
    result = *wanted;
  }
  if (is_real(input.scalar) && !is_real(result.scalar))
    return fail("--dtype {}: results for floating-point elements must have a floating-point type", result.name());
  if (is_bitwise(operation) && is_real(result.scalar))
    return fail("--dtype {}: results of --op {} are integers", result.name(), name_of(operation));
  if (result.is_bool && !(input.is_bool && !is_arithmetic(operation)))
    return fail("--dtype bool: results of --op {} on elements of type {} are numbers", name_of(operation), input.name());
  const Compute compute = compute_for(operation, input, result);
  const auto identity = with_compute(compute, [&](auto zero) { return identity_of<decltype(zero)>(operation, input); });
  return OperationTypes{compute, result, identity};
}

}  // namespace upsweep::cli
