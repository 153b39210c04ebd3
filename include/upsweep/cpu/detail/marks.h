// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which elements of an array are kept: a byte of 1 or 0 for each element of a tile.
#pragma once

#include <upsweep/cpu/detail/arguments.h>
#include <upsweep/cpu/simd/targets.h>

#include <cstddef>
#include <cstdint>

namespace upsweep::cpu::detail {

// Where a predicate of the element is true.
template <class In, class Predicate>
struct KeepIf {
  In in;
  Predicate predicate;

  void mark(std::uint64_t begin, std::size_t count, std::uint8_t *marks) const {
    if constexpr (is_contiguous<In>) {
      const auto *elements = address(in) + begin;
      UPSWEEP_CPU_DISPATCH(mark_if, elements, count, marks, predicate);
    } else {
      for (std::size_t i = 0; i < count; ++i) {
        marks[i] = predicate(in[static_cast<std::ptrdiff_t>(begin + i)]) ? 1 : 0;
      }
    }
  }
};

// Where an array's bits of 32-bit words are 1.
struct KeepByBit {
  const std::uint32_t *bits;

  void mark(std::uint64_t begin, std::size_t count, std::uint8_t *marks) const {
    for (std::size_t i = 0; i < count; ++i) {
      marks[i] = static_cast<std::uint8_t>(bits[(begin + i) / 32] >> ((begin + i) % 32) & 1);
    }
  }
};

// At the first element, and where an element is not equal to the one before.
template <class In, class Equal>
struct KeepFirstOfRun {
  In in;
  Equal equal;

  void mark(std::uint64_t begin, std::size_t count, std::uint8_t *marks) const {
    if (begin == 0 && count > 0) {
      marks[0] = 1;
      ++begin;
      ++marks;
      --count;
    }
    if constexpr (is_contiguous<In>) {
      const auto *elements = address(in) + begin;
      UPSWEEP_CPU_DISPATCH(mark_changes, elements, count, marks, equal);
    } else {
      for (std::size_t i = 0; i < count; ++i) {
        const auto place = static_cast<std::ptrdiff_t>(begin + i);
        marks[i] = equal(in[place - 1], in[place]) ? 0 : 1;
      }
    }
  }
};

struct IsNotZero {
  template <class T>
  constexpr bool operator()(const T &value) const {
    return value != T();
  }
};

}  // namespace upsweep::cpu::detail
