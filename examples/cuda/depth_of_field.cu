// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Approximate depth of field. A scene is drawn with the depth of each pixel. Each pixel then becomes the mean of a box around
// it; the box grows with the depth's distance from the focus. The time does not depend on the sizes of the boxes.
//
//     nvcc -std=c++17 -arch=native -I include examples/cuda/depth_of_field.cu -o depth_of_field && ./depth_of_field out.ppm
//
// Without a file's name the program only compares its result with the host's.
#include <upsweep/cuda/summed_area.cuh>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace up = upsweep::cuda;

constexpr int kHeight = 360, kWidth = 640, kMostRadius = 24;
constexpr float kFocus = 6, kStrength = 20;

// A row of balls on a chequered floor, seen along the row.
__global__ void draw(uchar3 *colours, float *depths) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
  if (x >= kWidth) {
    return;
  }
  const float dx = (x - kWidth * 0.5f) / kHeight, dy = (kHeight * 0.5f - y) / kHeight;  // the ray (dx, dy, 1)
  float depth = 100;
  uchar3 colour = make_uchar3(120, 160, 210);
  if (dy < 0) {
    const float floor = -1 / dy;
    if (floor < depth) {
      depth = floor;
      const bool is_dark = (static_cast<int>(floorf(dx * floor)) + static_cast<int>(floorf(floor))) % 2 != 0;
      colour = is_dark ? make_uchar3(40, 40, 45) : make_uchar3(220, 220, 210);
    }
  }
  for (int ball = 0; ball < 6; ++ball) {
    const float cx = ball % 2 == 0 ? -1.2f : 1.2f, cy = -0.3f, cz = 3 + 2.0f * ball, radius = 0.7f;
    const float a = dx * dx + dy * dy + 1, b = dx * cx + dy * cy + cz;
    const float c = cx * cx + cy * cy + cz * cz - radius * radius, root = b * b - a * c;
    const float hit = root > 0 ? (b - sqrtf(root)) / a : depth;
    if (hit < depth) {
      depth = hit;
      const float light = fmaxf(0.15f, (dy * hit - cy) / radius * 0.6f + (cz - hit) / radius * 0.4f);
      colour = make_uchar3(static_cast<unsigned char>(230 * light), static_cast<unsigned char>(40 * light * (1 + ball)), 60);
    }
  }
  colours[y * kWidth + x] = colour;
  depths[y * kWidth + x] = depth;
}

// The mean of a box, pixel by pixel.
uchar3 blurred_on_host(const std::vector<uchar3> &colours, const std::vector<float> &depths, int y, int x) {
  const float circle = kStrength * std::fabs(1 - kFocus / depths[y * kWidth + x]);
  const int radius = static_cast<int>(std::fmin(std::round(circle), float(kMostRadius)));
  double red = 0, green = 0, blue = 0, pixels = 0;
  for (int v = std::max(0, y - radius); v <= std::min(kHeight - 1, y + radius); ++v) {
    for (int u = std::max(0, x - radius); u <= std::min(kWidth - 1, x + radius); ++u) {
      const uchar3 colour = colours[v * kWidth + u];
      red += colour.x;
      green += colour.y;
      blue += colour.z;
      pixels += 1;
    }
  }
  const auto mean = [&](double sum) { return static_cast<unsigned char>(sum / pixels + 0.5); };
  return make_uchar3(mean(red), mean(green), mean(blue));
}

int main(int argc, char **argv) {
  constexpr std::size_t kPixels = std::size_t(kHeight) * kWidth;
  uchar3 *colours = nullptr, *blurred = nullptr;
  float *depths = nullptr;
  if (const cudaError_t error = cudaMalloc(&colours, kPixels * sizeof(uchar3)); error != cudaSuccess) {
    std::fprintf(stderr, "%s\n", cudaGetErrorString(error));
    return 1;
  }
  cudaMalloc(&blurred, kPixels * sizeof(uchar3));
  cudaMalloc(&depths, kPixels * sizeof(float));
  draw<<<dim3((kWidth + 127) / 128, kHeight), 128>>>(colours, depths);

  const up::image_shape image{kHeight, kWidth, 3};
  const auto bytes_of = [](uchar3 *pixels) { return reinterpret_cast<unsigned char *>(pixels); };
  up::workspace space;
  space.bytes = up::box_filter_workspace_bytes<unsigned char>(image);
  cudaMalloc(&space.data, space.bytes);
  const up::circle_of_confusion<float> radius(depths, kFocus, kStrength, kMostRadius);
  cudaError_t error = up::box_filter(space, bytes_of(colours), bytes_of(blurred), image, radius);

  std::vector<uchar3> before(kPixels), after(kPixels);
  std::vector<float> distances(kPixels);
  cudaMemcpy(before.data(), colours, kPixels * sizeof(uchar3), cudaMemcpyDeviceToHost);
  cudaMemcpy(after.data(), blurred, kPixels * sizeof(uchar3), cudaMemcpyDeviceToHost);
  cudaMemcpy(distances.data(), depths, kPixels * sizeof(float), cudaMemcpyDeviceToHost);
  if (error == cudaSuccess) {
    error = cudaDeviceSynchronize();
  }
  if (error != cudaSuccess) {
    std::fprintf(stderr, "%s\n", cudaGetErrorString(error));
    return 1;
  }
  if (argc > 1) {
    std::FILE *const file = std::fopen(argv[1], "wb");
    if (file == nullptr) {
      std::fprintf(stderr, "%s cannot be written\n", argv[1]);
      return 1;
    }
    std::fprintf(file, "P6 %d %d 255\n", kWidth, kHeight);
    std::fwrite(after.data(), 3, kPixels, file);
    std::fclose(file);
  }

  int changed = 0, wrong = 0;
  for (int y = 0; y < kHeight; ++y) {
    for (int x = 0; x < kWidth; ++x) {
      const uchar3 found = after[y * kWidth + x], expected = blurred_on_host(before, distances, y, x),
                   was = before[y * kWidth + x];
      // A half may be rounded up or down.
      wrong += std::abs(found.x - expected.x) > 1 || std::abs(found.y - expected.y) > 1 || std::abs(found.z - expected.z) > 1;
      changed += found.x != was.x || found.y != was.y || found.z != was.z;
    }
  }
  std::printf("%d of %zu pixels are blurred, %d wrong\n", changed, kPixels, wrong);
  return wrong == 0 && changed > 0 ? 0 : 1;
}
