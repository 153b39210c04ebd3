// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The runs of equal neighbours in an array.
//
//   run_length_encode   values[r] = the first element of run r, lengths[r] = its number of elements
//
// `in`        random-access iterator.
// `values`    random-access iterator with room for the runs. It may be the input, and then the calling thread works alone;
//             otherwise it must not overlap the input.
// `lengths`   the same, of integers; it must not overlap the others.
// `runs`      pointer to an integer, which becomes the number of runs.
// `n`         number of elements, or count_at(pointer, at_most).
// `equal`     of neighbours; == if it is not given. It is called once for an element.
// `executor`  see executor.h.
//
// Errors: see scan.h.
#pragma once

#include <upsweep/common/cpp20.h>
#ifdef UPSWEEP_CPP20
#include <upsweep/cpu/detail/run_job.h>
#include <upsweep/cpu/thread_pool.h>

namespace upsweep::cpu {

template <class In, class Values, class Lengths, class Number, class N, class... More>
void run_length_encode(In in, Values values, Lengths lengths, Number *runs, N n, More &&...more) {
  const auto equal = detail::functor_of(equal_to{}, more...);
  const std::uint64_t count = detail::count_of(n);
  detail::require_arrays({detail::reads("the input", in, count, detail::kTogether),
                          detail::writes_some("the output of values", values, count, detail::kTogether),
                          detail::writes_some("the output of lengths", lengths, count),
                          detail::writes("the number of runs", runs, 1)});
  detail::encode_runs(in, values, lengths, runs, count, equal, detail::LengthOfRun<detail::ValueOf<Lengths>>(),
                      detail::is_in_place(in, values, count), detail::executor_of<1>(more...));
}

}  // namespace upsweep::cpu
#endif
