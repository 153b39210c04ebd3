// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Stream compaction by a scan of the flags (rung 6), in the two forms of the documents. Scatter: each kept element goes to the
// place that the scan gives. Gather and search, for GPUs that could not scatter: each place of the output searches the scan
// for its element, with log2(n) reads.
// Sources: GPU Gems 3, chapter 39, section 39.3.1; Horn 2005, "Stream Reduction Operations for GPGPU Applications".
#pragma once

#include "block_sums.cuh"

namespace upsweep::cuda::ladder {

// Bytes that a compaction of n elements needs: the scan, and its sums.
constexpr std::size_t compact_workspace(std::size_t n) { return (n + 3) / 4 * 16 + block_sums_workspace<std::uint32_t>(n); }

namespace detail {

inline constexpr int kCompactThreads = 256;

template <class T, class Predicate>
__global__ void flag_kept_kernel(const T *in, std::uint32_t *flags, std::size_t n, Predicate is_kept) {
  const std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < n) {
    flags[i] = is_kept(in[i]) ? 1 : 0;
  }
}

// kept_before is the exclusive scan of the flags.
template <class T, class Predicate>
__global__ void scatter_kept_kernel(const T *in, const std::uint32_t *kept_before, T *out, std::uint32_t *count, std::size_t n,
                                    Predicate is_kept) {
  const std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i >= n) {
    return;
  }
  const bool is = is_kept(in[i]);
  if (is) {
    out[kept_before[i]] = in[i];
  }
  if (i == n - 1) {
    *count = kept_before[i] + (is ? 1 : 0);
  }
}

template <class T, class Predicate>
__global__ void gather_kept_kernel(const T *in, const std::uint32_t *kept_before, T *out, std::uint32_t *count, std::size_t n,
                                   Predicate is_kept) {
  const std::size_t place = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  const std::size_t kept = kept_before[n - 1] + (is_kept(in[n - 1]) ? 1 : 0);
  if (place == 0) {
    *count = static_cast<std::uint32_t>(kept);
  }
  if (place >= kept) {
    return;
  }
  // The last index with `place` kept elements before it is the wanted element; removed elements in front of it have the same
  // count.
  std::size_t first = place, last = n - 1;
  while (first < last) {
    const std::size_t middle = first + (last - first + 1) / 2;
    if (kept_before[middle] <= place) {
      first = middle;
    } else {
      last = middle - 1;
    }
  }
  out[place] = in[first];
}

// finish(blocks, kept_before) launches the kernel behind the scan.
template <class T, class Predicate, class Finish>
cudaError_t compact(const T *in, T *out, std::uint32_t *count, std::size_t n, Predicate is_kept, cudaStream_t stream,
                    void *workspace, std::size_t workspace_bytes, Finish finish) {
  if (count == nullptr || n > 0xffffffff || (n > 0 && in == out)) {
    return cudaErrorInvalidValue;
  }
  cudaError_t error = check_arrays(in, out, n);
  if (error == cudaSuccess) {
    error = check_workspace(workspace, workspace_bytes, n == 0 ? 0 : compact_workspace(n));
  }
  if (error != cudaSuccess) {
    return error;
  }
  if (n == 0) {
    return cudaMemsetAsync(count, 0, sizeof *count, stream);
  }
  auto *const flags = static_cast<std::uint32_t *>(workspace);
  const auto blocks = static_cast<unsigned>(divide_up(n, kCompactThreads));
  flag_kept_kernel<<<blocks, kCompactThreads, 0, stream>>>(in, flags, n, is_kept);
  error = block_sums(flags, flags, n, stream, flags + (n + 3) / 4 * 4, block_sums_workspace<std::uint32_t>(n));
  if (error == cudaSuccess) {
    finish(blocks, flags);
    error = cudaPeekAtLastError();
  }
  return error;
}

}  // namespace detail

// The elements for which the predicate holds, in their order; *count is their number, on the device. n <= 2^32 - 1; `out` has
// room for them, and is not `in`. See arguments.cuh.
template <class T, class Predicate>
cudaError_t compact_by_scatter(const T *in, T *out, std::uint32_t *count, std::size_t n, Predicate is_kept, cudaStream_t stream,
                               void *workspace, std::size_t workspace_bytes) {
  return detail::compact(
      in, out, count, n, is_kept, stream, workspace, workspace_bytes, [&](unsigned blocks, const std::uint32_t *kept_before) {
        detail::scatter_kept_kernel<<<blocks, detail::kCompactThreads, 0, stream>>>(in, kept_before, out, count, n, is_kept);
      });
}
template <class T, class Predicate>
cudaError_t compact_by_gather(const T *in, T *out, std::uint32_t *count, std::size_t n, Predicate is_kept, cudaStream_t stream,
                              void *workspace, std::size_t workspace_bytes) {
  return detail::compact(
      in, out, count, n, is_kept, stream, workspace, workspace_bytes, [&](unsigned blocks, const std::uint32_t *kept_before) {
        detail::gather_kept_kernel<<<blocks, detail::kCompactThreads, 0, stream>>>(in, kept_before, out, count, n, is_kept);
      });
}

}  // namespace upsweep::cuda::ladder
