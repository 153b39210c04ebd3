// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The common tools of tests of sorts of segments: mixed lengths, and each segment's order by std::stable_sort.
#pragma once

#include "sort_check.h"

#include <upsweep/cuda/segmented_sort.cuh>

namespace upsweep::test {

// Lengths around the edges of all classes, mixed with random ones, as offsets from `first` on.
enum class Lengths { kMixed, kShort, kLong, kEmpty };
template <class Offset>
std::vector<Offset> segment_offsets(std::size_t segments, Lengths lengths, std::size_t first) {
  static constexpr std::size_t kEdges[] = {0,    1,    2,    31,   32,   33,   127,  128,   129,  255,
                                           256,  257,  511,  512,  513,  1280, 1281, 2047,  2048, 2049,
                                           2560, 2561, 4608, 4609, 7167, 7168, 7169, 12288, 12289};
  std::vector<Offset> offsets{static_cast<Offset>(first)};
  std::size_t at = first;
  for (std::size_t s = 0; s < segments; ++s) {
    const std::uint32_t draw = generator()();
    std::size_t length = draw / 16 % 40;
    if (lengths == Lengths::kMixed) {
      length = draw % 16 == 0 ? kEdges[draw / 16 % std::size(kEdges)] : draw % 16 < 6 ? draw / 16 % 300 : length;
      length = draw % 1024 == 7 ? draw / 1024 % 60000 : length;
    } else if (lengths == Lengths::kLong) {
      length = 7000 + draw / 16 % 300000;
    } else if (lengths == Lengths::kEmpty) {
      length = 0;
    }
    at += length;
    offsets.push_back(static_cast<Offset>(at));
  }
  return offsets;
}

// The source of each element of the sorted segments; other elements stay.
template <class Offset, class IsBefore>
std::vector<std::uint32_t> places_in_segments(std::size_t n, const std::vector<Offset> &offsets, const IsBefore &before) {
  std::vector<std::uint32_t> places(n);
  std::iota(places.begin(), places.end(), 0u);
  for (std::size_t s = 0; s + 1 < offsets.size(); ++s) {
    std::stable_sort(places.begin() + static_cast<std::ptrdiff_t>(offsets[s]),
                     places.begin() + static_cast<std::ptrdiff_t>(offsets[s + 1]), before);
  }
  return places;
}

// The sorted elements from `first` up to before `end`, and poison around them.
template <class T>
std::vector<T> sorted_with_poison(const std::vector<T> &elements, const std::vector<std::uint32_t> &places, std::size_t first,
                                  std::size_t end) {
  std::vector<T> expected(elements.size());
  std::memset(static_cast<void *>(expected.data()), kPoison, expected.size() * sizeof(T));
  for (std::size_t i = first; i < end; ++i) {
    expected[i] = elements[places[i]];
  }
  return expected;
}

// Keys, pairs and indices of segments, to other arrays and in place. `sort_up` has the options of an ascending sort.
template <class Key, class Value, class Offset, class IsBefore, class... Options>
void check_segments(const std::string &what, std::size_t segments, Lengths lengths, Spread spread, const IsBefore &before,
                    Options... options) {
  constexpr std::size_t kFirst = 5, kBehind = 9;
  const std::vector<Offset> offsets = segment_offsets<Offset>(segments, lengths, kFirst);
  const std::size_t end = offsets.back(), n = end + kBehind;
  const std::vector<Key> keys = sort_keys_of<Key>(n, spread);
  std::vector<Value> values(n);
  for (std::size_t i = 0; i < n; ++i) {
    const std::uint64_t words[2] = {i, ~i};
    std::memcpy(&values[i], words, std::min(sizeof(Value), sizeof words));
  }
  const auto places =
      places_in_segments(n, offsets, [&](std::uint32_t a, std::uint32_t b) { return before(keys[a], keys[b]); });
  DeviceArray<Key> in(keys), out(n);
  DeviceArray<Value> values_in(values), values_out(n);
  DeviceArray<Offset> begins(offsets);
  const auto *const from = static_cast<const Key *>(in.data());
  const SortSpaceOf space(cuda::sort_segments_workspace_bytes<Key, Value>(n, segments));
  const std::vector<Key> sorted = sorted_with_poison(keys, places, kFirst, end);
  const std::vector<Value> moved = sorted_with_poison(values, places, kFirst, end);
  if constexpr (std::is_same_v<Value, std::uint64_t>) {
    UPSWEEP_CUDA(cuda::sort_keys_of_segments(space.space, from, out.data(), n, begins.data(), segments, options...));
    check_sorted(out, sorted, what + " keys");
    out.poison();
  }
  UPSWEEP_CUDA(cuda::sort_pairs_of_segments(space.space, from, out.data(), static_cast<const Value *>(values_in.data()),
                                            values_out.data(), n, begins.data(), segments, options...));
  check_sorted(out, sorted, what + " pairs");
  check_sorted(values_out, moved, what + " values");
  if constexpr (std::is_same_v<Value, std::uint64_t>) {
    values_out.poison();
    UPSWEEP_CUDA(
        cuda::arg_sort_of_segments(space.space, from, out.data(), values_out.data(), n, begins.data(), segments, options...));
    std::vector<std::uint64_t> indices = moved;
    for (std::size_t s = 0; s < segments; ++s) {
      for (std::size_t i = offsets[s]; i < offsets[s + 1]; ++i) {
        indices[i] -= offsets[s];
      }
    }
    check_sorted(values_out, indices, what + " indices");
  }
  // In place, with memory from the pool; elements outside of the segments keep their values.
  UPSWEEP_CUDA(cuda::sort_pairs_of_segments(from, in.data(), static_cast<const Value *>(values_in.data()), values_in.data(), n,
                                            begins.data(), segments, options...));
  check_sorted(in, taken_from(keys, places), what + " keys in place");
  check_sorted(values_in, taken_from(values, places), what + " values in place");
}

// All kinds of lengths and of distributions of keys.
template <class Key, class Value, class Offset, class IsBefore, class... Options>
void check_all_segments(const std::string &type, const IsBefore &before, Options... options) {
  for (const Spread spread : {Spread::kRandom, Spread::kFewValues, Spread::kReverse}) {
    const std::string what = type + " spread " + std::to_string(static_cast<int>(spread));
    check_segments<Key, Value, Offset>(what + " mixed", 3000, Lengths::kMixed, spread, before, options...);
    check_segments<Key, Value, Offset>(what + " short", 20011, Lengths::kShort, spread, before, options...);
    check_segments<Key, Value, Offset>(what + " long", 7, Lengths::kLong, spread, before, options...);
  }
  check_segments<Key, Value, Offset>(type + " empty", 1000, Lengths::kEmpty, Spread::kRandom, before, options...);
  check_segments<Key, Value, Offset>(type + " none", 0, Lengths::kEmpty, Spread::kRandom, before, options...);
  check_segments<Key, Value, Offset>(type + " one", 1, Lengths::kLong, Spread::kRandom, before, options...);
}

}  // namespace upsweep::test
