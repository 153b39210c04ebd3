// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A device-wide scan: it turns the lengths of a sparse matrix's rows into offsets: the begin of each row, and the matrix's end.
// No call waits for the host, and calls share the workspace.
//
//     nvcc -std=c++17 -arch=native -I include examples/cuda/scan_device.cu -o scan_device && ./scan_device
#include <upsweep/cuda/scan.cuh>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace up = upsweep::cuda;

namespace {

// Turns n lengths into n + 1 offsets.
cudaError_t offsets_of_rows(const up::workspace &space, const std::uint32_t *lengths, std::uint64_t *offsets, std::size_t rows,
                            cudaStream_t stream) {
  // The sum has 64 bits, like the initial value, although lengths have 32.
  return up::exclusive_scan(space, lengths, offsets, rows, up::plus{}, std::uint64_t(0), stream, up::total_to(offsets + rows));
}

void require(cudaError_t error) {
  if (error != cudaSuccess) {
    std::fprintf(stderr, "%s\n", cudaGetErrorString(error));
    std::exit(1);
  }
}

}  // namespace

int main() {
  constexpr std::size_t kRows = 10'000'000;
  std::vector<std::uint32_t> lengths(kRows);
  for (std::size_t i = 0; i < kRows; ++i) {
    lengths[i] = static_cast<std::uint32_t>(i * 2654435761u) >> 20;
  }
  std::uint32_t *device_lengths = nullptr;
  std::uint64_t *device_offsets = nullptr;
  up::workspace space;
  space.bytes = up::scan_workspace_bytes<std::uint64_t>(kRows);
  require(cudaMalloc(&device_lengths, kRows * sizeof(std::uint32_t)));
  require(cudaMalloc(&device_offsets, (kRows + 1) * sizeof(std::uint64_t)));
  require(cudaMalloc(&space.data, space.bytes));
  require(up::initialise(space));
  require(cudaMemcpy(device_lengths, lengths.data(), kRows * sizeof(std::uint32_t), cudaMemcpyHostToDevice));

  for (int call = 0; call < 3; ++call) {
    require(offsets_of_rows(space, device_lengths, device_offsets, kRows, nullptr));
  }
  std::vector<std::uint64_t> offsets(kRows + 1);
  require(cudaMemcpy(offsets.data(), device_offsets, offsets.size() * sizeof(std::uint64_t), cudaMemcpyDeviceToHost));

  std::size_t wrong = 0;
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < kRows; ++i) {
    wrong += offsets[i] != sum;
    sum += lengths[i];
  }
  wrong += offsets[kRows] != sum;
  std::printf("%zu rows have %llu elements, %zu offsets are wrong\n", kRows, static_cast<unsigned long long>(offsets[kRows]),
              wrong);
  return wrong == 0 ? 0 : 1;
}
