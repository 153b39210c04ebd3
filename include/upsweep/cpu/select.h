// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Selections: the kept elements of an array, without gaps, in their order.
//
//   select_if          keeps x[i] where predicate(x[i])
//   select_by_flag     keeps x[i] where flags[i] is not 0
//   select_by_bit      keeps x[i] where bit i % 32 of bits[i / 32] is 1
//   select_by_stencil  keeps x[i] where predicate(stencil[i])
//   unique             keeps x[0], and x[i] where not equal(x[i - 1], x[i])
//   unique_by_key      keeps keys[0] and x[0], and keys[i] and x[i] where not equal(keys[i - 1], keys[i])
//
// `in`, `out`  random-access iterators; out has room for the kept elements. They may be the same, and then the calling thread
//              works alone; otherwise they must not overlap. flags, bits, stencil and keys are pointers, which the output must
//              not overlap unless they are the input.
// `kept`       pointer to an integer outside of the arrays, which becomes the number of kept elements.
// `n`          number of elements, or count_at(pointer, at_most).
// `executor`   see executor.h.
//
// Each input is read from memory once, and each kept element is written once; nothing is written behind them. Predicates are
// called once for an element. Errors: see scan.h.
#pragma once

#include <upsweep/common/cpp20.h>
#ifdef UPSWEEP_CPP20
#include <upsweep/cpu/detail/compact_job.h>
#include <upsweep/cpu/thread_pool.h>

namespace upsweep::cpu {

namespace detail {

// `beside`: the array from which the marks are made, if it is not the input.
template <class In, class Out, class Number, class Marks, class Executor>
void select(In in, Out out, Number *kept, std::uint64_t n, const Marks &marks, const CallArray &beside, Executor &executor) {
  require_arrays({beside, reads("the input", in, n, kTogether), writes_some("the output", out, n, kTogether),
                  writes("the number of elements kept", kept, 1)});
  compact<Rejects::kDropped>(in, out, kept, n, marks, 0, 0, 0, is_in_place(in, out, n), executor);
}

}  // namespace detail

template <class In, class Out, class Number, class N, class Predicate, class... More>
void select_if(In in, Out out, Number *kept, N n, Predicate predicate, More &&...more) {
  detail::select(in, out, kept, detail::count_of(n), detail::KeepIf<In, Predicate>{in, predicate}, detail::CallArray{"none"},
                 detail::executor_of(more...));
}

template <class In, class Flag, class Out, class Number, class N, class... More>
void select_by_flag(In in, const Flag *flags, Out out, Number *kept, N n, More &&...more) {
  using Marks = detail::KeepIf<const Flag *, detail::IsNotZero>;
  const std::uint64_t count = detail::count_of(n);
  detail::select(in, out, kept, count, Marks{flags, {}},
                 detail::reads("flags", flags, count, detail::group_with_input(flags, in)), detail::executor_of(more...));
}

template <class In, class Out, class Number, class N, class... More>
void select_by_bit(In in, const std::uint32_t *bits, Out out, Number *kept, N n, More &&...more) {
  const std::uint64_t count = detail::count_of(n);
  detail::select(in, out, kept, count, detail::KeepByBit{bits},
                 detail::reads("bits", bits, count / 32 + (count % 32 != 0 ? 1 : 0)), detail::executor_of(more...));
}

template <class In, class Stencil, class Out, class Number, class N, class Predicate, class... More>
void select_by_stencil(In in, const Stencil *stencil, Out out, Number *kept, N n, Predicate predicate, More &&...more) {
  const std::uint64_t count = detail::count_of(n);
  detail::select(in, out, kept, count, detail::KeepIf<const Stencil *, Predicate>{stencil, predicate},
                 detail::reads("the stencil", stencil, count, detail::group_with_input(stencil, in)),
                 detail::executor_of(more...));
}

template <class In, class Out, class Number, class N, class... More>
void unique(In in, Out out, Number *kept, N n, More &&...more) {
  const auto equal = detail::functor_of(equal_to{}, more...);
  using Equal = std::remove_const_t<decltype(equal)>;
  detail::select(in, out, kept, detail::count_of(n), detail::KeepFirstOfRun<In, Equal>{in, equal}, detail::CallArray{"none"},
                 detail::executor_of<1>(more...));
}

template <class Key, class In, class OutKeys, class Out, class Number, class N, class... More>
void unique_by_key(const Key *keys, In in, OutKeys out_keys, Out out, Number *kept, N n, More &&...more) {
  const auto equal = detail::functor_of(equal_to{}, more...);
  using Equal = std::remove_const_t<decltype(equal)>;
  const std::uint64_t count = detail::count_of(n);
  detail::require_arrays({detail::reads("keys", keys, count, detail::kTogether),
                          detail::writes_some("the output of keys", out_keys, count, detail::kTogether),
                          detail::reads("the input", in, count, detail::kValuesTogether),
                          detail::writes_some("the output", out, count, detail::kValuesTogether),
                          detail::writes("the number of elements kept", kept, 1)});
  const bool is_in_place = detail::is_in_place(in, out, count) || detail::is_in_place(keys, out_keys, count);
  detail::compact<detail::Rejects::kDropped>(in, out, kept, count, detail::KeepFirstOfRun<const Key *, Equal>{keys, equal},
                                             keys, out_keys, 0, is_in_place, detail::executor_of<1>(more...));
}

}  // namespace upsweep::cpu
#endif
