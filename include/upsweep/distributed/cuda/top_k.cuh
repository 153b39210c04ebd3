// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The first k elements of a sort over GPUs, on each rank.
//
//   top_k_keys   out[0] to out[k - 1] are the first k keys of sort_keys (sort.cuh), in order
//   top_k_pairs  the same with values, as in sort_pairs
//
// `ranks`      communicator of GPUs (communicator.cuh).
// `in`, `out`  device pointers to this rank's n elements, and to k results, which do not overlap. See cuda/top_k.cuh.
// `k`          the same on all ranks, up to the number of all elements.
// `options`    descending.
//
// Each rank selects its first k elements, which all ranks receive and sort: k times the ranks elements. The host waits for the
// lengths of all parts. Errors: on all ranks, at once or at the next wait (communicator.cuh).
#pragma once

#include <upsweep/common/cpp20.h>
#ifdef UPSWEEP_CPP20
#include <upsweep/cuda/sort.cuh>
#include <upsweep/cuda/top_k.cuh>
#include <upsweep/distributed/cuda/detail/merge_parts.cuh>

namespace upsweep::distributed {

namespace detail {

// Gathers the first elements of all ranks without gaps; counts[r] of rank r, of which each has room for `most`.
template <class C, class T>
void gather_first(C &ranks, const T *own, T *padded, T *all, const std::vector<std::uint64_t> &counts, std::uint64_t most) {
  ranks.all_gather(own, padded, most * sizeof(T));
  std::uint64_t at = 0;
  for (std::size_t r = 0; r < counts.size(); ++r) {
    if (counts[r] > 0) {
      require_success(
          cudaMemcpyAsync(all + at, padded + r * most, counts[r] * sizeof(T), cudaMemcpyDeviceToDevice, ranks.stream()),
          "a copy");
    }
    at += counts[r];
  }
}

template <class C, class Key, class Value, class... Options>
void top_k_on_devices(C &ranks, const char *name, const Key *keys_in, Key *keys_out, const Value *values_in, Value *values_out,
                      std::uint64_t n, std::uint64_t k, const Options &...options) {
  constexpr bool kHasValues = !std::is_same_v<Value, gpu::NoValue>;
  DeviceCall<C> call(ranks, name, mix(types_hash<Key, Value, Options...>(), k));
  call.local([&] {
    const bool are_right = (n == 0 || (keys_in != nullptr && (!kHasValues || values_in != nullptr))) &&
                           (k == 0 || (keys_out != nullptr && (!kHasValues || values_out != nullptr)));
    return are_right ? cudaSuccess : cudaErrorInvalidValue;
  });
  auto counts = call.gather_on_host(n);
  std::uint64_t all = 0, most = 0, elements = 0;
  for (std::uint64_t &count : counts) {
    elements += count;
    count = std::min(count, k);
    all += count;
    most = std::max(most, count);
  }
  if (k > elements) {
    throw std::invalid_argument("upsweep::distributed: k is " + std::to_string(k) + ", but there are " +
                                std::to_string(elements) + " elements");
  }
  if (k == 0) {
    return;
  }
  DeviceArrays<Key, Value> own(ranks), padded(ranks), first(ranks), sorted(ranks);
  const std::uint64_t count = counts[call.rank()];
  call.local([&] {
    cudaError_t error = own.allocate(most);
    error = error == cudaSuccess ? padded.allocate(most * call.size()) : error;
    error = error == cudaSuccess ? first.allocate(all) : error;
    error = error == cudaSuccess ? sorted.allocate(all) : error;
    if (error != cudaSuccess || count == 0) {
      return error;
    }
    return with_memory(ranks, upsweep::cuda::top_k_workspace_bytes<Key>(n, count), [&](const auto &space) {
      if constexpr (kHasValues) {
        return upsweep::cuda::top_k_pairs(space, keys_in, own.keys(), values_in, own.values(), n, count, call.stream(),
                                          options...);
      } else {
        return upsweep::cuda::top_k_keys(space, keys_in, own.keys(), n, count, call.stream(), options...);
      }
    });
  });
  call.gather_on_host(0);  // all ranks have memory
  gather_first(ranks, own.keys(), padded.keys(), first.keys(), counts, most);
  if constexpr (kHasValues) {
    gather_first(ranks, own.values(), padded.values(), first.values(), counts, most);
  }
  call.local([&] {
    cudaError_t error = with_memory(ranks, upsweep::cuda::sort_workspace_bytes<Key, Value>(all), [&](const auto &space) {
      return gpu::sort<Key, Value>(space, first.keys(), sorted.keys(), first.values(), sorted.values(), gpu::count_of(all),
                                   options..., call.stream());
    });
    error = error == cudaSuccess
                ? cudaMemcpyAsync(keys_out, sorted.keys(), k * sizeof(Key), cudaMemcpyDeviceToDevice, call.stream())
                : error;
    if (kHasValues && error == cudaSuccess) {
      error = cudaMemcpyAsync(values_out, sorted.values(), k * sizeof(Value), cudaMemcpyDeviceToDevice, call.stream());
    }
    return error;
  });
}

}  // namespace detail

template <device_communicator C, class Key, class... Options>
void top_k_keys(C &ranks, const Key *in, Key *out, std::uint64_t n, std::uint64_t k, Options... options) {
  detail::top_k_on_devices<C, Key, detail::gpu::NoValue>(ranks, "top_k_keys", in, out, nullptr, nullptr, n, k, options...);
}

template <device_communicator C, class Key, class Value, class... Options>
void top_k_pairs(C &ranks, const Key *keys_in, Key *keys_out, const Value *values_in, Value *values_out, std::uint64_t n,
                 std::uint64_t k, Options... options) {
  detail::top_k_on_devices<C, Key, Value>(ranks, "top_k_pairs", keys_in, keys_out, values_in, values_out, n, k, options...);
}

}  // namespace upsweep::distributed
#endif
