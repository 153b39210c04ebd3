// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The arguments that device-wide calls have in common, and the checks of them.
#pragma once

#include <upsweep/cuda/options.cuh>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace upsweep::cuda::detail {

inline constexpr std::uint64_t kMostElements = 1ull << 40;
inline constexpr std::uint64_t kFarthestElement = 1ull << 50;  // with gaps between rows

template <class Iterator>
inline constexpr bool is_contiguous = std::is_pointer_v<Iterator>;

inline bool is_vector_aligned(const void *pointer) { return reinterpret_cast<std::uintptr_t>(pointer) % 16 == 0; }

// Whole elements away from an aligned address.
template <class T>
bool is_element_aligned(const T *pointer) {
  return reinterpret_cast<std::uintptr_t>(pointer) % sizeof(T) == 0;
}

inline bool overlap(const void *a, std::size_t a_bytes, const void *b, std::size_t b_bytes) {
  const auto a_begin = reinterpret_cast<std::uintptr_t>(a);
  const auto b_begin = reinterpret_cast<std::uintptr_t>(b);
  return a_begin < b_begin + b_bytes && b_begin < a_begin + a_bytes;
}

struct Count {
  std::uint64_t most;
  const std::uint64_t *pointer;
  bool is_null;  // a pointer was given, which is null

  // The number of elements that each array has at least. If the number is in device memory, arrays may be shorter than its
  // upper bound.
  std::uint64_t known() const { return pointer == nullptr ? most : most > 0 ? 1 : 0; }
};
inline Count count_of(std::uint64_t n) { return {n, nullptr, false}; }
inline Count count_of(const count_at &n) { return {n.at_most, n.pointer, n.pointer == nullptr}; }

template <class T>
struct InitialValue {
  T value{};
  const T *pointer = nullptr;
  bool is_null = false;
};
template <class T>
InitialValue<T> initial_of(T value) {
  return {value, nullptr, false};
}
template <class T>
InitialValue<T> initial_of(initial_at<T> at) {
  return {T(), at.pointer, at.pointer == nullptr};
}

// True unless both are pointers to arrays that overlap without being the same.
template <class In, class Out>
bool may_be_together(In in, Out out, std::uint64_t n) {
  if constexpr (is_contiguous<In> && is_contiguous<Out>) {
    const auto in_begin = reinterpret_cast<std::uintptr_t>(in);
    const auto out_begin = reinterpret_cast<std::uintptr_t>(out);
    const std::uintptr_t in_end = in_begin + n * sizeof(*in);
    const std::uintptr_t out_end = out_begin + n * sizeof(*out);
    return in_end <= out_begin || out_end <= in_begin || (in_begin == out_begin && sizeof(*in) == sizeof(*out));
  } else {
    return true;
  }
}

template <class Iterator>
bool is_null(Iterator iterator) {
  if constexpr (std::is_pointer_v<Iterator>) {
    return iterator == nullptr;
  } else {
    return false;
  }
}

}  // namespace upsweep::cuda::detail
