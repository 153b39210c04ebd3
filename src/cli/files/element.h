// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The types of elements in files, and conversions to and from the six types that verbs compute with.
#ifndef UPSWEEP_CLI_FILES_ELEMENT_H
#define UPSWEEP_CLI_FILES_ELEMENT_H

#include "cli/value_type.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace upsweep::cli {

struct ElementType {
  Scalar scalar = Scalar::Double;
  bool is_swapped = false;  // big-endian
  bool is_bool = false;     // bytes of 0 and 1; the scalar is UChar

  [[nodiscard]] size_t bytes() const { return info_of(scalar).bytes; }
  [[nodiscard]] bool is_signed() const;
  [[nodiscard]] std::string descr() const;  // NumPy's name: "<f4"
  [[nodiscard]] std::string name() const;   // "float32"
  [[nodiscard]] ElementType native() const { return {scalar, false, is_bool}; }
  bool operator==(const ElementType &) const = default;
};

// "<f4", "f4", "float32"; the error lists the types.
// All names of types. parse_element_type() also takes NumPy's codes, such as <f4.
std::vector<std::string> element_type_names();
Result<ElementType> parse_element_type(std::string_view text);

// The element at `data` as text.
std::string format_element(ElementType type, const std::byte *data);

// The types that verbs compute with.
enum class Compute { I32, U32, I64, U64, F32, F64 };

size_t bytes_of(Compute compute);
// Whether the elements have the same bits as the compute type, so that they can be read in place.
bool is_same_bits(ElementType type, Compute compute);

// Integers are extended with their sign or truncated; floating-point numbers are rounded. Conversions from floating-point
// numbers to integers do not exist. `elements` need not be aligned. Runs on all threads.
void load_elements(ElementType type, const std::byte *elements, Compute compute, void *values, size_t n);
void store_elements(Compute compute, const void *values, ElementType type, std::byte *elements, size_t n);

template <class T>
inline constexpr Compute compute_of = Compute::F64;
template <>
inline constexpr Compute compute_of<int32_t> = Compute::I32;
template <>
inline constexpr Compute compute_of<uint32_t> = Compute::U32;
template <>
inline constexpr Compute compute_of<int64_t> = Compute::I64;
template <>
inline constexpr Compute compute_of<uint64_t> = Compute::U64;
template <>
inline constexpr Compute compute_of<float> = Compute::F32;

// Like with_type (value_type.h), for the types of totals.
template <class F>
auto with_compute(Compute compute, F f) {
  switch (compute) {
  case Compute::I32: return f(int32_t{});
  case Compute::U32: return f(uint32_t{});
  case Compute::I64: return f(int64_t{});
  case Compute::U64: return f(uint64_t{});
  case Compute::F32: return f(float{});
  case Compute::F64: break;
  }
  return f(double{});
}

}  // namespace upsweep::cli
#endif
