// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The documents' summed-area table of an RGB8 image against sums on the host, and the errors for bad arguments.
#include "check.h"

#include <ladder/summed_area.cuh>

namespace upsweep::test {

namespace {

namespace ladder = cuda::ladder;

std::vector<float4> summed(const std::vector<unsigned char> &in, std::size_t height, std::size_t width) {
  std::vector<float4> table(height * width);
  for (std::size_t y = 0; y < height; ++y) {
    std::uint64_t row[3] = {};
    for (std::size_t x = 0; x < width; ++x) {
      float sums[3];
      for (int k = 0; k < 3; ++k) {
        row[k] += in[3 * (y * width + x) + k];
        sums[k] = static_cast<float>(row[k]);
      }
      const float4 above = y > 0 ? table[x * height + y - 1] : float4{};
      table[x * height + y] = {above.x + sums[0], above.y + sums[1], above.z + sums[2], 0};
    }
  }
  return table;
}

}  // namespace

// Sizes around warps, chunks of 256 and tiles of 32; sums below 2^24 are exact.
UPSWEEP_TEST(GivenImages_WhenTheDocumentsTableIsMade_ThenItsSumsAreThoseOfTheHost) {
  const std::vector<std::pair<std::size_t, std::size_t>> sizes = {{1, 1},     {1, 300},  {300, 1},   {31, 33},   {32, 32},
                                                                  {255, 257}, {256, 99}, {100, 600}, {1000, 65}, {7, 5000}};
  for (const auto &[height, width] : sizes) {
    std::vector<unsigned char> pixels(3 * height * width);
    for (unsigned char &pixel : pixels) {
      pixel = static_cast<unsigned char>(generator()());
    }
    DeviceArray<unsigned char> in(pixels), space(ladder::summed_area_rgb8_workspace(height, width));
    DeviceArray<float4> out(height * width);
    UPSWEEP_CUDA(ladder::summed_area_rgb8(in.data(), out.data(), height, width, nullptr, space.data(), space.bytes()));
    const std::vector<float4> expected = summed(pixels, height, width), found = out.download();
    UPSWEEP_CHECK(std::memcmp(found.data(), expected.data(), expected.size() * sizeof(float4)) == 0);
    UPSWEEP_CHECK(out.end_is_intact() && space.end_is_intact());
  }
}

UPSWEEP_TEST(GivenBadArguments_WhenTheDocumentsTableIsMade_ThenItSaysSoAndWritesNothing) {
  DeviceArray<unsigned char> in(300), space(ladder::summed_area_rgb8_workspace(10, 10));
  DeviceArray<float4> out(100);
  const auto make = [&](const unsigned char *from, float4 *to, std::size_t height, void *memory, std::size_t bytes) {
    return ladder::summed_area_rgb8(from, to, height, 10, nullptr, memory, bytes);
  };
  UPSWEEP_CHECK(make(nullptr, out.data(), 10, space.data(), space.bytes()) == cudaErrorInvalidValue);
  UPSWEEP_CHECK(make(in.data(), nullptr, 10, space.data(), space.bytes()) == cudaErrorInvalidValue);
  UPSWEEP_CHECK(make(in.data(), out.data(), 10, nullptr, space.bytes()) == cudaErrorInvalidValue);
  UPSWEEP_CHECK(make(in.data(), out.data(), 10, space.data() + 4, space.bytes()) == cudaErrorInvalidValue);
  UPSWEEP_CHECK(make(in.data(), out.data(), 10, space.data(), space.bytes() - 1) == cudaErrorInvalidValue);
  UPSWEEP_CHECK(make(in.data(), out.data(), std::size_t(1) << 40, space.data(), space.bytes()) == cudaErrorInvalidValue);
  UPSWEEP_CHECK(make(nullptr, nullptr, 0, nullptr, 0) == cudaSuccess);
  DeviceArray<float4> poison(100);
  UPSWEEP_CHECK(std::memcmp(out.download().data(), poison.download().data(), 100 * sizeof(float4)) == 0);
}

}  // namespace upsweep::test
