// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Partitions: the elements for which a predicate is true, in their order, separated from the others.
//
//   partition_if             out begins with the first kind; the others fill it from the end, in reversed order
//   partition_by_flag        the same where flags[i] is not 0
//   stable_partition_if      two outputs, each in the order of the input
//   stable_partition_by_flag
//
// in, n, kept, executor as in select.h; a single output has room for n elements, each of two outputs for its own part. Outputs
// must not overlap each other or another array. `kept` becomes the number of elements of the first kind. Errors: see scan.h.
#pragma once

#include <upsweep/common/cpp20.h>
#ifdef UPSWEEP_CPP20
#include <upsweep/cpu/select.h>

namespace upsweep::cpu {

namespace detail {

template <Rejects kRejects, class In, class Out, class Rejected, class Number, class Marks, class Executor>
void partition(In in, Out out, Rejected rejected, Number *kept, std::uint64_t n, const Marks &marks, const CallArray &beside,
               Executor &executor) {
  CallArray first = writes("the output", out, n), others{"none"};
  if constexpr (kRejects == Rejects::kElsewhere) {
    first = writes_some("the output", out, n);
    others = writes_some("the output of the others", rejected, n);
  }
  require_arrays({beside, reads("the input", in, n), first, others, writes("the number of elements kept", kept, 1)});
  compact<kRejects>(in, out, kept, n, marks, 0, 0, rejected, false, executor);
}

}  // namespace detail

template <class In, class Out, class Number, class N, class Predicate, class... More>
void partition_if(In in, Out out, Number *kept, N n, Predicate predicate, More &&...more) {
  detail::partition<detail::Rejects::kReversed>(in, out, 0, kept, detail::count_of(n),
                                                detail::KeepIf<In, Predicate>{in, predicate}, detail::CallArray{"none"},
                                                detail::executor_of(more...));
}

template <class In, class Flag, class Out, class Number, class N, class... More>
void partition_by_flag(In in, const Flag *flags, Out out, Number *kept, N n, More &&...more) {
  using Marks = detail::KeepIf<const Flag *, detail::IsNotZero>;
  detail::partition<detail::Rejects::kReversed>(in, out, 0, kept, detail::count_of(n), Marks{flags, {}},
                                                detail::reads("flags", flags, detail::count_of(n)),
                                                detail::executor_of(more...));
}

template <class In, class Out, class Rejected, class Number, class N, class Predicate, class... More>
void stable_partition_if(In in, Out out, Rejected rejected, Number *kept, N n, Predicate predicate, More &&...more) {
  detail::partition<detail::Rejects::kElsewhere>(in, out, rejected, kept, detail::count_of(n),
                                                 detail::KeepIf<In, Predicate>{in, predicate}, detail::CallArray{"none"},
                                                 detail::executor_of(more...));
}

template <class In, class Flag, class Out, class Rejected, class Number, class N, class... More>
void stable_partition_by_flag(In in, const Flag *flags, Out out, Rejected rejected, Number *kept, N n, More &&...more) {
  using Marks = detail::KeepIf<const Flag *, detail::IsNotZero>;
  detail::partition<detail::Rejects::kElsewhere>(in, out, rejected, kept, detail::count_of(n), Marks{flags, {}},
                                                 detail::reads("flags", flags, detail::count_of(n)),
                                                 detail::executor_of(more...));
}

}  // namespace upsweep::cpu
#endif
