// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Partitions into three parts, each in the order of the input.
//
//   stable_partition_in_three   first: is_first(x[i]); second: is_second(x[i]) among the others; third: the rest
//
// `in`                        random-access iterator.
// `first`, `second`, `third`  random-access iterators with room for their parts. They must not overlap another array.
// `kept`                      pointer to two integers, which become the numbers of elements of the first and the second part.
// `n`                         number of elements, or count_at(pointer, at_most).
// `executor`                  see executor.h.
//
// Each element is read from memory once and written once. is_first may be called twice for an element. Errors: see scan.h.
#pragma once

#include <upsweep/common/cpp20.h>
#ifdef UPSWEEP_CPP20
#include <upsweep/cpu/detail/three_job.h>
#include <upsweep/cpu/thread_pool.h>

namespace upsweep::cpu {

template <class In, class First, class Second, class Third, class Number, class N, class IsFirst, class IsSecond, class... More>
void stable_partition_in_three(In in, First first, Second second, Third third, Number *kept, N n, IsFirst is_first,
                               IsSecond is_second, More &&...more) {
  using T = std::remove_cv_t<detail::ValueOf<In>>;
  static_assert(std::is_trivially_copyable_v<T>, "elements must be trivially copyable");
  const std::uint64_t count = detail::count_of(n);
  detail::require_arrays({detail::reads("the input", in, count), detail::writes_some("the first part", first, count),
                          detail::writes_some("the second part", second, count),
                          detail::writes_some("the third part", third, count),
                          detail::writes("the numbers of elements", kept, 2)});
  const auto is_only_second = [=](const T &x) { return !is_first(x) && is_second(x); };
  using IsOnlySecond = decltype(is_only_second);
  typename detail::CountsOfTwo counts;
  if (count > 0) {
    const detail::ThreeJob<In, First, Second, Third, IsFirst, IsOnlySecond> job{{in},
                                                                                first,
                                                                                second,
                                                                                third,
                                                                                {in, is_first},
                                                                                {in, is_only_second},
                                                                                detail::Chunks(count, sizeof(T)),
                                                                                count * sizeof(T) >= detail::kStreamedBytes,
                                                                                &counts};
    detail::go_over_chunks(detail::executor_for<First, Second, Third>(detail::executor_of(more...)), job, job.chunks.count(),
                           detail::CountsOfTwo());
  }
  kept[0] = static_cast<Number>(counts.first);
  kept[1] = static_cast<Number>(counts.second);
}

}  // namespace upsweep::cpu
#endif
