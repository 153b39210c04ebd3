// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Histograms of an array of which each GPU has a part. Each rank receives the counts of all ranks.
//
//   histogram_even, histogram_of_levels, histogram_by   as in cuda/histogram.cuh
//
// `ranks`  communicator of GPUs (communicator.cuh). cuda/histogram.cuh explains the other arguments, here of this rank's part.
//          The bins are the same on all ranks.
//
// Each sample is read once, and the counts go to each rank. Nothing comes to the host. Sums of floating-point weights are added
// in the order of ranks. Errors: at the next wait (communicator.cuh).
#pragma once

#include <upsweep/common/cpp20.h>
#ifdef UPSWEEP_CPP20
#include <upsweep/cuda/histogram.cuh>
#include <upsweep/distributed/cuda/detail/call.cuh>

namespace upsweep::distributed {

namespace detail {

inline constexpr int kAddThreads = 256;

template <class Count>
__global__ void add_counts_kernel(const Count *all, Count *counts, std::uint64_t bins, unsigned ranks) {
  for (std::uint64_t b = blockIdx.x * static_cast<std::uint64_t>(kAddThreads) + threadIdx.x; b < bins;
       b += static_cast<std::uint64_t>(gridDim.x) * kAddThreads) {
    Count sum = all[b];
    for (unsigned r = 1; r < ranks; ++r) {
      sum = static_cast<Count>(sum + all[r * bins + b]);
    }
    counts[b] = sum;
  }
}

struct FinishNothing {
  RecordCheck check;
  __device__ void operator()(const Record *all) const { check(all); }
};

// Counts on each rank, and adds up `bins` counts of all ranks. The first message shows whether all ranks have counted.
template <class C, class Count, class Local>
void histogram_on_devices(C &ranks, const char *name, Count *counts, std::uint64_t bins, const Local &local) {
  DeviceCall<C> call(ranks, name, mix(types_hash<Count>(), bins));
  void *all = nullptr;
  call.gather(
      bins,
      [&] {
        cudaError_t error = local(call.stream());
        if (error == cudaSuccess) {
          error = ranks.allocate(&all, bins * ranks.size() * sizeof(Count));
        }
        return error != cudaSuccess
                   ? error
                   : gpu::launch(write_header_kernel<>, 1, 1, 0, call.stream(), ranks.own_record(), call.header(bins));
      },
      FinishNothing{call.check()});
  // A rank that has failed sends and receives in other memory, if it can.
  void *own = counts;
  if (ranks.failure() != cudaSuccess) {
    own = nullptr;
    if (all != nullptr) {
      ranks.free(all);
      all = nullptr;
    }
    if (ranks.allocate(&all, bins * (ranks.size() + 1) * sizeof(Count)) != cudaSuccess) {
      ranks.abort(std::string(name) + ": no memory for counts");
      throw device_error(cudaErrorMemoryAllocation, "upsweep::distributed: no memory for counts");
    }
    own = static_cast<Count *>(all) + bins * ranks.size();
  }
  ranks.all_gather(own, all, bins * sizeof(Count));
  call.local([&] {
    const auto blocks = static_cast<unsigned>(std::min<std::uint64_t>((bins + kAddThreads - 1) / kAddThreads, 1024));
    return gpu::launch(add_counts_kernel<Count>, blocks, kAddThreads, 0, call.stream(), static_cast<const Count *>(all), counts,
                       bins, ranks.size());
  });
  ranks.free(all);
}

template <class... Options>
constexpr std::uint64_t counted_channels() {
  constexpr int kCounted = (gpu::counted_of<Options> + ... + 0);
  return kCounted == 0 ? 1 : kCounted;
}

}  // namespace detail

template <device_communicator C, class In, class Count, class N, class Bound, class... Options>
void histogram_even(C &ranks, In in, Count *counts, N n, std::uint64_t bins, Bound lower, Bound upper, Options... options) {
  detail::histogram_on_devices(ranks, "histogram_even", counts, bins * detail::counted_channels<Options...>(),
                               [&](cudaStream_t stream) {
                                 return upsweep::cuda::histogram_even(in, counts, n, bins, lower, upper, stream, options...);
                               });
}

template <device_communicator C, class In, class Count, class N, class Levels, class... Options>
void histogram_of_levels(C &ranks, In in, Count *counts, N n, std::uint64_t bins, Levels levels, Options... options) {
  detail::histogram_on_devices(
      ranks, "histogram_of_levels", counts, bins * detail::counted_channels<Options...>(),
      [&](cudaStream_t stream) { return upsweep::cuda::histogram_of_levels(in, counts, n, bins, levels, stream, options...); });
}

template <device_communicator C, class In, class Count, class N, class F, class... Options>
void histogram_by(C &ranks, In in, Count *counts, N n, std::uint64_t bins, F bin_of, Options... options) {
  detail::histogram_on_devices(
      ranks, "histogram_by", counts, bins * detail::counted_channels<Options...>(),
      [&](cudaStream_t stream) { return upsweep::cuda::histogram_by(in, counts, n, bins, bin_of, stream, options...); });
}

}  // namespace upsweep::distributed
#endif
