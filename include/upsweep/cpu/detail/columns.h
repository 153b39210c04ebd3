// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scans along an axis with neighbours behind it: strips of columns, whose totals stay in the first-level cache from row to row.
#pragma once

#include <upsweep/cpu/detail/chunks.h>
#include <upsweep/cpu/detail/kernels.h>
#include <upsweep/cpu/detail/tiles.h>

namespace upsweep::cpu::detail {

struct Columns {
  std::uint64_t batches, length, inner;
  std::uint64_t in_batch, in_along, out_batch, out_along;
};

// The columns of a strip: enough for memory's speed, and few enough to give each thread work.
template <class T>
std::uint64_t strip_width(const Columns &of, unsigned threads) {
  const std::uint64_t wanted = std::max<std::uint64_t>(1, of.inner * of.batches / (2 * std::uint64_t(threads)));
  return std::clamp<std::uint64_t>(wanted / 64 * 64, std::min<std::uint64_t>(64, kTileItems<T>), kTileItems<T>);
}

// Scans a strip from the first row to the last.
template <class T, bool kInclusive, bool kBackward, class In, class Out, class Op, class TransformIn, class TransformOut>
void scan_strip(const In *in, Out *out, const Columns &of, std::size_t width, const Op &op, const T *initial,
                const TransformIn &transform_in, const TransformOut &transform_out, bool is_streamed) {
  TileBuffer<T> totals, results, inputs;
  bool is_known = initial != nullptr;
  if (is_known) {
    std::fill_n(totals.items(), width, *initial);
  }
  const std::uint64_t ahead = std::max<std::uint64_t>(1, kPrefetchBytes / (width * sizeof(In)));
  for (std::uint64_t step = 0; step < of.length; ++step) {
    const std::uint64_t row = kBackward ? of.length - 1 - step : step;
    const In *x = in + row * of.in_along;
    Out *to = out + row * of.out_along;
    const T *from = nullptr;
    if (step + ahead < of.length) {  // rows are too far apart for the processor's prefetcher
      prefetch(kBackward ? x - ahead * of.in_along : x + ahead * of.in_along, width * sizeof(In));
    }
    if constexpr (std::is_same_v<In, T> && std::is_same_v<TransformIn, Unchanged>) {
      from = x;
    } else {
      for (std::size_t i = 0; i < width; ++i) {
        inputs.items()[i] = static_cast<T>(transform_in(x[i]));
      }
      from = inputs.items();
    }
    const T *made = results.items();
    if constexpr (kInclusive) {
      if (!is_known) {
        std::memcpy(static_cast<void *>(totals.items()), from, width * sizeof(T));
        made = totals.items();
        is_known = true;
      } else {
        UPSWEEP_CPU_DISPATCH_UNFUSED(scan_across, from, totals.items(), results.items(), width, op);
      }
    } else {
      std::memcpy(static_cast<void *>(results.items()), totals.items(), width * sizeof(T));
      for (std::size_t i = 0; i < width; ++i) {
        totals.items()[i] = op(totals.items()[i], from[i]);
      }
    }
    if constexpr (std::is_same_v<Out, T> && std::is_same_v<TransformOut, Unchanged>) {
      put_row(to, made, width, is_streamed);
    } else {
      for (std::size_t i = 0; i < width; ++i) {
        if constexpr (is_number<Out>) {
          to[i] = static_cast<Out>(transform_out(made[i]));
        } else {
          to[i] = transform_out(made[i]);
        }
      }
    }
  }
  if (is_streamed) {
    _mm_sfence();
  }
}

// Calls strip(batch, column, width) for each strip of columns; small arrays stay on the calling thread.
template <class T, class Executor, class Strip>
void for_each_strip(const Columns &of, Executor &executor, const Strip &strip) {
  const std::uint64_t bytes = of.batches * of.length * of.inner * sizeof(T);
  const unsigned threads = bytes <= kAloneBytes ? 1 : std::max(1U, unsigned(executor.concurrency()));
  const std::uint64_t width = strip_width<T>(of, threads), strips = (of.inner + width - 1) / width;
  const auto piece = [&](std::uint64_t i) {
    const std::uint64_t column = i % strips * width;
    strip(i / strips, column, std::min(width, of.inner - column));
  };
  if (threads == 1) {
    calling_thread alone;
    for_each_piece(alone, of.batches * strips, piece);
  } else {
    for_each_piece(executor, of.batches * strips, piece);
  }
}

template <class T, bool kInclusive, class In, class Out, class Op, class Executor, class... Options>
void scan_columns(In in, Out out, const Columns &of, Op op, const T *initial, bool is_in_place, Executor &executor,
                  const Options &...options) {
  constexpr bool kBackward = has_option<backward_t, Options...>;
  const auto transform_in = find_option<transform_input>(transform_input<Unchanged>(Unchanged{}), options...).function;
  const auto transform_out = find_option<transform_output>(transform_output<Unchanged>(Unchanged{}), options...).function;
  const bool is_streamed = of.batches * of.length * of.inner * sizeof(T) >= kStreamedBytes && !is_in_place;
  for_each_strip<T>(of, executor, [&](std::uint64_t batch, std::uint64_t column, std::uint64_t width) {
    scan_strip<T, kInclusive, kBackward>(in + batch * of.in_batch + column, out + batch * of.out_batch + column, of, width, op,
                                         initial, transform_in, transform_out, is_streamed);
  });
}

}  // namespace upsweep::cpu::detail
