// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Stable sorts of many parts of an array.
//
//   sort_keys_of_segments, sort_keys_of_rows    sort keys
//   sort_pairs_of_segments, sort_pairs_of_rows  sort keys together with their values
//   arg_sort_of_segments, arg_sort_of_rows      sort keys, and write the former index of each within its segment
//
// `in`, `out`  pointers. Arrays of the same type may be the same, but must not overlap otherwise.
// `Key`        as in sort_keys (sort.h); so are values, indices and options.
// `n`          number of elements of the arrays.
// `offsets`    pointer to segments + 1 non-decreasing integers, up to n. Elements before the first offset and from the last one
//              on are neither read nor written.
// `segments`   their number, or count_at(pointer, at_most).
// `rows`       of `length` elements.
// `executor`   see executor.h.
//
// Segments may have any lengths, in any order. All threads sort a segment of more than 2^18 elements together; one thread
// sorts each other segment, and allocates the memory of its longest one. Errors: see sort.h; std::invalid_argument for offsets
// beyond n, and for decreasing offsets that are read twice.
#pragma once

#include <upsweep/common/cpp20.h>
#ifdef UPSWEEP_CPP20
#include <upsweep/cpu/detail/segment_shares.h>
#include <upsweep/cpu/detail/sort_segments.h>
#include <upsweep/cpu/sort.h>

namespace upsweep::cpu {

namespace detail {

// Segments that overlap would be written by several threads.
template <class Offsets, class Executor>
void require_offsets(const Offsets &offsets, std::uint64_t segments, std::uint64_t n, Executor &executor) {
  std::atomic<bool> is_right{offsets[segments] <= n};
  if constexpr (!std::is_same_v<Offsets, OffsetsOfRows>) {
    const Chunks groups(segments, sizeof(std::uint64_t));
    for_each_piece(executor, groups.count(), [&](std::uint64_t group) {
      bool rises = true;
      for (std::uint64_t s = groups.begin(group); s < groups.end(group); ++s) {
        rises &= offsets[s] <= offsets[s + 1];
      }
      if (!rises) {
        is_right.store(false, std::memory_order_relaxed);
      }
    });
  }
  if (!is_right.load(std::memory_order_relaxed)) {
    throw std::invalid_argument("upsweep::cpu: offsets must not fall, nor exceed the number of elements");
  }
}

// The arrays of a sort and its offsets, if there are any.
template <class Key, class Value, class Offsets>
void require_segments_to_sort(const Key *keys_in, const Key *keys_out, const Value *values_in, const Value *values_out,
                              std::uint64_t n, const Offsets &offsets, std::uint64_t segments) {
  const std::uint64_t values = std::is_same_v<Value, NoValue> ? 0 : n;
  CallArray beside{"none"};
  if constexpr (!std::is_same_v<Offsets, OffsetsOfRows>) {
    beside = reads("offsets", offsets.offsets, segments + 1);
  }
  require_pairs(keys_in, keys_out, values_in, values_out, n);
  require_arrays({beside, writes("the output", keys_out, n), writes("the output of values", values_out, values)});
}

template <class Key, class Value, class Offsets, class Executor, class... Options>
void call_sort_segments(const Key *keys_in, Key *keys_out, const Value *values_in, Value *values_out, std::uint64_t n,
                        const Offsets &offsets, std::uint64_t segments, Executor &executor, const Options &...options) {
  using Order = OrderOf<Key, Options...>;
  static_assert(std::is_trivially_copyable_v<Value>, "values must be trivially copyable");
  require_segments_to_sort(keys_in, keys_out, values_in, values_out, n, offsets, segments);
  const key_bits bits = bits_of_call<Order, Key>(options...);
  if (segments == 0) {
    return;
  }
  require_offsets(offsets, segments, n, executor);
  const SegmentSort<Order, Key, Value, Offsets> sort{keys_in, keys_out, values_in, values_out, offsets, bits.begin, bits.end};
  sort_segments(sort, segments, executor);
}

// Each element's index within its segment.
template <class Index, class Offsets, class Executor>
void number_segments(Index *indices, std::uint64_t n, const Offsets &offsets, std::uint64_t segments, Executor &executor) {
  const Chunks groups(segments, sizeof(Index));
  for_each_piece(executor, groups.count(), [&](std::uint64_t group) {
    for (std::uint64_t s = groups.begin(group); s < groups.end(group); ++s) {
      for (std::uint64_t i = offsets[s]; i < std::min<std::uint64_t>(n, offsets[s + 1]); ++i) {
        indices[i] = static_cast<Index>(i - offsets[s]);
      }
    }
  });
}

// Checks all before it writes the indices.
template <class Key, class Index, class Offsets, class Executor, class... Options>
void prepare_arg_sort(const Key *keys_in, const Key *keys_out, Index *indices, std::uint64_t n, const Offsets &offsets,
                      std::uint64_t segments, Executor &executor, const Options &...options) {
  static_assert(std::is_unsigned_v<Index>, "indices must be unsigned integers");
  require_segments_to_sort(keys_in, keys_out, static_cast<const Index *>(indices), indices, n, offsets, segments);
  bits_of_call<OrderOf<Key, Options...>, Key>(options...);
  if (segments > 0) {
    require_offsets(offsets, segments, n, executor);
    number_segments(indices, n, offsets, segments, executor);
  }
}

}  // namespace detail

template <class Key, class Offset, class Segments, class... More>
void sort_keys_of_segments(const Key *in, Key *out, std::uint64_t n, const Offset *offsets, Segments segments, More &&...more) {
  const detail::NoValue *const none = nullptr;
  const std::uint64_t count = detail::count_of(segments);
  detail::call_sort_segments(in, out, none, static_cast<detail::NoValue *>(nullptr), n, detail::OffsetsAt<Offset>{offsets},
                             count, detail::executor_of(more...), more...);
}

template <class Key, class Value, class Offset, class Segments, class... More>
void sort_pairs_of_segments(const Key *keys_in, Key *keys_out, const Value *values_in, Value *values_out, std::uint64_t n,
                            const Offset *offsets, Segments segments, More &&...more) {
  const std::uint64_t count = detail::count_of(segments);
  detail::call_sort_segments(keys_in, keys_out, values_in, values_out, n, detail::OffsetsAt<Offset>{offsets}, count,
                             detail::executor_of(more...), more...);
}

template <class Key, class Index, class Offset, class Segments, class... More>
void arg_sort_of_segments(const Key *keys_in, Key *keys_out, Index *indices, std::uint64_t n, const Offset *offsets,
                          Segments segments, More &&...more) {
  const std::uint64_t count = detail::count_of(segments);
  detail::prepare_arg_sort<Key>(keys_in, keys_out, indices, n, detail::OffsetsAt<Offset>{offsets}, count,
                                detail::executor_of(more...), more...);
  cpu::sort_pairs_of_segments(keys_in, keys_out, static_cast<const Index *>(indices), indices, n, offsets, count, more...);
}

template <class Key, class... More>
void sort_keys_of_rows(const Key *in, Key *out, std::uint64_t rows, std::uint64_t length, More &&...more) {
  const detail::NoValue *const none = nullptr;
  detail::call_sort_segments(in, out, none, static_cast<detail::NoValue *>(nullptr), rows * length,
                             detail::OffsetsOfRows{length}, rows, detail::executor_of(more...), more...);
}

template <class Key, class Value, class... More>
void sort_pairs_of_rows(const Key *keys_in, Key *keys_out, const Value *values_in, Value *values_out, std::uint64_t rows,
                        std::uint64_t length, More &&...more) {
  detail::call_sort_segments(keys_in, keys_out, values_in, values_out, rows * length, detail::OffsetsOfRows{length}, rows,
                             detail::executor_of(more...), more...);
}

template <class Key, class Index, class... More>
void arg_sort_of_rows(const Key *keys_in, Key *keys_out, Index *indices, std::uint64_t rows, std::uint64_t length,
                      More &&...more) {
  detail::prepare_arg_sort<Key>(keys_in, keys_out, indices, rows * length, detail::OffsetsOfRows{length}, rows,
                                detail::executor_of(more...), more...);
  cpu::sort_pairs_of_rows(keys_in, keys_out, static_cast<const Index *>(indices), indices, rows, length, more...);
}

}  // namespace upsweep::cpu
#endif
