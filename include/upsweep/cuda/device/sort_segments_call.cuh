// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The checks of a call of a sort of segments or rows.
#pragma once

#include <upsweep/cuda/device/sort_call.cuh>
#include <upsweep/cuda/device/sort_segments_launch.cuh>

namespace upsweep::cuda::detail {

struct NoValues {};  // in place of the values' arrays
inline constexpr NoValues no_values{};
struct Places {};  // in place of the values that are read: the index of each key

template <class Bits>
constexpr bool is_short_row(std::uint64_t length) {
  return SegmentClasses<Bits, true>::of(length) < kSegmentClasses - 1;
}

// The request of a call's arguments, with the values' arrays as pointers.
template <class Key, class Value, class... Options>
struct SortSegmentsCall {
  using Call = SortCall<Key, Value, Options...>;
  using Bits = typename Call::Bits;
  using Opaque = typename Call::Opaque;
  template <class Offsets>
  using Problem = SortSegmentsProblem<typename Call::Order, Opaque, Offsets, Call::kIsPartial>;

  const Key *keys_in;
  Key *keys_out;
  const Value *values_in;
  Value *values_out;
  bool are_values_right;

  template <class Offsets>
  Problem<Offsets> problem(Offsets offsets, const Count &segments, const KeyRange &range) const {
    SortBits bits{range.begin, range.end, std::max(1, (range.end - range.begin + kDigitBits - 1) / kDigitBits)};
    const bool is_in_place = keys_in == keys_out || (Call::kHasValues && values_in == values_out);
    bits.places += is_in_place && bits.places % 2 == 1 ? 1 : 0;
    return {reinterpret_cast<const Bits *>(keys_in),
            reinterpret_cast<Bits *>(keys_out),
            reinterpret_cast<const Opaque *>(values_in),
            reinterpret_cast<Opaque *>(values_out),
            offsets,
            {segments.most, segments.pointer},
            bits};
  }
  bool are_arrays_right(std::uint64_t n) const {
    return are_words<Bits>(keys_in) && are_words<Bits>(keys_out) && may_be_together(keys_in, keys_out, n) && are_values_right &&
           are_pairs_apart(keys_in, keys_out, values_in, values_out, n, n) &&
           (!Call::kHasValues || values_in == nullptr || may_be_together(values_in, values_out, n));
  }

  template <class Offset>
  cudaError_t sort_segments(const workspace &space, std::uint64_t n, const Offset *offsets, const Count &segments,
                            Options... options) const {
    const Call call({n, nullptr, false}, options...);
    if (segments.is_null || segments.most >> 32 != 0 || n > kMostElements || (segments.most > 0 && offsets == nullptr)) {
      return cudaErrorInvalidValue;
    }
    const std::size_t needed = SegmentsSpace<Bits, Opaque>(n, segments.most).bytes();
    return call.check_and_run(space, needed, are_arrays_right(n), [&](const workspace &memory) {
      if (segments.most == 0) {
        return cudaSuccess;
      }
      return launch_segments(static_cast<unsigned char *>(memory.data),
                             problem(OffsetsAt<Offset>{offsets}, segments, call.range), n, segments.most, call.stream);
    });
  }

  cudaError_t sort_rows(const workspace &space, const Count &rows, std::uint64_t length, Options... options) const {
    if (rows.is_null || rows.most >> 32 != 0 || (length > 0 && rows.most > kMostElements / length)) {
      return cudaErrorInvalidValue;
    }
    const std::uint64_t n = rows.most * length;
    const Call call({n, nullptr, false}, options...);
    const auto of_rows = problem(OffsetsOfRows{length}, rows, call.range);
    if (is_short_row<Bits>(length)) {
      return !call.is_valid() || (n > 0 && !are_arrays_right(n)) ? cudaErrorInvalidValue
             : n == 0                                            ? cudaSuccess
                                                                 : launch_short_rows(of_rows, length, rows.most, call.stream);
    }
    const std::size_t needed = SegmentsSpace<Bits, Opaque>(n, rows.most).bytes();
    return call.check_and_run(space, needed, are_arrays_right(n), [&](const workspace &memory) {
      return launch_segments(static_cast<unsigned char *>(memory.data), of_rows, n, rows.most, call.stream);
    });
  }
};

// Calls call(SortSegmentsCall) with the arrays of a call, whose types have been checked.
template <class... Options, class KeysIn, class KeysOut, class ValuesIn, class ValuesOut, class Run>
cudaError_t with_sort_arrays(KeysIn keys_in, KeysOut keys_out, ValuesIn values_in, ValuesOut values_out, const Run &run) {
  using Key = ElementOf<Unwrapped<KeysIn>>;
  if constexpr (std::is_same_v<ValuesOut, NoValues>) {
    return run(SortSegmentsCall<Key, NoValue, Options...>{const_pointer(keys_in), unwrapped(keys_out), nullptr, nullptr, true});
  } else {
    using Value = ElementOf<Unwrapped<ValuesOut>>;
    Value *const to = unwrapped(values_out);
    if constexpr (std::is_same_v<ValuesIn, Places>) {
      static_assert(std::is_unsigned_v<Value> && sizeof(Value) >= 4, "upsweep: indices are unsigned integers of 32 or 64 bits");
      return run(
          SortSegmentsCall<Key, Value, Options...>{const_pointer(keys_in), unwrapped(keys_out), nullptr, to, to != nullptr});
    } else {
      const Value *const from = const_pointer(values_in);
      return run(SortSegmentsCall<Key, Value, Options...>{const_pointer(keys_in), unwrapped(keys_out), from, to,
                                                          from != nullptr && to != nullptr});
    }
  }
}

template <class KeysIn, class KeysOut, class ValuesIn, class ValuesOut, class N>
constexpr bool are_sort_arrays() {
  if constexpr (are_arrays<KeysIn, KeysOut, N>() && are_pointers<KeysIn, KeysOut>()) {
    if constexpr (std::is_same_v<ValuesOut, NoValues>) {
      return true;
    } else if constexpr (std::is_same_v<ValuesIn, Places>) {
      return are_pointers<ValuesOut>();
    } else {
      return are_arrays<ValuesIn, ValuesOut, N>() && are_pointers<ValuesIn, ValuesOut>();
    }
  }
  return false;
}

template <class KeysIn, class KeysOut, class ValuesIn, class ValuesOut, class N, class Offsets, class Segments,
          class... Options>
cudaError_t call_sort_segments(const workspace &space, KeysIn keys_in, KeysOut keys_out, ValuesIn values_in,
                               ValuesOut values_out, N n, Offsets offsets, Segments segments, Options... options) {
  if constexpr (are_sort_arrays<KeysIn, KeysOut, ValuesIn, ValuesOut, N>() && are_pointers<Offsets>()) {
    static_assert(is_count<Segments>, "upsweep: the number of segments is neither an integer nor count_at(pointer, at_most)");
    return with_sort_arrays<Options...>(keys_in, keys_out, values_in, values_out, [&](const auto &call) {
      return call.sort_segments(space, static_cast<std::uint64_t>(n), const_pointer(offsets), count_of(segments), options...);
    });
  }
  return cudaErrorInvalidValue;
}

template <class KeysIn, class KeysOut, class ValuesIn, class ValuesOut, class Rows, class... Options>
cudaError_t call_sort_rows(const workspace &space, KeysIn keys_in, KeysOut keys_out, ValuesIn values_in, ValuesOut values_out,
                           Rows rows, std::uint64_t length, Options... options) {
  if constexpr (are_sort_arrays<KeysIn, KeysOut, ValuesIn, ValuesOut, Rows>()) {
    return with_sort_arrays<Options...>(keys_in, keys_out, values_in, values_out, [&](const auto &call) {
      return call.sort_rows(space, count_of(rows), length, options...);
    });
  }
  return cudaErrorInvalidValue;
}

}  // namespace upsweep::cuda::detail
