// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Blocks with their own strips or batches, which advance at the same pace (device/axis_pace.cuh).
#include "scan_check.h"

#include <upsweep/cuda/axis.cuh>

using namespace upsweep::test;

namespace {

cuda::axis shape_of(std::size_t batches, std::size_t length, std::size_t inner) {
  cuda::axis of;
  of.batches = batches;
  of.length = length;
  of.inner = inner;
  return of;
}

std::vector<std::uint32_t> sums_of(const cuda::axis &of, const std::vector<std::uint32_t> &values) {
  std::vector<std::uint32_t> sums = values;
  for (std::size_t row = 0; row < of.batches * of.length; ++row) {
    for (std::size_t i = 0; i < of.inner && row % of.length > 0; ++i) {
      sums[row * of.inner + i] += sums[(row - 1) * of.inner + i];
    }
  }
  return sums;
}

std::size_t blocks() {
  cuda::detail::DeviceLimits limits;
  UPSWEEP_CUDA(cuda::detail::DeviceLimits::of_current(limits));
  return limits.multiprocessors;
}

// Boxes: strips that several blocks share; one strip for each block, and a few less, narrow or wide; one strip more than
// blocks, so that some blocks have twice as many tiles. Then batches: about one for each block, and one more.
std::vector<cuda::axis> shapes() {
  const std::size_t length = is_short_run() ? 300 : 1500;
  std::vector<cuda::axis> all;
  for (const std::size_t inner :
       {40 * blocks() - 280, 48 * blocks(), 64 * blocks() - 4, 76 * blocks() - 32, 128 * blocks() + 64}) {
    all.push_back(shape_of(1, length, inner));
    if (!is_short_run()) {
      all.push_back(shape_of(3, length / 2, inner));
    }
  }
  if (!is_short_run()) {
    all.push_back(shape_of(1, 9000, 1000));
    all.push_back(shape_of(1, 9001, 1500));
  }
  for (const std::size_t batches : {blocks(), blocks() - 2, 2 * blocks() - 1}) {
    all.push_back(shape_of(batches, is_short_run() ? 400 : 1000, 64));
    all.push_back(shape_of(batches, 70, 300));
  }
  return all;
}

void check(const cuda::axis &of, Space &space) {
  const std::vector<std::uint32_t> values = scan_values<std::uint32_t>(of.batches * of.length * of.inner);
  Placed<std::uint32_t> in(values, 0), out(values.size(), 0);
  UPSWEEP_CUDA(cuda::inclusive_sum_of_axis(space, in.data(), out.data(), of));
  expect_same(std::to_string(of.batches) + " x " + std::to_string(of.length) + " x " + std::to_string(of.inner), out.download(),
              sums_of(of, values));
  UPSWEEP_CHECK(out.surroundings_are_intact());
}

// Occupies every other multiprocessor until the host ends it.
__global__ void occupy(const volatile int *is_over) {
  while (*is_over == 0) {
  }
}

class Occupation {
public:
  Occupation() {
    constexpr int kSharedBytes = 200 * 1024;
    UPSWEEP_CUDA(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
    UPSWEEP_CUDA(cudaMallocHost(&is_over_, sizeof(int)));
    *is_over_ = 0;
    UPSWEEP_CUDA(cudaFuncSetAttribute(occupy, cudaFuncAttributeMaxDynamicSharedMemorySize, kSharedBytes));
    occupy<<<static_cast<unsigned>(blocks() / 2), 32, kSharedBytes, stream_>>>(is_over_);
    UPSWEEP_CUDA(cudaGetLastError());
  }
  Occupation(const Occupation &) = delete;
  Occupation &operator=(const Occupation &) = delete;
  ~Occupation() {
    *is_over_ = 1;
    UPSWEEP_CUDA(cudaStreamSynchronize(stream_));
    UPSWEEP_CUDA(cudaFreeHost(is_over_));
    UPSWEEP_CUDA(cudaStreamDestroy(stream_));
  }
  bool goes_on() const { return cudaStreamQuery(stream_) == cudaErrorNotReady; }

private:
  cudaStream_t stream_;
  int *is_over_ = nullptr;
};

}  // namespace

UPSWEEP_TEST(GivenBlocksOfTheirOwnStrips_WhenKeptTogether_ThenResultsAreRightAndNothingIsLeftForTheNextCall) {
  for (const cuda::axis &of : shapes()) {
    Space space(cuda::axis_scan_workspace_bytes<std::uint32_t>(of));
    for (int call = 0; call < 2; ++call) {
      check(of, space);
      UPSWEEP_CHECK(space.steps_begun() == 0);
    }
  }
}

// Running blocks must not wait for blocks that cannot run yet.
UPSWEEP_TEST(GivenAGpuWithOtherWork_WhenBlocksCannotRun_ThenOthersDoNotWaitForThem) {
  for (const cuda::axis &of : {shape_of(1, 1500, 128 * blocks()), shape_of(2 * blocks(), 1000, 64)}) {
    const std::vector<std::uint32_t> values = scan_values<std::uint32_t>(of.batches * of.length * of.inner);
    Placed<std::uint32_t> in(values, 0), out(values.size(), 0);
    Space space(cuda::axis_scan_workspace_bytes<std::uint32_t>(of));
    UPSWEEP_CUDA(cudaDeviceSynchronize());
    cudaStream_t stream;
    UPSWEEP_CUDA(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    {
      const Occupation occupation;
      UPSWEEP_CUDA(cuda::inclusive_sum_of_axis(space, in.data(), out.data(), of, stream));
      UPSWEEP_CUDA(cudaStreamSynchronize(stream));
      UPSWEEP_CHECK(occupation.goes_on());
    }
    UPSWEEP_CUDA(cudaStreamDestroy(stream));
    expect_same("beside other work", out.download(), sums_of(of, values));
    UPSWEEP_CHECK(space.steps_begun() == 0);
  }
}
