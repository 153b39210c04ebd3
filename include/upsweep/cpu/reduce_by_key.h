// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The totals of runs of equal keys.
//
//   reduce_by_key   out_keys[r] = the key of run r, totals[r] = values[i] op values[i + 1] op ... over its elements
//
// `keys`, `values`      pointer, and random-access iterator.
// `out_keys`, `totals`  random-access iterators with room for the runs. They overlap no other array.
// `runs`                pointer to an integer, which becomes the number of runs.
// `n`                   number of elements, or count_at(pointer, at_most).
// `op`                  associative; it need not commute. T, the type of totals, is the result type of op on two values; plus
//                       and multiplies of integers use the type of `totals` if it is a wider integer (accumulator in
//                       options.h).
// `equal`               of neighbours; == if it is not given. It is called once for an element.
// `executor`            see executor.h.
//
// The order of the operands depends on n, the types and the runs alone, so that results have the same bits for every number of
// threads, all instructions and every address. Errors: see scan.h.
#pragma once

#include <upsweep/common/cpp20.h>
#ifdef UPSWEEP_CPP20
#include <upsweep/cpu/detail/run_job.h>
#include <upsweep/cpu/thread_pool.h>

namespace upsweep::cpu {

template <class Key, class Values, class OutKeys, class Totals, class Number, class N, class Op, class... More>
void reduce_by_key(const Key *keys, Values values, OutKeys out_keys, Totals totals, Number *runs, N n, Op op, More &&...more) {
  const auto equal = detail::functor_of(equal_to{}, more...);
  using T = detail::Accumulator<Values, Totals, Op, More...>;
  static_assert(std::is_trivially_copyable_v<T>, "totals must be trivially copyable");
  const std::uint64_t count = detail::count_of(n);
  detail::require_arrays({detail::reads("keys", keys, count), detail::reads("values", values, count),
                          detail::writes_some("the output of keys", out_keys, count),
                          detail::writes_some("the totals", totals, count), detail::writes("the number of runs", runs, 1)});
  detail::encode_runs(keys, out_keys, totals, runs, count, equal, detail::TotalOfRun<T, Values, Op>{{values, {}, count}, {op}},
                      false, detail::executor_of<1>(more...));
}

}  // namespace upsweep::cpu
#endif
