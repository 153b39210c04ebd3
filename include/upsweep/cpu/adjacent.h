// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Differences of neighbours, at the speed of a copy.
//
//   adjacent_difference   out[0] = x[0], out[i] = op(x[i], x[i - 1])
//
// `in`, `out`  random-access iterators that must not overlap.
// `n`          number of elements.
// `op`         x[i] - x[i - 1] by default; integers wrap.
// `executor`   see executor.h.
//
// Each element is read from memory once and each result written once. Errors: see scan.h.
#pragma once

#include <upsweep/common/cpp20.h>
#ifdef UPSWEEP_CPP20
#include <upsweep/cpu/detail/call_arrays.h>
#include <upsweep/cpu/detail/chunks.h>
#include <upsweep/cpu/detail/tiles.h>
#include <upsweep/cpu/thread_pool.h>

namespace upsweep::cpu {

namespace detail {

template <class T, bool kStreamed, class In, class Out, class Op>
void differences(In in, Out out, std::uint64_t n, std::uint64_t begin, std::uint64_t end, const Op &op) {
  const Unchanged unchanged;
  Sink<T, Out, Unchanged, false, kStreamed> sink(out, unchanged, n, begin);
  for (std::uint64_t i = begin; i < end; i += kTileItems<T>) {
    const std::size_t count = std::min<std::uint64_t>(kTileItems<T>, end - i), first = i == 0 ? 1 : 0;
    T *to = sink.room();
    if (first == 1) {
      to[0] = static_cast<T>(in[0]);
    }
    if constexpr (is_contiguous<In>) {
      const auto *from = address(in) + i + first;
      T *results = to + first;
      const std::size_t others = count - first;
      UPSWEEP_CPU_DISPATCH(differences_of, from, results, others, op);
    } else {
      for (std::size_t k = first; k < count; ++k) {
        const auto place = static_cast<std::ptrdiff_t>(i + k);
        to[k] = static_cast<T>(op(in[place], in[place - 1]));
      }
    }
    sink.commit(i, count);
  }
  sink.finish();
}

}  // namespace detail

template <class In, class Out, class... More>
void adjacent_difference(In in, Out out, std::uint64_t n, More &&...more) {
  using T = std::remove_cv_t<detail::ValueOf<Out>>;
  static_assert(std::is_trivially_copyable_v<T>, "elements must be trivially copyable");
  detail::require_arrays({detail::reads("the input", in, n), detail::writes("the output", out, n)});
  const auto op = detail::functor_of(minus{}, more...);
  const detail::Chunks chunks(n, std::max(sizeof(T), sizeof(detail::ValueOf<In>)));
  const bool is_streamed = n * sizeof(T) >= detail::kStreamedBytes;
  detail::for_each_piece(detail::executor_for<Out>(detail::executor_of<1>(more...)), chunks.count(), [&](std::uint64_t chunk) {
    const auto make = is_streamed ? detail::differences<T, true, In, Out, decltype(op)>
                                  : detail::differences<T, false, In, Out, decltype(op)>;
    make(in, out, n, chunks.begin(chunk), chunks.end(chunk), op);
  });
}

}  // namespace upsweep::cpu
#endif
