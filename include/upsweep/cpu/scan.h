// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scans of arrays. Each element is read from memory once and written once.
//
//   inclusive_scan   result[i] = x[0] op ... op x[i]
//   exclusive_scan   result[i] = initial op x[0] op ... op x[i - 1]
//   ..._sum          the same with plus, from 0
//   ..._by_key       starts again wherever keys[i] is not equal to keys[i - 1]
//   ..._by_flag      starts again wherever flags[i] is not 0
//   ..._of_segments  starts again at each of the sorted offsets[0] to offsets[segments - 1]
//   ..._of_rows      starts again after every `length` elements: a scan of each row of a matrix
//
// `in`, `out`  random-access iterators. They may be the same; otherwise they must not overlap each other, keys, flags, offsets
//              or the total. Contiguous iterators to numbers take the fast path.
// `n`          number of elements, or count_at(pointer, at_most).
// `op`         associative; it need not commute. T, the type of totals, is that of the initial value, or else the result type
//              of op on two (transformed) inputs. plus and multiplies of integers use the type of `out` if it is a wider
//              integer, and 64 bits if it is floating-point (accumulator in options.h).
// `executor`   the threads that work (executor.h); by default a pool of the process.
// `options`    see options.h.
//
// A call returns when its work is done. The calling thread alone processes arrays of up to 128 KiB. The operator is called up
// to three times for an element. T is trivially copyable and has a default constructor.
//
// Determinism: results have the same bits for every number of threads, all instructions of the processor and every address,
// floating-point numbers included.
//
// Errors: std::invalid_argument for a null pointer and for arrays that overlap but are not the same, before anything is
// written. Exceptions of the operator or a transformation reach the caller; the output is then unspecified.
#pragma once

#include <upsweep/common/cpp20.h>
#ifdef UPSWEEP_CPP20
#include <upsweep/cpu/detail/rows.h>
#include <upsweep/cpu/thread_pool.h>

namespace upsweep::cpu {

template <class In, class Out, class N, class Op, class... More>
void inclusive_scan(In in, Out out, N n, Op op, More &&...more) {
  using T = detail::Accumulator<In, Out, Op, More...>;
  detail::scan<T, true>(in, out, detail::count_of(n), op, static_cast<const T *>(nullptr), detail::executor_of(more...),
                        more...);
}

template <class In, class Out, class N, class Op, class Initial, class... More>
void exclusive_scan(In in, Out out, N n, Op op, Initial initial, More &&...more) {
  const auto first = detail::initial_for<Out, Op, More...>(initial);
  detail::scan<std::remove_const_t<decltype(first)>, false>(in, out, detail::count_of(n), op, &first,
                                                            detail::executor_of(more...), more...);
}

template <class In, class Out, class N, class... More>
void inclusive_sum(In in, Out out, N n, More &&...more) {
  cpu::inclusive_scan(in, out, n, plus{}, more...);
}

template <class In, class Out, class N, class... More>
void exclusive_sum(In in, Out out, N n, More &&...more) {
  using T = detail::Accumulator<In, Out, plus, More...>;
  cpu::exclusive_scan(in, out, n, plus{}, identity<plus, T>::value(), more...);
}

template <class Key, class In, class Out, class N, class Op, class... More>
void inclusive_scan_by_key(const Key *keys, In in, Out out, N n, Op op, More &&...more) {
  const auto equal = detail::functor_of(equal_to{}, more...);
  using Equal = std::remove_const_t<decltype(equal)>;
  using T = detail::Accumulator<In, Out, Op, More...>;
  detail::segmented_scan<T, true>(in, out, detail::count_of(n), op, static_cast<const T *>(nullptr),
                                  detail::KeepFirstOfRun<const Key *, Equal>{keys, equal},
                                  detail::reads("keys", keys, detail::count_of(n)), detail::executor_of<1>(more...), more...);
}

template <class Key, class In, class Out, class N, class Op, class Initial, class... More>
void exclusive_scan_by_key(const Key *keys, In in, Out out, N n, Op op, Initial initial, More &&...more) {
  const auto equal = detail::functor_of(equal_to{}, more...);
  using Equal = std::remove_const_t<decltype(equal)>;
  const auto first = detail::initial_for<Out, Op, More...>(initial);
  detail::segmented_scan<std::remove_const_t<decltype(first)>, false>(
      in, out, detail::count_of(n), op, &first, detail::KeepFirstOfRun<const Key *, Equal>{keys, equal},
      detail::reads("keys", keys, detail::count_of(n)), detail::executor_of<1>(more...), more...);
}

template <class Flag, class In, class Out, class N, class Op, class... More>
void inclusive_scan_by_flag(const Flag *flags, In in, Out out, N n, Op op, More &&...more) {
  using T = detail::Accumulator<In, Out, Op, More...>;
  detail::segmented_scan<T, true>(in, out, detail::count_of(n), op, static_cast<const T *>(nullptr),
                                  detail::KeepIf<const Flag *, detail::IsNotZero>{flags, {}},
                                  detail::reads("flags", flags, detail::count_of(n)), detail::executor_of(more...), more...);
}

template <class Flag, class In, class Out, class N, class Op, class Initial, class... More>
void exclusive_scan_by_flag(const Flag *flags, In in, Out out, N n, Op op, Initial initial, More &&...more) {
  const auto first = detail::initial_for<Out, Op, More...>(initial);
  detail::segmented_scan<std::remove_const_t<decltype(first)>, false>(
      in, out, detail::count_of(n), op, &first, detail::KeepIf<const Flag *, detail::IsNotZero>{flags, {}},
      detail::reads("flags", flags, detail::count_of(n)), detail::executor_of(more...), more...);
}

template <class In, class Out, class N, class Offset, class Op, class... More>
void inclusive_scan_of_segments(In in, Out out, N n, const Offset *offsets, std::uint64_t segments, Op op, More &&...more) {
  using T = detail::Accumulator<In, Out, Op, More...>;
  detail::segmented_scan<T, true>(in, out, detail::count_of(n), op, static_cast<const T *>(nullptr),
                                  detail::HeadsAtOffsets<Offset>{offsets, segments},
                                  detail::reads("offsets", offsets, segments), detail::executor_of(more...), more...);
}

template <class In, class Out, class N, class Offset, class Op, class Initial, class... More>
void exclusive_scan_of_segments(In in, Out out, N n, const Offset *offsets, std::uint64_t segments, Op op, Initial initial,
                                More &&...more) {
  const auto first = detail::initial_for<Out, Op, More...>(initial);
  detail::segmented_scan<std::remove_const_t<decltype(first)>, false>(
      in, out, detail::count_of(n), op, &first, detail::HeadsAtOffsets<Offset>{offsets, segments},
      detail::reads("offsets", offsets, segments), detail::executor_of(more...), more...);
}

template <class In, class Out, class N, class Op, class... More>
void inclusive_scan_of_rows(In in, Out out, N n, std::uint64_t length, Op op, More &&...more) {
  using T = detail::Accumulator<In, Out, Op, More...>;
  detail::scan_dense_rows<T, true>(in, out, detail::count_of(n), length, op, static_cast<const T *>(nullptr),
                                   detail::executor_of(more...), more...);
}

template <class In, class Out, class N, class Op, class Initial, class... More>
void exclusive_scan_of_rows(In in, Out out, N n, std::uint64_t length, Op op, Initial initial, More &&...more) {
  const auto first = detail::initial_for<Out, Op, More...>(initial);
  detail::scan_dense_rows<std::remove_const_t<decltype(first)>, false>(in, out, detail::count_of(n), length, op, &first,
                                                                       detail::executor_of(more...), more...);
}

}  // namespace upsweep::cpu
#endif
