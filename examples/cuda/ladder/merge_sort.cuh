// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A merge sort in the form of the first GPUs with shared memory. Blocks sort chunks of kSortChunk keys by 32 splits in shared
// memory. Then each block merges a pair of sorted runs, for log2(n / kSortChunk) passes, until one run is left. The last pass
// occupies a single block.
//
// A merge holds the next p keys of both runs in shared memory. The smaller of key i of the first run and key p - 1 - i of the
// second, for all i, are the p smallest keys. They rise and then fall, or the reverse: a bitonic sequence, which log2(p) steps
// sort. Each run is refilled with as many keys as it gave, so that each key is read once in a pass.
// Sources: GPU Gems 3, chapter 39, section 39.3.3; Batcher 1968, "Sorting Networks and their Applications".
#pragma once

#include "block_from_warps.cuh"

namespace upsweep::cuda::ladder {

inline constexpr int kSortChunk = 1024;   // a key a thread
inline constexpr int kMergeWindow = 512;  // p

// Bytes that merge_sort needs for n keys: a second array.
constexpr std::size_t merge_sort_workspace(std::size_t n) { return n <= kSortChunk ? 0 : n * sizeof(std::uint32_t); }

namespace detail {

inline constexpr std::uint32_t kBehindAll = 0xffffffff;

// Sorts each chunk separately.
template <class Key>
__global__ void __launch_bounds__(kSortChunk) sort_chunks_kernel(const Key *in, Key *out, std::size_t n) {
  __shared__ Key keys[kSortChunk];
  const chunk_range range = block_chunk(n, kSortChunk);
  const int i = threadIdx.x;
  keys[i] = i < range.count ? in[range.first + i] : kBehindAll;
  __syncthreads();
  for (int bit = 0; bit < 32; ++bit) {
    const Key key = keys[i];
    const int is_zero = (key >> bit & 1) == 0;
    int zeros = is_zero;
    const int before = scan_block_from_warps(is_zero, plus{}, zeros);
    keys[is_zero ? before : i - before + zeros] = key;
    __syncthreads();
  }
  if (i < range.count) {
    out[range.first + i] = keys[i];
  }
}

// The next kMergeWindow keys of a run, in a ring; behind the run's end are keys that sort last.
template <class Key>
struct merge_window {
  const Key *run;
  std::size_t length, read;
  Key *ring;
  int head;

  __device__ void refill(int count) {
    const int i = threadIdx.x;
    if (i < count) {
      ring[(head + i) % kMergeWindow] = read + i < length ? run[read + i] : kBehindAll;
    }
    head = (head + count) % kMergeWindow;
    read += count;
  }
  __device__ Key at(int i) const { return ring[(head + i) % kMergeWindow]; }
};

// Merges pairs of sorted runs of `width` keys into runs of 2 width keys. The last run may be shorter.
template <class Key>
__global__ void __launch_bounds__(kMergeWindow) merge_runs_kernel(const Key *in, Key *out, std::size_t n, std::size_t width) {
  __shared__ Key rings[2][kMergeWindow], merged[kMergeWindow];
  const std::size_t first = blockIdx.x * 2 * width;
  const std::size_t middle = min(first + width, n), end = min(middle + width, n);
  merge_window<Key> a{in + first, middle - first, 0, rings[0], 0};
  merge_window<Key> b{in + middle, end - middle, 0, rings[1], 0};
  a.refill(kMergeWindow);
  b.refill(kMergeWindow);
  const int i = threadIdx.x;
  for (std::size_t done = first; done < end; done += kMergeWindow) {
    __syncthreads();
    const Key left = a.at(i), right = b.at(kMergeWindow - 1 - i);
    const bool is_left = left <= right;
    merged[i] = is_left ? left : right;
    const int from_a = __syncthreads_count(is_left);
    for (int distance = kMergeWindow / 2; distance > 0; distance /= 2) {
      const int partner = i ^ distance;
      if (partner > i && merged[i] > merged[partner]) {
        const Key smaller = merged[partner];
        merged[partner] = merged[i];
        merged[i] = smaller;
      }
      __syncthreads();
    }
    if (done + i < end) {
      out[done + i] = merged[i];
    }
    a.refill(from_a);
    b.refill(kMergeWindow - from_a);
  }
}

}  // namespace detail

// n keys; out may be in. See arguments.cuh.
inline cudaError_t merge_sort(const std::uint32_t *in, std::uint32_t *out, std::size_t n, cudaStream_t stream, void *workspace,
                              std::size_t workspace_bytes) {
  cudaError_t error = detail::check_chunks(in, out, n, kSortChunk, kSortChunk);
  if (error == cudaSuccess) {
    error = detail::check_workspace(workspace, workspace_bytes, merge_sort_workspace(n));
  }
  if (error != cudaSuccess || n == 0) {
    return error;
  }
  int passes = 0;
  for (std::size_t width = kSortChunk; width < n; width *= 2) {
    ++passes;
  }
  // Chosen so that the last pass writes `out`.
  auto *const other = static_cast<std::uint32_t *>(workspace);
  std::uint32_t *from = passes % 2 == 0 ? out : other, *to = passes % 2 == 0 ? other : out;
  const auto chunks = static_cast<unsigned>(detail::divide_up(n, kSortChunk));
  detail::sort_chunks_kernel<<<chunks, kSortChunk, 0, stream>>>(in, from, n);
  error = cudaPeekAtLastError();
  for (std::size_t width = kSortChunk; width < n && error == cudaSuccess; width *= 2) {
    const auto pairs = static_cast<unsigned>(detail::divide_up(n, 2 * width));
    detail::merge_runs_kernel<<<pairs, kMergeWindow, 0, stream>>>(from, to, n, width);
    error = cudaPeekAtLastError();
    std::uint32_t *const written = to;
    to = from;
    from = written;
  }
  return error;
}

}  // namespace upsweep::cuda::ladder
