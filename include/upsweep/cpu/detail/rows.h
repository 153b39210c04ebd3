// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scans of separate rows. A thread scans as much as a chunk of whole rows. Rows longer than a few chunks are scanned one by
// one by all threads.
#pragma once

#include <upsweep/cpu/detail/scan_job.h>
#include <upsweep/cpu/detail/segmented_job.h>

namespace upsweep::cpu::detail {

// Shorter rows are scanned as segments of one array, since a row of its own begins and ends with partial lines.
constexpr std::uint64_t kLeastRowBytes = 4096;

// Scans `rows` rows of `length` elements at in + row * in_pitch.
template <class T, bool kInclusive, class In, class Out, class Op, class Executor, class... Options>
void scan_rows(In in, Out out, std::uint64_t rows, std::uint64_t length, std::uint64_t in_pitch, std::uint64_t out_pitch, Op op,
               const T *initial, bool is_in_place, Executor &given, const Options &...options) {
  auto &executor = executor_for<Out>(given);
  constexpr bool kBackward = has_option<backward_t, Options...>;
  const auto transform_in = find_option<transform_input>(transform_input<Unchanged>(Unchanged{}), options...).function;
  const auto transform_out = find_option<transform_output>(transform_output<Unchanged>(Unchanged{}), options...).function;
  using Job = ScanJob<T, In, Out, Op, std::decay_t<decltype(transform_in)>, std::decay_t<decltype(transform_out)>, kInclusive,
                      kBackward>;
  const typename Job::Kernel kernel{op};
  const auto first = initial != nullptr ? kernel.of(*initial) : kernel.nothing();
  const bool is_streamed = rows * length * sizeof(T) >= kStreamedBytes && !is_in_place;
  Chunks chunks(length, std::max(sizeof(T), sizeof(ValueOf<In>)));
  const auto job_of = [&](std::uint64_t row) {
    return Job{{in + static_cast<std::ptrdiff_t>(row * in_pitch), transform_in, length},
               out + static_cast<std::ptrdiff_t>(row * out_pitch),
               transform_out,
               kernel,
               chunks,
               is_streamed,
               nullptr};
  };
  if (chunks.count() >= 64) {
    for (std::uint64_t row = 0; row < rows; ++row) {
      go_over_chunks(executor, job_of(row), chunks.count(), first);
    }
    return;
  }
  chunks.size = length;
  const std::uint64_t bytes = length * std::max(sizeof(T), sizeof(ValueOf<In>));
  if (bytes * rows <= kAloneBytes) {
    calling_thread alone;
    for_each_piece(alone, rows, [&](std::uint64_t row) { job_of(row).scan(0, first, std::nullopt); });
    return;
  }
  const std::uint64_t together = std::max<std::uint64_t>(1, kChunkBytes / bytes);
  for_each_piece(executor, (rows + together - 1) / together, [&](std::uint64_t piece) {
    for (std::uint64_t row = piece * together; row < std::min(rows, (piece + 1) * together); ++row) {
      job_of(row).scan(0, first, std::nullopt);
    }
  });
}

// Contiguous rows of `length` elements; the last may be shorter.
template <class T, bool kInclusive, class In, class Out, class Op, class Executor, class... Options>
void scan_dense_rows(In in, Out out, std::uint64_t n, std::uint64_t length, Op op, const T *initial, Executor &executor,
                     const Options &...options) {
  static_assert(!has_option<total_to<T>, Options...>, "total_to is no option of scans of rows");
  if (length == 0) {
    throw std::invalid_argument("upsweep::cpu: the length of a row must not be 0");
  }
  require_arrays({reads("the input", in, n, kTogether), writes("the output", out, n, kTogether)});
  if constexpr (!has_option<backward_t, Options...>) {
    if (length * sizeof(T) < kLeastRowBytes) {
      segmented_scan<T, kInclusive>(in, out, n, op, initial, HeadsOfRows{length}, CallArray{"rows"}, executor, options...);
      return;
    }
  }
  const bool is_in_place = is_same_array(in, out);
  const std::uint64_t rows = n / length;
  scan_rows<T, kInclusive>(in, out, rows, length, length, length, op, initial, is_in_place, executor, options...);
  if (const std::uint64_t rest = n % length; rest > 0) {
    const auto begin = static_cast<std::ptrdiff_t>(rows * length);
    scan_rows<T, kInclusive>(in + begin, out + begin, 1, rest, rest, rest, op, initial, is_in_place, executor, options...);
  }
}

}  // namespace upsweep::cpu::detail
