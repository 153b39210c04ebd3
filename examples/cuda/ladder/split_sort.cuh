// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A radix sort by single bits, the first application of a scan. `split` moves the keys whose bit is 0 before the keys whose
// bit is 1, and otherwise keeps their order. An exclusive scan of the zeros gives the place of each key with a 0; a key with a
// 1 at index i moves behind all zeros, in order. A sort by 32 bits is 32 splits, each of which flags, scans (rung 6) and
// scatters: 14n words of memory traffic for a bit. Sources: Blelloch 1990; GPU Gems 3, chapter 39, section 39.3.3; document
// "GPU prefix sums", radix sort.
#pragma once

#include "block_sums.cuh"

namespace upsweep::cuda::ladder {

// Bytes that split_sort needs for n keys: the flags, a second array of keys, and the sums of the scan.
constexpr std::size_t split_sort_workspace(std::size_t n) {
  return 2 * ((n + 3) / 4 * 16) + block_sums_workspace<std::uint32_t>(n);
}

namespace detail {

inline constexpr int kSplitThreads = 256;
inline constexpr std::size_t kSplitMost = 0xffffffff;  // places have 32 bits

template <class Key>
__global__ void flag_zeros_kernel(const Key *keys, std::uint32_t *flags, std::size_t n, int bit) {
  const std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < n) {
    flags[i] = ~(keys[i] >> bit) & 1;
  }
}

// zeros_before is the exclusive scan of the flags.
template <class Key>
__global__ void scatter_by_bit_kernel(const Key *keys, const std::uint32_t *zeros_before, Key *out, std::size_t n, int bit) {
  const std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i >= n) {
    return;
  }
  const Key key = keys[i];
  const std::size_t before = zeros_before[i];
  const std::size_t zeros = zeros_before[n - 1] + (~(keys[n - 1] >> bit) & 1);
  out[(key >> bit & 1) == 0 ? before : i - before + zeros] = key;
}

template <class T>
T *aligned_to_quads(T *pointer) {
  return reinterpret_cast<T *>((reinterpret_cast<std::uintptr_t>(pointer) + 15) / 16 * 16);
}

}  // namespace detail

// n <= 2^32 - 1 keys; out may be in. See arguments.cuh.
inline cudaError_t split_sort(const std::uint32_t *in, std::uint32_t *out, std::size_t n, cudaStream_t stream, void *workspace,
                              std::size_t workspace_bytes) {
  if (n > detail::kSplitMost) {
    return cudaErrorInvalidValue;
  }
  cudaError_t error = detail::check_arrays(in, out, n);
  if (error == cudaSuccess) {
    error = detail::check_workspace(workspace, workspace_bytes, n == 0 ? 0 : split_sort_workspace(n));
  }
  if (error != cudaSuccess || n == 0) {
    return error;
  }
  auto *const flags = static_cast<std::uint32_t *>(workspace);
  std::uint32_t *const other = detail::aligned_to_quads(flags + n);
  std::uint32_t *const sums = detail::aligned_to_quads(other + n);
  const auto blocks = static_cast<unsigned>(detail::divide_up(n, detail::kSplitThreads));
  const std::uint32_t *from = in;
  for (int bit = 0; bit < 32 && error == cudaSuccess; ++bit) {
    std::uint32_t *const to = bit % 2 == 0 ? other : out;  // the last one is `out`
    detail::flag_zeros_kernel<<<blocks, detail::kSplitThreads, 0, stream>>>(from, flags, n, bit);
    error = block_sums(flags, flags, n, stream, sums, block_sums_workspace<std::uint32_t>(n));
    if (error == cudaSuccess) {
      detail::scatter_by_bit_kernel<<<blocks, detail::kSplitThreads, 0, stream>>>(from, flags, to, n, bit);
      error = cudaPeekAtLastError();
    }
    from = to;
  }
  return error;
}

}  // namespace upsweep::cuda::ladder
