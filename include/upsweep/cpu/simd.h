// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Building blocks for your own kernels, like the CUDA library's warp and block calls. They process a few thousand elements in
// the first-level cache, on the calling thread, by the vector instructions in use (instructions.h).
//
//   scan           out[i] = carry op in[0] op ... op in[i]; the carry becomes the last result
//   scan_marked    the same, but a scan starts again at each mark
//   reduce         the total of all elements
//   mark_if        marks in[i] where predicate(in[i]); mark_changes: where in[i] is not equal to in[i - 1], and in[0]
//   count_marks    the number of marked elements
//   compact        writes the marked elements without gaps and returns their number
//   places         the same for the indices of the marked elements
//   count_digits   counts[digit(in[i])] += 1 for each element
//   distribute     out[places[digit(in[i])]++] = in[i], in order. With places from a scan of all counts this is a stable pass
//                  of a radix sort
//
// `in`, `out`  pointers at any address. They may be the same for scans; otherwise they must not overlap.
// `marks`      bit i % 64 of marks[i / 64] marks element i; marks_of(n) words. Bits behind the last element are 0.
// `op`         an operator of operators.h on numbers of up to 64 bits (scan, scan_marked, reduce).
// `room`       compact overwrites up to 64 bytes behind its output, and places up to 7 integers.
//
// Complexity: linear; scans take two to five shuffles for each vector. The brackets of scans and reductions depend on n alone,
// so that all instructions give the same bits. Arguments are not checked, and only functors throw.
//
// Source: Hillis and Steele 1986 (scans of blocks of 16 bytes), Sklansky 1960 (of blocks), Schwartz 1980 (marks).
#pragma once

#include <upsweep/common/cpp20.h>
#ifdef UPSWEEP_CPP20
#include <upsweep/cpu/detail/marks.h>
#include <upsweep/cpu/detail/segmented_job.h>

namespace upsweep::cpu::simd {

constexpr std::size_t marks_of(std::size_t elements) { return detail::words_of(elements); }

template <class T, class Op>
void scan(const T *in, T *out, std::size_t n, T &carry, Op op) {
  static_assert(detail::has_vector_form<Op, T>, "the call needs an operator of operators.h, and numbers of up to 64 bits");
  detail::VectorKernel<T, Op>{op}.scan(in, out, n, carry, detail::Side{in});
}

template <class T, class Op>
void scan_marked(const T *in, const std::uint64_t *marks, T *out, std::size_t n, T &carry, Op op) {
  static_assert(detail::has_vector_form<Op, T>, "the call needs an operator of operators.h, and numbers of up to 64 bits");
  if (n > 0) {
    detail::scan_marked_tile(in, marks, out, n, carry, op, detail::Side{in});
  }
}

// The result for no elements: the value that changes no other, -0 for floating-point sums and NaN for minima.
template <class T, class Op>
T reduce(const T *in, std::size_t n, Op op) {
  static_assert(detail::has_vector_form<Op, T>, "the call needs an operator of operators.h, and numbers of up to 64 bits");
  return detail::VectorKernel<T, Op>{op}.reduce(in, n);
}

template <class T, class Predicate>
void mark_if(const T *in, std::size_t n, std::uint64_t *marks, Predicate predicate) {
  UPSWEEP_CPU_DISPATCH(mark_if, in, n, marks, predicate);
}

template <class T, class Equal = equal_to>
void mark_changes(const T *in, std::size_t n, std::uint64_t *marks, Equal equal = {}) {
  constexpr bool kIsFirst = true;
  UPSWEEP_CPU_DISPATCH(mark_changes, in, n, marks, equal, kIsFirst);
}

inline std::size_t count_marks(const std::uint64_t *marks, std::size_t n) {
  const std::size_t words = marks_of(n);
  return UPSWEEP_CPU_DISPATCH(count_marks, marks, words);
}

template <class T>
std::size_t compact(const T *in, const std::uint64_t *marks, std::size_t n, T *out) {
  return UPSWEEP_CPU_DISPATCH(compact, in, marks, n, out);
}

inline std::size_t places(const std::uint64_t *marks, std::size_t n, std::uint32_t *out) {
  const std::size_t words = marks_of(n);
  return UPSWEEP_CPU_DISPATCH(places_of_marks, marks, words, out);
}

// `digit` is less than kDigits. There are four tables, since successive counts of the same digit would stall.
template <std::size_t kDigits = 256, class T, class Digit>
void count_digits(const T *in, std::size_t n, std::uint32_t *counts, Digit digit) {
  std::uint32_t tables[4][kDigits] = {};
  std::size_t i = 0;
  for (; i + 4 <= n; i += 4) {
    for (std::size_t k = 0; k < 4; ++k) {
      ++tables[k][digit(in[i + k])];
    }
  }
  for (; i < n; ++i) {
    ++tables[0][digit(in[i])];
  }
  for (std::size_t d = 0; d < kDigits; ++d) {
    counts[d] += tables[0][d] + tables[1][d] + tables[2][d] + tables[3][d];
  }
}

template <class T, class Place, class Digit>
void distribute(const T *in, std::size_t n, T *out, Place *places, Digit digit) {
  for (std::size_t i = 0; i < n; ++i) {
    out[places[digit(in[i])]++] = in[i];
  }
}

}  // namespace upsweep::cpu::simd
#endif
