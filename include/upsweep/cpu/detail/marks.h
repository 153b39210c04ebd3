// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Marks of the elements to keep in a part of an array: bit i % 64 of words[i / 64] belongs to element begin + i, with zeros
// behind the last. `begin` is a multiple of 64.
#pragma once

#include <upsweep/cpu/detail/arguments.h>
#include <upsweep/cpu/simd/targets.h>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <vector>

namespace upsweep::cpu::detail {

constexpr std::size_t words_of(std::size_t elements) { return (elements + 63) / 64; }

// Marks of any iterator's elements, one by one.
template <class IsMarked>
void mark_each(std::uint64_t begin, std::size_t count, std::uint64_t *words, const IsMarked &is_marked) {
  for (std::size_t i = 0; i < count; i += 64) {
    std::uint64_t word = 0;
    for (std::size_t k = 0; k < 64 && i + k < count; ++k) {
      word |= static_cast<std::uint64_t>(is_marked(static_cast<std::ptrdiff_t>(begin + i + k)) ? 1 : 0) << k;
    }
    words[i / 64] = word;
  }
}

// Marks elements for which a predicate is true.
template <class In, class Predicate>
struct KeepIf {
  In in;
  Predicate predicate;

  void mark(std::uint64_t begin, std::size_t count, std::uint64_t *words) const {
    if constexpr (is_contiguous<In>) {
      const auto *elements = address(in) + begin;
      UPSWEEP_CPU_DISPATCH(mark_if, elements, count, words, predicate);
    } else {
      mark_each(begin, count, words, [&](std::ptrdiff_t i) { return predicate(in[i]); });
    }
  }
};

// Marks elements whose bit in an array of 32-bit words is 1.
struct KeepByBit {
  const std::uint32_t *bits;

  void mark(std::uint64_t begin, std::size_t count, std::uint64_t *words) const {
    const std::uint32_t *from = bits + begin / 32;
    std::memcpy(words, from, count / 32 * sizeof(std::uint32_t));
    if (const std::size_t rest = count % 64; rest != 0) {
      std::uint64_t word = from[count / 64 * 2];
      if (rest > 32) {
        word |= static_cast<std::uint64_t>(from[count / 64 * 2 + 1]) << 32;
      }
      words[count / 64] = word & ((std::uint64_t(1) << rest) - 1);
    }
  }
};

// Marks the first element, and each element that differs from its predecessor.
template <class In, class Equal>
struct KeepFirstOfRun {
  In in;
  Equal equal;

  void mark(std::uint64_t begin, std::size_t count, std::uint64_t *words) const {
    if constexpr (is_contiguous<In>) {
      const auto *elements = address(in) + begin;
      const bool is_first = begin == 0;
      UPSWEEP_CPU_DISPATCH(mark_changes, elements, count, words, equal, is_first);
    } else {
      mark_each(begin, count, words, [&](std::ptrdiff_t i) { return i == 0 || !equal(in[i - 1], in[i]); });
    }
  }
};

struct IsNotZero {
  template <class T>
  constexpr bool operator()(const T &value) const {
    return value != T();
  }
};

// The marks of a chunk. The first pass makes them tile by tile, the second uses them.
class ChunkMarks {
public:
  // Reading is ahead of writing: the next chunk's marks are made while this chunk's are in use.
  void next_chunk() { std::swap(words_, next_); }
  const std::uint64_t *words() const { return words_.data(); }

  // Marks elements begin + from to begin + from + count - 1 of the next chunk. Returns the number of marks.
  template <class Marks>
  std::uint64_t mark(const Marks &marks, std::uint64_t begin, std::size_t from, std::size_t count) {
    if (next_.size() < words_of(from + count)) {
      next_.resize(words_of(from + count));
    }
    std::uint64_t *words = next_.data() + from / 64;
    marks.mark(begin + from, count, words);
    const std::size_t some = words_of(count);
    return UPSWEEP_CPU_DISPATCH(count_marks, words, some);
  }
  // Clears the marks that `others` has as well, and returns the number of marks left.
  std::uint64_t unmark(const ChunkMarks &others, std::size_t from, std::size_t count) {
    std::uint64_t *words = next_.data() + from / 64;
    for (std::size_t w = 0; w < words_of(count); ++w) {
      words[w] &= ~others.next_[from / 64 + w];
    }
    const std::size_t some = words_of(count);
    return UPSWEEP_CPU_DISPATCH(count_marks, words, some);
  }
  // The last mark among the first `count` elements of the next chunk, if there is one.
  std::optional<std::size_t> last_of_next(std::size_t count) const {
    for (std::size_t w = words_of(count); w > 0; --w) {
      if (next_[w - 1] != 0) {
        return w * 64 - 1 - static_cast<std::size_t>(std::countl_zero(next_[w - 1]));
      }
    }
    return std::nullopt;
  }

private:
  std::vector<std::uint64_t> words_, next_;
};

}  // namespace upsweep::cpu::detail
