// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Radix sorts of 2^31 + 5 and 2^32 + 5 keys, if there is enough memory: results are in order, and contain the same keys.
#include "sort_check.h"

#include <upsweep/cuda/segmented_sort.cuh>

namespace upsweep::test {

namespace {

__device__ std::uint32_t mixed(std::uint64_t x) {
  x = (x + 1) * 0x9e3779b97f4a7c15u;
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
  x = (x ^ x >> 27) * 0x94d049bb133111ebu;
  return static_cast<std::uint32_t>(x >> 31);
}
__global__ void fill_kernel(std::uint32_t *keys, std::uint64_t n) {
  for (std::uint64_t i = blockIdx.x * std::uint64_t(blockDim.x) + threadIdx.x; i < n;
       i += std::uint64_t(gridDim.x) * blockDim.x) {
    keys[i] = mixed(i);
  }
}
// The number of keys that are less than their predecessor, and two sums over all keys.
__global__ void check_kernel(const std::uint32_t *keys, std::uint64_t n, unsigned long long *result) {
  unsigned long long wrong = 0, sum = 0, mixed_sum = 0;
  for (std::uint64_t i = blockIdx.x * std::uint64_t(blockDim.x) + threadIdx.x; i < n;
       i += std::uint64_t(gridDim.x) * blockDim.x) {
    wrong += i > 0 && keys[i] < keys[i - 1] ? 1 : 0;
    sum += keys[i];
    mixed_sum += mixed(keys[i]);
  }
  atomicAdd(result, wrong);
  atomicAdd(result + 1, sum);
  atomicAdd(result + 2, mixed_sum);
}

std::vector<unsigned long long> checked(const std::uint32_t *keys, std::uint64_t n) {
  DeviceArray<unsigned long long> result(std::vector<unsigned long long>{0, 0, 0});
  check_kernel<<<2048, 256>>>(keys, n, result.data());
  return result.download();
}

class Memory {
public:
  explicit Memory(std::size_t bytes) {
    if (cudaMalloc(&data_, bytes) != cudaSuccess) {
      static_cast<void>(cudaGetLastError());
      data_ = nullptr;
    }
  }
  Memory(const Memory &) = delete;
  Memory &operator=(const Memory &) = delete;
  ~Memory() { cudaFree(data_); }
  void *data() const { return data_; }

private:
  void *data_ = nullptr;
};

// sort(workspace, in, out) sorts n keys.
template <class Sort>
void check_huge(std::uint64_t n, std::size_t space_bytes, const Sort &sort) {
  const Memory in(n * 4), out(n * 4), space(space_bytes);
  if (in.data() == nullptr || out.data() == nullptr || space.data() == nullptr) {
    std::printf("not run: too little memory for %llu keys\n", static_cast<unsigned long long>(n));
    return;
  }
  auto *const keys = static_cast<std::uint32_t *>(in.data());
  auto *const sorted = static_cast<std::uint32_t *>(out.data());
  fill_kernel<<<2048, 256>>>(keys, n);
  UPSWEEP_CUDA(cudaMemset(sorted, 0, n * 4));
  UPSWEEP_CUDA(sort(cuda::workspace{space.data(), space_bytes}, static_cast<const std::uint32_t *>(keys), sorted));
  const auto before = checked(keys, n), after = checked(sorted, n);
  UPSWEEP_CHECK(after[0] == 0 && before[0] > 0);
  UPSWEEP_CHECK(after[1] == before[1] && after[2] == before[2]);
}

}  // namespace

UPSWEEP_TEST(GivenMoreThan31And32Bits_WhenSorted_ThenInOrder) {
  for (const std::uint64_t n : {(std::uint64_t(1) << 31) + 5, (std::uint64_t(1) << 32) + 5}) {
    check_huge(n, cuda::sort_workspace_bytes<std::uint32_t>(n),
               [n](const cuda::workspace &space, const std::uint32_t *in, std::uint32_t *out) {
                 return cuda::sort_keys(space, in, out, n);
               });
  }
}

UPSWEEP_TEST(GivenASegmentOfMoreThan32Bits_WhenSorted_ThenInOrder) {
  const std::uint64_t n = (std::uint64_t(1) << 32) + 5;
  DeviceArray<std::uint64_t> offsets(std::vector<std::uint64_t>{0, n});
  check_huge(n, cuda::sort_segments_workspace_bytes<std::uint32_t>(n, 1),
             [&](const cuda::workspace &space, const std::uint32_t *in, std::uint32_t *out) {
               return cuda::sort_keys_of_segments(space, in, out, n, offsets.data(), 1);
             });
}

}  // namespace upsweep::test
