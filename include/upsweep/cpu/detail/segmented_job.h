// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scans that start again at marked elements. A chunk's total is that of its last segment; if a chunk has a mark, earlier
// chunks do not matter.
#pragma once

#include <upsweep/cpu/detail/call_arrays.h>
#include <upsweep/cpu/detail/chunks.h>
#include <upsweep/cpu/detail/kernels.h>
#include <upsweep/cpu/detail/marks.h>
#include <upsweep/cpu/detail/tiles.h>

namespace upsweep::cpu::detail {

inline void set_mark(std::uint64_t *words, std::uint64_t place) { words[place / 64] |= std::uint64_t(1) << (place % 64); }

// Marks at the sorted offsets; equal ones are empty segments. Decreasing offsets may get no mark.
template <class Offset>
struct HeadsAtOffsets {
  const Offset *offsets;
  std::uint64_t segments;

  void mark(std::uint64_t begin, std::size_t count, std::uint64_t *words) const {
    std::fill_n(words, words_of(count), 0);
    const Offset *end = offsets + segments;
    for (const Offset *at = std::lower_bound(
             offsets, end, begin, [](const Offset &a, std::uint64_t b) { return static_cast<std::uint64_t>(a) < b; });
         at != end && static_cast<std::uint64_t>(*at) - begin < count;
         ++at) {  // an offset before `begin` ends the loop as well
      set_mark(words, static_cast<std::uint64_t>(*at) - begin);
    }
  }
};

// Marks at the multiples of `length`.
struct HeadsOfRows {
  std::uint64_t length;

  void mark(std::uint64_t begin, std::size_t count, std::uint64_t *words) const {
    std::fill_n(words, words_of(count), 0);
    for (std::uint64_t at = (begin + length - 1) / length * length; at < begin + count; at += length) {
      set_mark(words, at - begin);
    }
  }
};

// A scan of up to kTileItems<T> elements that starts again at marks. An exclusive scan overwrites out[n].
template <bool kExclusive = false, class T, class Op>
void scan_marked_tile(const T *x, const std::uint64_t *words, T *out, std::size_t n, T &carry, const Op &op, const Side &side,
                      const T &initial = T()) {
  if constexpr (has_vector_form<Op, T>) {
    using Lane = typename LaneOf<Op, T>::type;
    const Lane unit = static_cast<Lane>(exact_unit<Op, T>()), first = static_cast<Lane>(initial);
    Lane running = static_cast<Lane>(carry);
    const auto *from = reinterpret_cast<const Lane *>(x);
    auto *to = reinterpret_cast<Lane *>(out);
    UPSWEEP_CPU_DISPATCH(scan_marked<kExclusive>, from, words, to, n, running, unit, first, op, side);
    carry = static_cast<T>(running);
  } else {
    UPSWEEP_CPU_DISPATCH_UNFUSED(chain_marked<kExclusive>, x, words, out, n, carry, initial, op);
  }
}

template <class T, class In, class Out, class Op, class TransformIn, class TransformOut, class Marks, bool kInclusive>
struct SegmentedJob {
  using Kernel = SweepKernel<T, Op>;
  using Carry = typename Kernel::Carry;
  using Reader = Source<T, Kernel, In, TransformIn, false>;
  struct Total {
    Carry carry;
    bool has_mark = false;
  };

  Reader source;
  Out out;
  TransformOut transform_out;
  Kernel kernel;
  KernelFor<T, Op> fast_kernel;
  Marks marks;
  T initial;  // of exclusive scans
  Chunks chunks;
  bool is_streamed;

  Total combine(const Total &left, const Total &right) const {
    return right.has_mark ? right : Total{kernel.combine(left.carry, right.carry), left.has_mark};
  }

  // Reduces from the last mark on. Searches the chunk's tiles backward for the mark; only the last tile may be partial.
  Total reduce(std::uint64_t chunk) const {
    const std::uint64_t begin = chunks.begin(chunk), end = chunks.end(chunk);
    Total total;
    std::uint64_t words[words_of(kTileItems<T>)];
    typename Reader::Buffer buffer;
    for (std::uint64_t i = begin + (end - begin - 1) / kTileItems<T> * kTileItems<T>;; i -= kTileItems<T>) {
      const std::size_t n = std::min<std::uint64_t>(kTileItems<T>, end - i);
      marks.mark(i, n, words);
      std::size_t w = words_of(n);
      while (w > 0 && words[w - 1] == 0) {
        --w;
      }
      total.has_mark = w > 0;
      const std::size_t first = w > 0 ? w * 64 - 1 - static_cast<std::size_t>(std::countl_zero(words[w - 1])) : 0;
      const T *x = source.get(i + first, n - first, buffer);
      Carry before{fast_kernel.value(fast_kernel.reduce(x, n - first)), true};
      if constexpr (!kInclusive) {
        if (total.has_mark) {
          before.value = kernel.op(initial, before.value);
        }
      }
      total.carry = kernel.combine(before, total.carry);
      if (total.has_mark || i == begin) {
        return total;
      }
    }
  }

  Total scan(std::uint64_t chunk, const Total &prefix, std::optional<std::uint64_t> next) const {
    if (is_streamed) {
      scan_to<true>(chunk, prefix.carry);
    } else {
      scan_to<false>(chunk, prefix.carry);
    }
    return next ? reduce(*next) : Total();
  }

private:
  template <bool kStreamed>
  void scan_to(std::uint64_t chunk, const Carry &prefix) const {
    const std::uint64_t begin = chunks.begin(chunk), end = chunks.end(chunk);
    using Writer = Sink<T, Out, TransformOut, false, kStreamed>;
    typename Reader::Buffer buffer;
    Writer sink(out, transform_out, chunks.n, begin);
    std::uint64_t words[words_of(kTileItems<T>)];
    T carry = prefix.value;
    for (std::uint64_t i = begin; i < end; i += kTileItems<T>) {
      const std::size_t count = std::min<std::uint64_t>(kTileItems<T>, end - i);
      marks.mark(i, count, words);
      const T *x = source.get(i, count, buffer);
      T *to = sink.room();
      if (i == 0) {
        words[0] |= 1;  // the first segment begins here, whatever the marks
      }
      const Side side = sink.side(x + kTileItems<T>);  // keys and elements are read for the first time
      scan_marked_tile<!kInclusive>(x, static_cast<const std::uint64_t *>(words), to, count, carry, kernel.op, side, initial);
      sink.commit(i, count, kInclusive && has_vector_form<Op, T> ? &side : nullptr);
    }
    sink.finish();
  }
};

// `beside`: the array from which the marks are made.
template <class T, bool kInclusive, class In, class Out, class Op, class Marks, class Executor, class... Options>
void segmented_scan(In in, Out out, std::uint64_t n, Op op, const T *initial, const Marks &marks, const CallArray &beside,
                    Executor &given, const Options &...options) {
  auto &executor = executor_for<Out>(given);
  static_assert(std::is_trivially_copyable_v<T>, "totals must be trivially copyable");
  static_assert(!has_option<backward_t, Options...>, "backward is an option of scans of whole arrays");
  static_assert(std::is_same_v<decltype(find_option<total_to>(0, options...)), int>,
                "total_to is no option of segmented scans");
  const auto transform_in = find_option<transform_input>(transform_input<Unchanged>(Unchanged{}), options...).function;
  const auto transform_out = find_option<transform_output>(transform_output<Unchanged>(Unchanged{}), options...).function;
  using Job = SegmentedJob<T, In, Out, Op, std::decay_t<decltype(transform_in)>, std::decay_t<decltype(transform_out)>, Marks,
                           kInclusive>;
  require_arrays({beside, reads("the input", in, n, kTogether), writes("the output", out, n, kTogether)});
  if (n == 0) {
    return;
  }
  const Chunks chunks(n, std::max(sizeof(T), sizeof(ValueOf<In>)));
  const bool is_streamed = n * sizeof(T) >= kStreamedBytes && !is_same_array(in, out);
  const Job job{
      {in, transform_in, n}, out, transform_out, {op}, {op}, marks, initial != nullptr ? *initial : T(), chunks, is_streamed};
  typename Job::Total first;
  if (initial != nullptr) {
    first.carry = {*initial, true};
  }
  go_over_chunks(executor, job, chunks.count(), first);
}

}  // namespace upsweep::cpu::detail
