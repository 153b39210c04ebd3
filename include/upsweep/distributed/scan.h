// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scans of an array of which each rank has a part, in the order of ranks. A part may have any length, also none.
//
//   inclusive_scan   result[i] = x[0] op ... op x[i], where x is the whole array
//   exclusive_scan   result[i] = initial op x[0] op ... op x[i - 1]
//   ..._sum          the same with plus, from 0
//   ..._by_key       starts again wherever keys[i] is not equal to keys[i - 1], also of another rank
//   ..._by_flag      starts again wherever flags[i] is not 0
//
// `ranks`      communicator (communicator.h). All ranks make the call, with the same operator, options and initial value.
// `in`, `out`  random-access iterators to this rank's part; they may be the same. See cpu/scan.h.
// `n`          the number of elements of this part, or count_at(pointer, at_most).
// `op`         associative; it need not commute.
// `options`    an executor, and the options of cpu/scan.h: backward, transform_input, transform_output, accumulator,
// reproducible;
//              total_to(pointer): each rank gets the total of the whole array.
//
// A part is read for its total, and then read and written; the first reading is what a scan over ranks costs more than a scan
// on one. Two messages of the size of a total are gathered. Totals are trivially copyable and have a default constructor.
//
// Determinism: the bits depend on the lengths of the parts, where op rounds. With `reproducible`, whole arrays have the bits of
// a reproducible scan by one process (docs/cpu-reproducible.md), for all numbers of ranks and lengths of parts. Less than a
// tile for each rank (7168 floats) is then sent to a neighbour and back.
//
// Errors: on all ranks (communicator.h); see cpu/scan.h.
#pragma once

#include <upsweep/common/cpp20.h>
#ifdef UPSWEEP_CPP20
#include <upsweep/distributed/detail/segmented_parts.h>

namespace upsweep::distributed {

template <class C, class In, class Out, class N, class Op, class... More>
void inclusive_scan(C &ranks, In in, Out out, N n, Op op, More &&...more) {
  using T = cpu::detail::Accumulator<In, Out, Op, More...>;
  detail::scan<T, true>(ranks, "inclusive_scan", in, out, detail::count_of(n), op, static_cast<const T *>(nullptr), more...);
}

template <class C, class In, class Out, class N, class Op, class Initial, class... More>
void exclusive_scan(C &ranks, In in, Out out, N n, Op op, Initial initial, More &&...more) {
  const auto first = cpu::detail::initial_for<Out, Op, More...>(initial);
  detail::scan<std::remove_const_t<decltype(first)>, false>(ranks, "exclusive_scan", in, out, detail::count_of(n), op, &first,
                                                            more...);
}

template <class C, class In, class Out, class N, class... More>
void inclusive_sum(C &ranks, In in, Out out, N n, More &&...more) {
  distributed::inclusive_scan(ranks, in, out, n, plus{}, more...);
}

template <class C, class In, class Out, class N, class... More>
void exclusive_sum(C &ranks, In in, Out out, N n, More &&...more) {
  using T = cpu::detail::Accumulator<In, Out, plus, More...>;
  distributed::exclusive_scan(ranks, in, out, n, plus{}, identity<plus, T>::value(), more...);
}

template <class C, class Key, class In, class Out, class N, class Op, class... More>
void inclusive_scan_by_key(C &ranks, const Key *keys, In in, Out out, N n, Op op, More &&...more) {
  const auto equal = cpu::detail::functor_of(equal_to{}, more...);
  using T = cpu::detail::Accumulator<In, Out, Op, More...>;
  detail::segmented_scan<T, true>(
      ranks, "inclusive_scan_by_key", in, out, detail::count_of(n), op, static_cast<const T *>(nullptr),
      detail::HeadsByKey<Key, std::remove_const_t<decltype(equal)>>{keys, equal}, detail::executor_of<1>(more...), more...);
}

template <class C, class Key, class In, class Out, class N, class Op, class Initial, class... More>
void exclusive_scan_by_key(C &ranks, const Key *keys, In in, Out out, N n, Op op, Initial initial, More &&...more) {
  const auto equal = cpu::detail::functor_of(equal_to{}, more...);
  const auto first = cpu::detail::initial_for<Out, Op, More...>(initial);
  detail::segmented_scan<std::remove_const_t<decltype(first)>, false>(
      ranks, "exclusive_scan_by_key", in, out, detail::count_of(n), op, &first,
      detail::HeadsByKey<Key, std::remove_const_t<decltype(equal)>>{keys, equal}, detail::executor_of<1>(more...), more...);
}

template <class C, class Flag, class In, class Out, class N, class Op, class... More>
void inclusive_scan_by_flag(C &ranks, const Flag *flags, In in, Out out, N n, Op op, More &&...more) {
  using T = cpu::detail::Accumulator<In, Out, Op, More...>;
  detail::segmented_scan<T, true>(ranks, "inclusive_scan_by_flag", in, out, detail::count_of(n), op,
                                  static_cast<const T *>(nullptr), detail::HeadsByFlag<Flag>{flags},
                                  detail::executor_of(more...), more...);
}

template <class C, class Flag, class In, class Out, class N, class Op, class Initial, class... More>
void exclusive_scan_by_flag(C &ranks, const Flag *flags, In in, Out out, N n, Op op, Initial initial, More &&...more) {
  const auto first = cpu::detail::initial_for<Out, Op, More...>(initial);
  detail::segmented_scan<std::remove_const_t<decltype(first)>, false>(
      ranks, "exclusive_scan_by_flag", in, out, detail::count_of(n), op, &first, detail::HeadsByFlag<Flag>{flags},
      detail::executor_of(more...), more...);
}

}  // namespace upsweep::distributed
#endif
