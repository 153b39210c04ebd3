// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Extends a scan of a block to any size: scans each block and stores its total, scans the totals the same way, and adds the
// earlier total to each block. The scan of the totals is exclusive, so that block b adds entry b. Sources: Blelloch 1990; GPU
// Gems 3, chapter 39, section 39.2.4; document "GPU prefix sums", three-pass, which scans the totals exclusively but lets
// block b add entry b - 1.
#pragma once

#include "arguments.cuh"

namespace upsweep::cuda::ladder::detail {

// The totals of the blocks, of the blocks of totals, and so on, one level behind another in the workspace.
template <class T>
constexpr std::size_t sums_bytes(std::size_t n, std::size_t block) {
  std::size_t sums = 0;
  for (std::size_t blocks = divide_up(n, block); blocks > 1; blocks = divide_up(blocks, block)) {
    sums += blocks;
  }
  return sums * sizeof(T);
}

// Uniform add: entry b is added to every element of block b.
template <class T, class Op>
__global__ void uniform_add_kernel(T *out, std::size_t n, int block, const T *before, Op op) {
  const chunk_range range = block_chunk(n, block);
  const T precedes = before[blockIdx.x];
  for (int i = threadIdx.x; i < range.count; i += blockDim.x) {
    out[range.first + i] = op(precedes, out[range.first + i]);
  }
}

// scan_blocks(in, out, n, totals) launches the scan of each block of `block` elements; it stores their totals if that is not
// null.
template <class T, class Op, class ScanBlocks>
cudaError_t scan_by_sums(const T *in, T *out, std::size_t n, int block, T *sums, cudaStream_t stream, Op op,
                         ScanBlocks scan_blocks) {
  const std::size_t blocks = divide_up(n, block);
  scan_blocks(in, out, n, blocks > 1 ? sums : nullptr);
  if (const cudaError_t error = cudaPeekAtLastError(); error != cudaSuccess || blocks == 1) {
    return error;
  }
  const cudaError_t error = scan_by_sums<T>(sums, sums, blocks, block, sums + blocks, stream, op, scan_blocks);
  if (error != cudaSuccess) {
    return error;
  }
  uniform_add_kernel<<<static_cast<unsigned>(blocks), 256, 0, stream>>>(out, n, block, sums, op);
  return cudaPeekAtLastError();
}

}  // namespace upsweep::cuda::ladder::detail
