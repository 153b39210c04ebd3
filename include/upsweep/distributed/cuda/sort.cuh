// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sorts of an array of which each GPU has a part: stable over all ranks, divided at exact places.
//
//   sort_keys         sorts keys
//   sort_pairs        sorts keys, and moves the value of each with it
//   merge_sort        sorts elements by a comparison
//   merge_sort_pairs  sorts keys by a comparison, and moves the value of each with it
//
// `ranks`      communicator of GPUs (communicator.cuh).
// `in`, `out`  device pointers to this rank's n elements, and to its part of the result; they may be the same.
// `options`    of cuda/sort.cuh: descending, key_bits, by_members; of merge_sort: less. part_of(m): this rank gets m
//              elements, by default n.
//
// Each rank sorts its part. The places that divide all parts are found in about four messages of some kilobytes; then each
// element is sent to its rank, once, and merged there in log2(ranks) passes. The exchange is divided, and parts of it are
// merged while the next ones travel. A rank allocates up to three arrays of the size of its part, and the workspace of a sort.
//
// The host waits for the lengths that are exchanged; the merges are queued. Errors: on all ranks, at once or at the next wait
// (communicator.cuh).
#pragma once

#include <upsweep/common/cpp20.h>
#ifdef UPSWEEP_CPP20
#include <upsweep/distributed/cuda/detail/sort_parts.cuh>

namespace upsweep::distributed {

template <device_communicator C, class Key, class... Options>
void sort_keys(C &ranks, const Key *in, Key *out, std::uint64_t n, Options... options) {
  detail::radix_sort_on_devices<C, Key, detail::gpu::NoValue>(ranks, "sort_keys", in, out, nullptr, nullptr, n, options...);
}

template <device_communicator C, class Key, class Value, class... Options>
void sort_pairs(C &ranks, const Key *keys_in, Key *keys_out, const Value *values_in, Value *values_out, std::uint64_t n,
                Options... options) {
  detail::radix_sort_on_devices<C, Key, Value>(ranks, "sort_pairs", keys_in, keys_out, values_in, values_out, n, options...);
}

template <device_communicator C, class Key, class... Options>
void merge_sort(C &ranks, const Key *in, Key *out, std::uint64_t n, Options... options) {
  detail::merge_sort_on_devices<C, Key, detail::gpu::NoValue>(ranks, "merge_sort", in, out, nullptr, nullptr, n, options...);
}

template <device_communicator C, class Key, class Value, class... Options>
void merge_sort_pairs(C &ranks, const Key *keys_in, Key *keys_out, const Value *values_in, Value *values_out, std::uint64_t n,
                      Options... options) {
  detail::merge_sort_on_devices<C, Key, Value>(ranks, "merge_sort_pairs", keys_in, keys_out, values_in, values_out, n,
                                               options...);
}

}  // namespace upsweep::distributed
#endif
