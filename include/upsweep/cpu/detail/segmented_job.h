// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scans that start again at marked elements: a chunk's total is that of its last segment, and where a chunk has a mark, those
// before it do not matter.
#pragma once

#include <upsweep/cpu/detail/chunks.h>
#include <upsweep/cpu/detail/kernels.h>
#include <upsweep/cpu/detail/marks.h>
#include <upsweep/cpu/detail/tiles.h>

namespace upsweep::cpu::detail {

// Marks at the sorted offsets; equal ones are empty segments.
template <class Offset>
struct HeadsAtOffsets {
  const Offset *offsets;
  std::uint64_t segments;

  void mark(std::uint64_t begin, std::size_t count, std::uint8_t *marks) const {
    std::memset(marks, 0, count);
    const Offset *end = offsets + segments;
    for (const Offset *at = std::lower_bound(
             offsets, end, begin, [](const Offset &a, std::uint64_t b) { return static_cast<std::uint64_t>(a) < b; });
         at != end && static_cast<std::uint64_t>(*at) < begin + count; ++at) {
      marks[static_cast<std::uint64_t>(*at) - begin] = 1;
    }
  }
};

// Marks at the multiples of `length`.
struct HeadsOfRows {
  std::uint64_t length;

  void mark(std::uint64_t begin, std::size_t count, std::uint8_t *marks) const {
    std::memset(marks, 0, count);
    for (std::uint64_t at = (begin + length - 1) / length * length; at < begin + count; at += length) {
      marks[at - begin] = 1;
    }
  }
};

template <class T, class In, class Out, class Op, class TransformIn, class TransformOut, class Marks, bool kInclusive>
struct SegmentedJob {
  using Kernel = ChainKernel<T, Op>;
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

  // From the last mark on, which is looked for from the end.
  Total reduce(std::uint64_t chunk) const {
    const std::uint64_t begin = chunks.begin(chunk);
    Total total;
    std::uint8_t tile_marks[kTileItems<T>];
    typename Reader::Buffer buffer;
    for (std::uint64_t end = chunks.end(chunk); end > begin && !total.has_mark;) {
      const std::size_t n = std::min<std::uint64_t>(kTileItems<T>, end - begin);
      marks.mark(end - n, n, tile_marks);
      std::size_t first = n;
      while (first > 0 && !total.has_mark) {
        total.has_mark = tile_marks[--first] != 0;
      }
      const T *x = source.get(end - n + first, n - first, buffer);
      const auto part = fast_kernel.reduce(x, n - first);
      Carry before{fast_kernel.value(part), n > first};
      if constexpr (!kInclusive) {
        if (total.has_mark) {
          before.value = kernel.op(initial, before.value);
        }
      }
      total.carry = kernel.combine(before, total.carry);
      end -= n;
    }
    return total;
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
    std::uint8_t tile_marks[kTileItems<T>];
    T carry = prefix.value;
    for (std::uint64_t i = begin; i < end; i += kTileItems<T>) {
      const std::size_t count = std::min<std::uint64_t>(kTileItems<T>, end - i);
      marks.mark(i, count, tile_marks);
      const T *x = source.get(i, count, buffer);
      T *to = sink.room();
      if (i == 0) {
        tile_marks[0] = 1;  // whatever the marks say, the first segment begins here
      }
      if constexpr (kInclusive) {
        if (i == 0) {
          carry = x[0];  // for an operator that must not meet a value that is none
        }
        UPSWEEP_CPU_DISPATCH(scan_marked, x, tile_marks, to, count, carry, kernel.op);
      } else {
        UPSWEEP_CPU_DISPATCH(scan_marked_exclusive, x, tile_marks, to, count, carry, initial, kernel.op);
      }
      sink.commit(i, count);
    }
    sink.finish();
  }
};

template <class T, bool kInclusive, class In, class Out, class Op, class Marks, class Executor, class... Options>
void segmented_scan(In in, Out out, std::uint64_t n, Op op, const T *initial, const Marks &marks, Executor &executor,
                    const Options &...options) {
  static_assert(std::is_trivially_copyable_v<T>, "totals must be trivially copyable");
  static_assert(!has_option<backward_t, Options...>, "backward scans go with whole arrays");
  static_assert(std::is_same_v<decltype(find_option<total_to>(0, options...)), int>, "a segmented scan has no one total");
  const auto transform_in = find_option<transform_input>(transform_input<Unchanged>(Unchanged{}), options...).function;
  const auto transform_out = find_option<transform_output>(transform_output<Unchanged>(Unchanged{}), options...).function;
  using Job = SegmentedJob<T, In, Out, Op, std::decay_t<decltype(transform_in)>, std::decay_t<decltype(transform_out)>, Marks,
                           kInclusive>;
  require_array(in, n, "the input");
  require_array(out, n, "the output");
  require_same_or_apart(in, out, n);
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
