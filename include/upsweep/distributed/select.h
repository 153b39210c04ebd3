// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Selections from an array of which each rank has a part: the kept elements of each part, without gaps, in their order. They
// stay on their rank; rebalance (place.h) divides them anew.
//
//   select_if          keeps x[i] where predicate(x[i])
//   select_by_flag     keeps x[i] where flags[i] is not 0
//   select_by_bit      keeps x[i] where bit i % 32 of bits[i / 32] is 1; i counts in this rank's part
//   select_by_stencil  keeps x[i] where predicate(stencil[i])
//   unique             keeps the first element of each run of equal neighbours of the whole array, on the rank where the run
//   begins unique_by_key      keeps the first key and element of each run of equal keys
//
// `ranks`    communicator (communicator.h). cpu/select.h explains the other arguments, here of this rank's part.
// `kept`     pointer to an integer, which becomes the number of elements kept on this rank.
// `options`  an executor; total_to(pointer to a std::uint64_t): each rank gets the number of elements kept on all ranks.
//
// unique gathers the ends of all parts. Errors: on all ranks (communicator.h); see cpu/select.h.
#pragma once

#include <upsweep/common/cpp20.h>
#ifdef UPSWEEP_CPP20
#include <upsweep/cpu/select.h>
#include <upsweep/distributed/detail/borders.h>
#include <upsweep/distributed/options.h>

namespace upsweep::distributed {

namespace detail {

// Selects on each rank, and adds up for total_to.
template <class C, class Number, class Select, class... More>
void select_parts(Call<C> &call, Number *kept, const Select &select, const More &...more) {
  const auto counts = call.gather([&] {
    cpu::detail::total_array(more...);  // is not null
    select();
    return static_cast<std::uint64_t>(*kept);
  });
  const auto total = cpu::detail::find_option<total_to>(0, more...);
  if constexpr (!std::is_same_v<std::decay_t<decltype(total)>, int>) {
    *total.to = 0;
    for (const std::uint64_t count : counts) {
      *total.to += count;
    }
  }
}

// Whether this part's first element continues the run before it.
template <class C, class In, class Equal>
bool continues_run(Call<C> &call, In in, std::uint64_t n, const Equal &equal) {
  const auto ends = call.gather([&] {
    cpu::detail::require_array(in, n, "the input");
    return ends_of(in, n);
  });
  return call.gather([&] { return continuing(ends, equal)[call.rank()]; })[call.rank()] != 0;
}

}  // namespace detail

template <class C, class In, class Out, class Number, class N, class Predicate, class... More>
void select_if(C &ranks, In in, Out out, Number *kept, N n, Predicate predicate, More &&...more) {
  detail::Call<C> call(ranks, "select_if", 0);
  detail::select_parts(call, kept, [&] { cpu::select_if(in, out, kept, n, predicate, detail::executor_of(more...)); }, more...);
}

template <class C, class In, class Flag, class Out, class Number, class N, class... More>
void select_by_flag(C &ranks, In in, const Flag *flags, Out out, Number *kept, N n, More &&...more) {
  detail::Call<C> call(ranks, "select_by_flag", 0);
  detail::select_parts(
      call, kept, [&] { cpu::select_by_flag(in, flags, out, kept, n, detail::executor_of(more...)); }, more...);
}

template <class C, class In, class Out, class Number, class N, class... More>
void select_by_bit(C &ranks, In in, const std::uint32_t *bits, Out out, Number *kept, N n, More &&...more) {
  detail::Call<C> call(ranks, "select_by_bit", 0);
  detail::select_parts(call, kept, [&] { cpu::select_by_bit(in, bits, out, kept, n, detail::executor_of(more...)); }, more...);
}

template <class C, class In, class Stencil, class Out, class Number, class N, class Predicate, class... More>
void select_by_stencil(C &ranks, In in, const Stencil *stencil, Out out, Number *kept, N n, Predicate predicate,
                       More &&...more) {
  detail::Call<C> call(ranks, "select_by_stencil", 0);
  detail::select_parts(
      call, kept, [&] { cpu::select_by_stencil(in, stencil, out, kept, n, predicate, detail::executor_of(more...)); }, more...);
}

template <class C, class In, class Out, class Number, class N, class... More>
void unique(C &ranks, In in, Out out, Number *kept, N n, More &&...more) {
  const auto equal = cpu::detail::functor_of(equal_to{}, more...);
  using Equal = std::remove_const_t<decltype(equal)>;
  const std::uint64_t count = detail::count_of(n);
  detail::Call<C> call(ranks, "unique", detail::types_hash<detail::ValueOf<In>>());
  const bool continues = detail::continues_run(call, in, count, equal);
  detail::select_parts(
      call, kept,
      [&] {
        cpu::detail::select(in, out, kept, count, detail::FirstOfRun<In, Equal>{{in, equal}, continues},
                            cpu::detail::CallArray{"none"}, detail::executor_of<1>(more...));
      },
      more...);
}

template <class C, class Key, class In, class OutKeys, class Out, class Number, class N, class... More>
void unique_by_key(C &ranks, const Key *keys, In in, OutKeys out_keys, Out out, Number *kept, N n, More &&...more) {
  const auto equal = cpu::detail::functor_of(equal_to{}, more...);
  using Equal = std::remove_const_t<decltype(equal)>;
  const std::uint64_t count = detail::count_of(n);
  detail::Call<C> call(ranks, "unique_by_key", detail::types_hash<Key>());
  const bool continues = detail::continues_run(call, keys, count, equal);
  detail::select_parts(
      call, kept,
      [&] {
        using namespace cpu::detail;
        require_arrays({reads("keys", keys, count, kTogether), writes_some("the output of keys", out_keys, count, kTogether),
                        reads("the input", in, count, kValuesTogether), writes_some("the output", out, count, kValuesTogether),
                        writes("the number of elements kept", kept, 1)});
        compact<Rejects::kDropped>(in, out, kept, count, detail::FirstOfRun<const Key *, Equal>{{keys, equal}, continues}, keys,
                                   out_keys, 0, is_in_place(in, out, count) || is_in_place(keys, out_keys, count),
                                   detail::executor_of<1>(more...));
      },
      more...);
}

}  // namespace upsweep::distributed
#endif
