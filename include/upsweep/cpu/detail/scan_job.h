// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A scan of a whole array, in chunks.
#pragma once

#include <upsweep/cpu/detail/call_arrays.h>
#include <upsweep/cpu/detail/chunks.h>
#include <upsweep/cpu/detail/kernels.h>
#include <upsweep/cpu/detail/reproducible_scan.h>
#include <upsweep/cpu/detail/tiles.h>

namespace upsweep::cpu::detail {

template <class T, class In, class Out, class Op, class TransformIn, class TransformOut, bool kInclusive, bool kBackward>
struct ScanJob {
  using Kernel = KernelFor<T, Op>;
  using Total = typename Kernel::Carry;
  using Reader = Source<T, Kernel, In, TransformIn, kBackward>;
  static constexpr unsigned kChunksAhead = 2;
  // If the kernel does not stream, smaller tiles are streamed.
  static constexpr std::size_t kItems = std::max<std::size_t>(Kernel::kStreams ? kTileItems<T> : kTileItems<T> / 4, 64);

  Reader source;
  Out out;
  TransformOut transform_out;
  Kernel kernel;
  Chunks chunks;
  bool is_streamed;
  T *total_to;

  Total combine(const Total &left, const Total &right) const { return kernel.combine(left, right); }

  Total reduce(std::uint64_t chunk) const { return Reduction(*this, chunk).rest(); }

  Total scan(std::uint64_t chunk, const Total &prefix, std::optional<std::uint64_t> next) const {
    const std::uint64_t begin = chunks.begin(chunk), end = chunks.end(chunk);
    Reduction next_total(*this, next);
    const Total last =
        is_streamed ? scan_to<true>(begin, end, prefix, next_total) : scan_to<false>(begin, end, prefix, next_total);
    if (end == chunks.n && total_to != nullptr) {
      *total_to = kernel.value(last);
    }
    return next_total.rest();
  }

private:
  // The total of a chunk, tile by tile.
  class Reduction {
  public:
    Reduction(const ScanJob &job, std::optional<std::uint64_t> chunk)
        : job_(job), total_(job.kernel.nothing()), i_(chunk ? job.chunks.begin(*chunk) : 0),
          end_(chunk ? job.chunks.end(*chunk) : 0) {}
    void tile() {
      if (i_ < end_) {
        const std::size_t count = std::min<std::uint64_t>(kItems, end_ - i_);
        total_ = job_.combine(total_, job_.kernel.reduce(job_.source.get(i_, count, buffer_), count));
        i_ += count;
      }
    }
    // The address that a scan at element i prefetches: the tile behind the next, into the second-level cache; its own chunk if
    // there is no next one.
    const void *ahead(std::uint64_t i) const {
      if constexpr (Reader::kIsDirect) {
        if (end_ == 0) {
          return address(job_.source.in) + i + kItems;
        }
        return address(job_.source.in) + std::min(i_ + kItems, std::max(end_, kItems) - kItems);
      } else {
        return &job_;
      }
    }
    Total rest() {
      while (i_ < end_) {
        tile();
      }
      return total_;
    }

  private:
    const ScanJob &job_;
    Total total_;
    std::uint64_t i_, end_;
    typename Reader::Buffer buffer_;
  };

  template <bool kStreamed>
  Total scan_to(std::uint64_t begin, std::uint64_t end, Total carry, Reduction &next_total) const {
    using Writer = Sink<T, Out, TransformOut, kBackward, kStreamed>;
    typename Reader::Buffer buffer;
    Writer sink(out, transform_out, chunks.n, begin);
    for (std::uint64_t i = begin; i < end; i += kItems) {
      const std::size_t count = std::min<std::uint64_t>(kItems, end - i);
      const void *ahead = next_total.ahead(i);
      if constexpr (Writer::kIsDirect && kInclusive) {
        kernel.scan(source.get(i, count, buffer), address(out) + i, count, carry, Side{ahead});
      } else {
        T *to = sink.room();
        const Side side = sink.side(ahead);
        if constexpr (!kInclusive) {
          *to++ = kernel.value(carry);
        }
        kernel.scan(source.get(i, count, buffer), to, count, carry, side);
        sink.commit(i, count, Kernel::kStreams ? &side : nullptr);
      }
      next_total.tile();
    }
    sink.finish();
    return carry;
  }
};

template <class T, bool kInclusive, class In, class Out, class Op, class Executor, class... Options>
void scan(In in, Out out, std::uint64_t n, Op op, const T *initial, Executor &given, const Options &...options) {
  auto &executor = executor_for<Out>(given);
  static_assert(std::is_trivially_copyable_v<T>, "totals must be trivially copyable");
  constexpr bool kBackward = has_option<backward_t, Options...>;
  const auto transform_in = find_option<transform_input>(transform_input<Unchanged>(Unchanged{}), options...).function;
  const auto transform_out = find_option<transform_output>(transform_output<Unchanged>(Unchanged{}), options...).function;
  using Job = ScanJob<T, In, Out, Op, std::decay_t<decltype(transform_in)>, std::decay_t<decltype(transform_out)>, kInclusive,
                      kBackward>;
  require_arrays({reads("the input", in, n, kTogether), writes("the output", out, n, kTogether), total_array(options...)});
  T *total = nullptr;
  const auto total_option = find_option<total_to>(0, options...);
  T total_of_all;
  if constexpr (!std::is_same_v<std::decay_t<decltype(total_option)>, int>) {
    total = &total_of_all;
  }
  const typename Job::Kernel kernel{op};
  constexpr bool kCudaOrder = has_option<reproducible_t, Options...> && !is_exact<Op, T>;
  const bool is_streamed = n * sizeof(T) >= kStreamedBytes && !is_same_array(in, out);
  if (n == 0) {
    if (initial != nullptr) {
      total_of_all = *initial;
    }
  } else if constexpr (kCudaOrder) {
    using CudaJob = ReproducibleScanJob<T, In, Out, Op, std::decay_t<decltype(transform_in)>,
                                        std::decay_t<decltype(transform_out)>, kInclusive, kBackward>;
    Chunks chunks(n, std::max(sizeof(T), sizeof(ValueOf<In>)));
    // Whole tiles; a single thread scans all, without totals of chunks.
    constexpr std::uint64_t kTile = CudaJob::Tile::kTileItems;
    chunks.size = executor.concurrency() <= 1 ? n : (chunks.size + kTile - 1) / kTile * kTile;
    const CudaJob job{{in, transform_in, n}, out, transform_out, op, chunks, is_streamed, total};
    typename CudaJob::Total first;
    if (initial != nullptr) {
      first.groups = *initial;
      first.has_groups = true;
    }
    go_over_chunks(executor, job, chunks.count(), first);
  } else {
    Chunks chunks(n, std::max(sizeof(T), sizeof(ValueOf<In>)));
    if (is_exact<Op, T> && executor.concurrency() <= 1) {
      chunks.size = n;  // one thread needs no totals of chunks if they cannot change a bit
    }
    const Job job{{in, transform_in, n}, out, transform_out, kernel, chunks, is_streamed, total};
    go_over_chunks(executor, job, chunks.count(), initial != nullptr ? kernel.of(*initial) : kernel.nothing());
  }
  if constexpr (!std::is_same_v<std::decay_t<decltype(total_option)>, int>) {
    if (n > 0 || initial != nullptr) {
      *total_option.to = total_of_all;
    }
  }
}

}  // namespace upsweep::cpu::detail
