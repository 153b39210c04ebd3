// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Partitions on a command queue: the elements for which a predicate is true, in their order, separated from the others.
//
//   partition_if             out begins with the first kind; the others fill it from the end, in reversed order
//   partition_by_flag        the same where flags[i] is not 0
//   stable_partition_if      two outputs, each in the order of the input and with room for n elements
//   stable_partition_by_flag
//
// in, n, kept, predicate, options as in select.h; no arrays overlap. `kept` becomes the number of elements of the first kind.
#pragma once

#include <upsweep/common/cpp20.h>
#ifdef UPSWEEP_CPP20
#include <upsweep/opencl/detail/compact_job.h>

namespace upsweep::opencl {

template <class... Given>
cl_int partition_if(const array &in, const array &out, const array &kept, const element_count &n, const function &predicate,
                    queue queue, const Given &...options) {
  return detail::run_compaction(queue, {detail::Marks::kPredicate, detail::Rejects::kEnd, in, in, out, out, kept, n, predicate},
                                detail::options_of<>(options...));
}

template <class... Given>
cl_int partition_by_flag(const array &in, const array &flags, const array &out, const array &kept, const element_count &n,
                         queue queue, const Given &...options) {
  return detail::run_compaction(queue, {detail::Marks::kFlags, detail::Rejects::kEnd, in, flags, out, out, kept, n, {}},
                                detail::options_of<>(options...));
}

template <class... Given>
cl_int stable_partition_if(const array &in, const array &out, const array &second, const array &kept, const element_count &n,
                           const function &predicate, queue queue, const Given &...options) {
  return detail::run_compaction(queue,
                                {detail::Marks::kPredicate, detail::Rejects::kSecond, in, in, out, second, kept, n, predicate},
                                detail::options_of<>(options...));
}

template <class... Given>
cl_int stable_partition_by_flag(const array &in, const array &flags, const array &out, const array &second, const array &kept,
                                const element_count &n, queue queue, const Given &...options) {
  return detail::run_compaction(queue, {detail::Marks::kFlags, detail::Rejects::kSecond, in, flags, out, second, kept, n, {}},
                                detail::options_of<>(options...));
}

}  // namespace upsweep::opencl
#endif
