// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The elements of runs, from their values and lengths.
//
//   run_length_decode   out[o] = values[k] for lengths[k] places o, behind the places of earlier runs
//   repeat              the same from offsets: out[o] = values[k] where offsets[k] <= o < offsets[k + 1], and offsets[0] is 0
//
// `values`    random-access iterator.
// `lengths`   random-access iterator to integers of at least 0. offsets: pointer to runs + 1 non-decreasing integers; the last
//             one is the number of elements. If earlier ones decrease, elements are arbitrary values.
// `runs`      their number, or count_at(pointer, at_most).
// `out`       random-access iterator with room for all elements; it must not overlap the inputs.
// `total`     optional, behind `out`: pointer to an integer, which becomes the number of elements.
// `executor`  see executor.h.
//
// Decoding allocates eight bytes for each run. Runs may be of any lengths, mixed in any order. Errors: see scan.h;
// std::invalid_argument for lengths below 0, and of 2^64 elements and more; std::bad_alloc.
#pragma once

#include <upsweep/common/cpp20.h>
#ifdef UPSWEEP_CPP20
#include <upsweep/cpu/detail/segment_shares.h>
#include <upsweep/cpu/scan.h>

namespace upsweep::cpu {

namespace detail {

struct NoTotal {};
template <class... More>
void put_total(std::uint64_t total, const More &...more) {
  const auto to = functor_of(NoTotal(), more...);
  if constexpr (!std::is_same_v<decltype(to), const NoTotal>) {
    static_assert(std::is_pointer_v<std::remove_const_t<decltype(to)>>, "the total must be a pointer to an integer");
    if (to != nullptr) {
      *to = static_cast<std::decay_t<decltype(*to)>>(total);
    }
  }
}

template <bool kStreamed, class Values, class Offset, class Out>
void expand(Values values, const Offset *offsets, std::uint64_t runs, Out out, std::uint64_t n, std::uint64_t begin,
            std::uint64_t end) {
  using T = std::remove_cv_t<ValueOf<Values>>;
  const Unchanged unchanged;
  Sink<T, Out, Unchanged, false, kStreamed> sink(out, unchanged, n, begin);
  // The run of the first element is the last run that begins at or before it; empty runs end there. With decreasing offsets it
  // may be any run; the last run continues to the end.
  const Offset *const behind = std::upper_bound(
      offsets + 1, offsets + runs, begin, [](std::uint64_t place, const Offset &offset) { return place < offset_of(offset); });
  auto run = static_cast<std::uint64_t>(behind - offsets) - 1;
  const auto end_of = [&](std::uint64_t which) { return which + 1 < runs ? offset_of(offsets[which + 1]) : n; };
  for (std::uint64_t i = begin; i < end; i += kTileItems<T>) {
    const std::size_t count = std::min<std::uint64_t>(kTileItems<T>, end - i);
    T *to = sink.room();
    for (std::size_t k = 0; k < count;) {
      const std::uint64_t run_end = std::clamp<std::uint64_t>(end_of(run), i, i + count) - i;
      const T value = values[static_cast<std::ptrdiff_t>(run)];
      for (; k < run_end; ++k) {
        to[k] = value;
      }
      run += k < count ? 1 : 0;
    }
    while (run + 1 < runs && end_of(run) <= i + count) {
      ++run;
    }
    sink.commit(i, count);
  }
  sink.finish();
}

template <class Values, class Offset, class Out, class Executor>
std::uint64_t repeat(Values values, const Offset *offsets, std::uint64_t runs, Out out, Executor &given) {
  auto &executor = executor_for<Out>(given);
  using T = std::remove_cv_t<ValueOf<Values>>;
  static_assert(std::is_trivially_copyable_v<T>, "values must be trivially copyable");
  const std::uint64_t n = runs == 0 ? 0 : offset_of(offsets[runs]);
  require_arrays({reads("offsets", offsets, runs + 1), reads("values", values, runs), writes("the output", out, n)});
  const Chunks chunks(n, sizeof(T));
  const bool is_streamed = n * sizeof(T) >= kStreamedBytes;
  for_each_piece(executor, chunks.count(), [&](std::uint64_t chunk) {
    const auto make = is_streamed ? expand<true, Values, Offset, Out> : expand<false, Values, Offset, Out>;
    make(values, offsets, runs, out, n, chunks.begin(chunk), chunks.end(chunk));
  });
  return n;
}

}  // namespace detail

template <class Values, class Offset, class N, class Out, class... More>
void repeat(Values values, const Offset *offsets, N runs, Out out, More &&...more) {
  const std::uint64_t count = detail::count_of(runs);
  detail::require_array(offsets, count, "offsets");
  detail::put_total(detail::repeat(values, offsets, count, out, detail::executor_of<1>(more...)), more...);
}

template <class Values, class Lengths, class N, class Out, class... More>
void run_length_decode(Values values, Lengths lengths, N runs, Out out, More &&...more) {
  auto &executor = detail::executor_of<1>(more...);
  const std::uint64_t count = detail::count_of(runs);
  const std::unique_ptr<std::uint64_t[]> offsets(new std::uint64_t[count + 1]);
  offsets[count] = 0;
  std::atomic<bool> has_negative{false};
  const auto length_of = [&](const auto &length) {
    if (length < std::decay_t<decltype(length)>(0)) {
      has_negative.store(true, std::memory_order_relaxed);
    }
    return detail::offset_of(length);
  };
  cpu::exclusive_scan(lengths, offsets.get(), count, plus{}, std::uint64_t(0), executor, transform_input(length_of),
                      total_to(offsets.get() + count));
  if (has_negative.load(std::memory_order_relaxed) || !std::is_sorted(offsets.get(), offsets.get() + count + 1)) {
    throw std::invalid_argument("upsweep::cpu: the lengths are negative, or their sum is 2^64 or more");
  }
  detail::put_total(detail::repeat(values, static_cast<const std::uint64_t *>(offsets.get()), count, out, executor), more...);
}

}  // namespace upsweep::cpu
#endif
