// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Summed-area tables of and into floating-point numbers: exact for sums that are whole numbers, close for others, with the
// same bits in every run. One table has more than 2^32 elements.
#include "summed_area_check.h"

#include <cuda_fp16.h>

#include <cmath>

namespace upsweep::test {

namespace {

constexpr std::size_t kSpaceBytes = 32 << 20;

template <class In, class Sum>
void check_type(bool is_all) {
  const AreaSpace space(kSpaceBytes);
  for (std::uint64_t channels = 1; channels <= 4; ++channels) {
    for (const auto &[height, width] :
         std::vector<std::pair<std::uint64_t, std::uint64_t>>{{1, 1}, {33, 65}, {65, 129}, {64, 128}, {131, 300}}) {
      check_table<In, Sum>(space, {{height, width, channels}, channels % 2 == 0});
      check_table<In, Sum>(space, {{height, width, channels}, channels % 2 == 1});
    }
    if (is_all) {
      check_table<In, Sum>(space, {{700, 500, channels, 2048, 2112, 2}, channels % 2 == 0, 3, 1});
    }
  }
}

}  // namespace

UPSWEEP_TEST(GivenHalves_WhenSummedInFloats_ThenAsOnTheHost) { check_type<__half, float>(false); }
UPSWEEP_TEST(GivenFloats_WhenSummedInFloats_ThenAsOnTheHost) { check_type<float, float>(true); }
UPSWEEP_TEST(GivenFloats_WhenSummedInDoubles_ThenAsOnTheHost) { check_type<float, double>(true); }
UPSWEEP_TEST(GivenWordsOf16Bits_WhenSummedInDoubles_ThenAsOnTheHost) { check_type<std::uint16_t, double>(false); }

UPSWEEP_TEST(GivenFractions_WhenSummed_ThenCloseAndTheSameFromRunToRun) {
  const AreaSpace space(kSpaceBytes);
  const cuda::image_shape of{1500, 2500};
  std::vector<float> pixels(of.height * of.width);
  std::uniform_real_distribution<float> any(0, 1);
  for (float &pixel : pixels) {
    pixel = any(generator());
  }
  const std::vector<double> exact = summed_on_host<double>(Shape{of}, pixels, Same());
  DeviceArray<float> in(pixels), out(pixels.size());
  std::vector<float> first;
  for (int run = 0; run < 10; ++run) {
    out.poison();
    UPSWEEP_CUDA(cuda::summed_area_table(space.get(), in.data(), out.data(), of));
    const std::vector<float> found = out.download();
    if (run == 0) {
      first = found;
      double worst = 0;
      for (std::size_t i = 0; i < found.size(); ++i) {
        worst = std::max(worst, std::abs(found[i] - exact[i]) / exact[i]);
      }
      UPSWEEP_CHECK(worst < 2e-6);
    }
    check_same(found, first, "again");
  }
}

namespace {

// The sums of an image of ones are (y + 1) * (x + 1), modulo 2^32.
__global__ void check_ones_kernel(const std::uint32_t *table, std::uint64_t height, std::uint64_t width,
                                  unsigned long long *wrong) {
  for (std::uint64_t i = blockIdx.x * std::uint64_t(blockDim.x) + threadIdx.x; i < height * width;
       i += std::uint64_t(gridDim.x) * blockDim.x) {
    const std::uint64_t expected = (i / width + 1) * (i % width + 1);
    if (table[i] != static_cast<std::uint32_t>(expected)) {
      atomicAdd(wrong, 1ull);
    }
  }
}

}  // namespace

UPSWEEP_TEST(GivenMoreThan2To32Pixels_WhenSummed_ThenSumsWrap) {
  const cuda::image_shape of{70001, 65521};
  const std::uint64_t pixels = of.height * of.width;
  const std::size_t bytes = cuda::summed_area_workspace_bytes<std::uint32_t>(of);
  std::size_t free = 0, all = 0;
  UPSWEEP_CUDA(cudaMemGetInfo(&free, &all));
  if (free < pixels * 5 + bytes + (std::size_t(1) << 30)) {
    std::printf("not run: too little memory\n");
    return;
  }
  DeviceArray<std::uint8_t> in(pixels), memory(bytes);
  DeviceArray<std::uint32_t> out(pixels);
  DeviceArray<unsigned long long> wrong(std::vector<unsigned long long>(1, 0));
  const cuda::workspace space{memory.data(), bytes};
  UPSWEEP_CUDA(cudaMemset(in.data(), 1, pixels));
  UPSWEEP_CUDA(cuda::initialise(space));
  UPSWEEP_CUDA(cuda::summed_area_table(space, in.data(), out.data(), of));
  check_ones_kernel<<<4096, 256>>>(out.data(), of.height, of.width, wrong.data());
  UPSWEEP_CHECK(wrong.download()[0] == 0);
}

}  // namespace upsweep::test
