// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Types of elements: OpenCL C's numbers by their C++ types, and any other by its OpenCL C text.
//
//     const up::element_type affine("affine", "typedef struct { uint factor, offset; } affine;", sizeof(Affine),
//     alignof(Affine));
#pragma once

#include <upsweep/common/cpp20.h>
#ifdef UPSWEEP_CPP20
#include <upsweep/common/numbers.h>
#include <upsweep/opencl/handles.h>

#include <array>
#include <cstdint>
#include <cstring>
#include <string>
#include <type_traits>

namespace upsweep::opencl {

// A number of 16 bits, in memory's form.
struct half {
  cl_half bits;
};

// The type of an array's elements, by its name in OpenCL C. `text` defines a type that OpenCL C lacks; it has up to 64 bytes,
// and the same layout on host and device.
struct element_type {
  std::string name;
  std::string text;
  std::size_t bytes = 0;
  std::size_t alignment = 1;
  std::string unsigned_name;    // of integers
  std::string lowest, highest;  // of integers

  element_type() = default;
  element_type(std::string type_name, std::string definition, std::size_t size, std::size_t alignment_bytes)
      : name(std::move(type_name)), text(std::move(definition)), bytes(size), alignment(alignment_bytes) {}
  bool is_integer() const { return !unsigned_name.empty(); }
  bool is_floating_point() const { return name == "half" || name == "float" || name == "double"; }
  bool is_number() const { return is_integer() || is_floating_point(); }
  bool is_signed_integer() const { return is_integer() && !name.starts_with('u'); }
  // Types of 128 bits, for keys of sorts. OpenCL C has no arithmetic for them.
  bool is_wide_integer() const { return (name == "long2" || name == "ulong2") && text.empty(); }
  bool operator==(const element_type &other) const { return name == other.name && text == other.text; }
};

namespace detail {

inline element_type integer_type(std::size_t bytes, bool is_signed) {
  static constexpr const char *kNames[] = {"char", "short", "int", "long"};
  static constexpr const char *kLimits[] = {"CHAR", "SHRT", "INT", "LONG"};
  const int log = bytes == 1 ? 0 : bytes == 2 ? 1 : bytes == 4 ? 2 : 3;
  const std::string unsigned_name = std::string("u") + kNames[log];
  element_type type(is_signed ? kNames[log] : unsigned_name, "", bytes, bytes);
  type.unsigned_name = log < 2 ? "uint" : unsigned_name;
  type.lowest = is_signed ? std::string(kLimits[log]) + "_MIN" : "0";
  type.highest = std::string(is_signed ? "" : "U") + kLimits[log] + "_MAX";
  return type;
}

}  // namespace detail

// The element type of a C++ type: integers by size and sign, float, double and up::half; integers of 128 bits are OpenCL C's
// long2 and ulong2, the lower half first. Specialise it for your own types.
template <class T, class = void>
struct type_of;

template <class T>
struct type_of<T, std::enable_if_t<std::is_integral_v<T> && !std::is_same_v<T, bool> && sizeof(T) <= 8>> {
  static element_type value() { return detail::integer_type(sizeof(T), std::is_signed_v<T>); }
};
template <>
struct type_of<common::Int128> {
  static element_type value() { return {"long2", "", 16, 16}; }
};
template <>
struct type_of<common::Uint128> {
  static element_type value() { return {"ulong2", "", 16, 16}; }
};
template <>
struct type_of<half> {
  static element_type value() { return {"half", "", 2, 2}; }
};
template <>
struct type_of<float> {
  static element_type value() { return {"float", "", 4, 4}; }
};
template <>
struct type_of<double> {
  static element_type value() { return {"double", "", 8, 8}; }
};

// An element from the host: an initial value.
struct value {
  static constexpr std::size_t kMaxBytes = 64;

  element_type type;
  std::array<unsigned char, kMaxBytes> bytes{};

  template <class T, class = std::enable_if_t<std::is_trivially_copyable_v<T>>, class = decltype(type_of<T>::value())>
  value(const T &element) : value(type_of<T>::value(), &element) {}
  value(element_type element, const void *data) : type(std::move(element)) {
    if (type.bytes <= kMaxBytes) std::memcpy(bytes.data(), data, type.bytes);
  }
};

}  // namespace upsweep::opencl
#endif
