// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs of equal neighbours of an array of which each GPU has a part, on the rank where a run begins.
//
//   run_length_encode   values[k] = the element of run k, lengths[k] = its length, also over the border to other ranks
//   reduce_by_key       out_keys[k] = the key of run k, totals[k] = the total of its values
//
// `ranks`    communicator of GPUs (communicator.cuh). cuda/run_length.cuh and cuda/reduce_by_key.cuh explain the other
// arguments,
//            here of this rank's part.
// `runs`     device pointer to a std::uint64_t, which becomes the number of runs that begin on this rank.
// `options`  the comparison of neighbours.
//
// As on one GPU, with room for n results, which are then copied to their places; one message of 256 bytes goes to each rank.
// Nothing comes to the host. Lengths are unsigned integers. Errors: at the next wait (communicator.cuh).
#pragma once

#include <upsweep/common/cpp20.h>
#ifdef UPSWEEP_CPP20
#include <upsweep/cuda/reduce_by_key.cuh>
#include <upsweep/cuda/run_length.cuh>
#include <upsweep/distributed/cuda/detail/run_parts.cuh>

namespace upsweep::distributed {

template <device_communicator C, class T, class Length, class... More>
void run_length_encode(C &ranks, const T *in, T *values, Length *lengths, std::uint64_t *runs, std::uint64_t n, More... more) {
  static_assert(std::is_unsigned_v<Length>, "upsweep: lengths are unsigned integers");
  const auto equal = detail::gpu::equal_of<T>(more...);
  detail::runs_on_devices(ranks, "run_length_encode", in, values, lengths, runs, n, equal, upsweep::cuda::plus{},
                          [&](const auto &space, T *to_values, Length *to_lengths, std::uint64_t *number) {
                            return upsweep::cuda::run_length_encode(space, in, to_values, to_lengths, number, n, equal,
                                                                    ranks.stream());
                          });
}

template <device_communicator C, class Key, class Values, class Total, class Op, class... More>
void reduce_by_key(C &ranks, const Key *keys, Values values, Key *out_keys, Total *totals, std::uint64_t *runs, std::uint64_t n,
                   Op op, More... more) {
  const auto equal = detail::gpu::equal_of<Key>(more...);
  detail::runs_on_devices(
      ranks, "reduce_by_key", keys, out_keys, totals, runs, n, equal, detail::gpu::known_operator<Total>(op),
      [&](const auto &space, Key *to_keys, Total *to_totals, std::uint64_t *number) {
        return upsweep::cuda::reduce_by_key(space, keys, values, to_keys, to_totals, number, n, op, equal, ranks.stream());
      });
}

}  // namespace upsweep::distributed
#endif
