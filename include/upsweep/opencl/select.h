// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Selections on a command queue: the kept elements of an array, without gaps, in their order.
//
//   select_if          keeps x[i] where predicate(x[i]); the predicate's text is bool name(IN x)
//   select_by_flag     keeps x[i] where flags[i] is not 0
//   select_by_bit      keeps x[i] where bit i % 32 of bits[i / 32] is 1
//   select_by_stencil  keeps x[i] where predicate(stencil[i])
//   unique             keeps x[0], and x[i] where not equal(x[i - 1], x[i])
//   unique_by_key      keeps keys[0] and x[0], and keys[i] and x[i] where not equal(keys[i - 1], keys[i])
//
// `in`, `out`  arrays of n elements. They may be the same, and then the input is copied first; otherwise they must not overlap.
//              The outputs of unique_by_key must not be its inputs.
// `kept`       array of one integer, which becomes the number of kept elements.
// `n`          number of elements, up to 2^40.
// `equal`      up::function("same", "bool same(IN a, IN b) { ... }"); the default is ==.
// `options`    wait_for, signal.
//
// If the device permits a single launch, each input is read once and each kept element is written once; nothing is written
// behind them. Workspace and errors: scan.h.
#pragma once

#include <upsweep/common/cpp20.h>
#ifdef UPSWEEP_CPP20
#include <upsweep/opencl/detail/compact_job.h>

namespace upsweep::opencl {

template <class... Given>
cl_int select_if(const array &in, const array &out, const array &kept, const element_count &n, const function &predicate,
                 queue queue, const Given &...options) {
  return detail::run_compaction(queue,
                                {detail::Marks::kPredicate, detail::Rejects::kDropped, in, in, out, out, kept, n, predicate},
                                detail::options_of<>(options...));
}

template <class... Given>
cl_int select_by_flag(const array &in, const array &flags, const array &out, const array &kept, const element_count &n,
                      queue queue, const Given &...options) {
  return detail::run_compaction(queue, {detail::Marks::kFlags, detail::Rejects::kDropped, in, flags, out, out, kept, n, {}},
                                detail::options_of<>(options...));
}

template <class... Given>
cl_int select_by_bit(const array &in, const array &bits, const array &out, const array &kept, const element_count &n,
                     queue queue, const Given &...options) {
  if (bits.type != type_of<std::uint32_t>::value())
    return detail::fail(CL_INVALID_VALUE, "upsweep: bits must be in words of uint");
  return detail::run_compaction(queue, {detail::Marks::kBits, detail::Rejects::kDropped, in, bits, out, out, kept, n, {}},
                                detail::options_of<>(options...));
}

template <class... Given>
cl_int select_by_stencil(const array &in, const array &stencil, const array &out, const array &kept, const element_count &n,
                         const function &predicate, queue queue, const Given &...options) {
  return detail::run_compaction(queue,
                                {detail::Marks::kStencil, detail::Rejects::kDropped, in, stencil, out, out, kept, n, predicate},
                                detail::options_of<>(options...));
}

template <class... Given>
cl_int unique(const array &in, const array &out, const array &kept, const element_count &n, const function &equal, queue queue,
              const Given &...options) {
  return detail::run_compaction(queue,
                                {detail::Marks::kFirstOfRun, detail::Rejects::kDropped, in, in, out, out, kept, n, equal},
                                detail::options_of<>(options...));
}
template <class... Given>
cl_int unique(const array &in, const array &out, const array &kept, const element_count &n, queue queue,
              const Given &...options) {
  return opencl::unique(in, out, kept, n, function(), queue, options...);
}

template <class... Given>
cl_int unique_by_key(const array &keys, const array &in, const array &out_keys, const array &out, const array &kept,
                     const element_count &n, const function &equal, queue queue, const Given &...options) {
  return detail::run_compaction(queue,
                                {detail::Marks::kFirstOfRun, detail::Rejects::kKeys, in, keys, out, out_keys, kept, n, equal},
                                detail::options_of<>(options...));
}
template <class... Given>
cl_int unique_by_key(const array &keys, const array &in, const array &out_keys, const array &out, const array &kept,
                     const element_count &n, queue queue, const Given &...options) {
  return opencl::unique_by_key(keys, in, out_keys, out, kept, n, function(), queue, options...);
}

}  // namespace upsweep::opencl
#endif
