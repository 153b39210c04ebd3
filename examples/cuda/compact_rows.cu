// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A scan inside your own kernel: each block moves the positive numbers of its row to the row's front, in order. An element's
// new place is the number of positive elements before it: an exclusive sum of flags, carried from tile to tile.
//
//     nvcc -std=c++17 -arch=native -I include examples/cuda/compact_rows.cu -o compact_rows && ./compact_rows
#include <upsweep/cuda/block.cuh>

#include <cstdio>
#include <vector>

namespace up = upsweep::cuda;

constexpr int kThreads = 256;
constexpr int kItems = 4;

__global__ void compact_rows(const int *in, int *out, int *kept, int columns) {
  using scan = up::block_scan<int, kThreads>;
  __shared__ scan::storage storage;
  scan place(storage);
  const int *row = in + static_cast<std::size_t>(blockIdx.x) * columns;
  int *result = out + static_cast<std::size_t>(blockIdx.x) * columns;

  up::running_total<int, up::plus> total{0, {}};
  for (int first = 0; first < columns; first += kThreads * kItems) {
    int flags[kItems], places[kItems];
    const int mine = first + static_cast<int>(threadIdx.x) * kItems;
    for (int i = 0; i < kItems; ++i) {
      flags[i] = mine + i < columns && row[mine + i] > 0;
    }
    place.exclusive_after(flags, places, up::plus{}, total);
    for (int i = 0; i < kItems; ++i) {
      if (flags[i] != 0) {
        result[places[i]] = row[mine + i];
      }
    }
  }
  // The callback ran in thread 0, which therefore has the total of all tiles.
  if (threadIdx.x == 0) {
    kept[blockIdx.x] = total.total;
  }
}

int main() {
  constexpr int kRows = 1000, kColumns = 5000;
  std::vector<int> values(static_cast<std::size_t>(kRows) * kColumns);
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = static_cast<int>(i * 2654435761u);
  }
  const std::size_t bytes = values.size() * sizeof(int);
  int *in = nullptr, *out = nullptr, *kept = nullptr;
  cudaMalloc(&in, bytes);
  cudaMalloc(&out, bytes);
  cudaMalloc(&kept, kRows * sizeof(int));
  cudaMemcpy(in, values.data(), bytes, cudaMemcpyHostToDevice);
  compact_rows<<<kRows, kThreads>>>(in, out, kept, kColumns);
  std::vector<int> results(values.size()), counts(kRows);
  cudaMemcpy(results.data(), out, bytes, cudaMemcpyDeviceToHost);
  cudaMemcpy(counts.data(), kept, kRows * sizeof(int), cudaMemcpyDeviceToHost);
  if (const cudaError_t error = cudaDeviceSynchronize(); error != cudaSuccess) {
    std::fprintf(stderr, "%s\n", cudaGetErrorString(error));
    return 1;
  }

  int wrong = 0;
  for (int r = 0; r < kRows; ++r) {
    const std::size_t start = static_cast<std::size_t>(r) * kColumns;
    int place = 0;
    for (int c = 0; c < kColumns; ++c) {
      if (values[start + c] > 0) {
        wrong += results[start + place++] != values[start + c];
      }
    }
    wrong += counts[r] != place;
  }
  std::printf("kept %d of %d in the first row, %d wrong\n", counts[0], kColumns, wrong);
  return wrong == 0 ? 0 : 1;
}
