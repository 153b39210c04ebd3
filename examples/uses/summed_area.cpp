// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A summed-area table (Crow 1984) for boxes with a width for each pixel: four places of the table give the mean of any box in
// constant time. Depth of field and glossy reflections (Hensley and others 2005) derive widths from depths and distances.
#include "report.h"

#include <upsweep/cpu/summed_area.h>
#include <upsweep/opencl/summed_area.h>

#define GLOBAL  // an address space in OpenCL C

namespace {

// clang-format off
USES_SHARED(kBoxes,
inline uint at(const GLOBAL uint *table, uint width, uint x, uint y) { return x == 0 || y == 0 ? 0 : table[(y - 1) * width + x - 1]; }
inline uchar mean_of(const GLOBAL uint *table, uint width, uint height, uint x, uint y, uint radius) {
  const uint left = x > radius ? x - radius : 0;
  const uint top = y > radius ? y - radius : 0;
  const uint right = x + radius + 1 < width ? x + radius + 1 : width;
  const uint bottom = y + radius + 1 < height ? y + radius + 1 : height;
  const uint sum = at(table, width, right, bottom) - at(table, width, left, bottom) - at(table, width, right, top) + at(table, width, left, top);
  return sum / ((right - left) * (bottom - top));
}
)
// clang-format on

// Sums over each box.
std::vector<uchar> sequential(const std::vector<uchar> &picture, const std::vector<uchar> &radii, std::size_t width,
                              std::size_t height) {
  std::vector<uchar> means(picture.size());
  for (std::size_t y = 0; y < height; ++y) {
    for (std::size_t x = 0; x < width; ++x) {
      const std::size_t radius = radii[y * width + x];
      uint sum = 0, count = 0;
      for (std::size_t v = y > radius ? y - radius : 0; v < std::min(height, y + radius + 1); ++v) {
        for (std::size_t u = x > radius ? x - radius : 0; u < std::min(width, x + radius + 1); ++u) {
          sum += picture[v * width + u];
          ++count;
        }
      }
      means[y * width + x] = static_cast<uchar>(sum / count);
    }
  }
  return means;
}

}  // namespace

int main(int argc, char **argv) {
  const std::size_t n = uses::elements(argc, argv), height = n < 1024 ? 1 : 512, width = n / height;
  const auto columns = static_cast<uint>(width), rows = static_cast<uint>(height);
  std::mt19937 engine(11);
  std::vector<uchar> picture(n), radii(n);
  for (std::size_t i = 0; i < n; ++i) {
    picture[i] = static_cast<uchar>(engine());
    radii[i] = static_cast<uchar>(i % width * 12 / width);  // wider to the right
  }
  const auto expected = sequential(picture, radii, width, height);
  uses::Report report(argc, argv, "summed-area table", 3 * n);

  std::vector<uint> table(n);
  std::vector<uchar> means(n);
  report.by_threads(
      [&] {
        uses::cpu::summed_area_table(picture.data(), table.data(), uses::cpu::image_shape{height, width});
        uses::for_all(n, [&](std::size_t i) {
          means[i] = mean_of(table.data(), columns, rows, static_cast<uint>(i % width), static_cast<uint>(i / width), radii[i]);
        });
      },
      [&] { return means == expected; });

  report.on_devices([&](uses::Device &device) {
    const auto in = device.array(picture), widths = device.array(radii), table = device.array<uint>(n),
               out = device.array<uchar>(n);
    cl_kernel filter = device.kernel(std::string("#define GLOBAL global\n") + kBoxes +
                                     "kernel void filter(global const uint *table, global const uchar *radii,"
                                     "                   global uchar *out, uint width, uint height) {"
                                     "  const uint i = get_global_id(0);"
                                     "  out[i] = mean_of(table, width, height, i % width, i / width, radii[i]); }");
    const auto run = [=, &device] {
      uses::require(uses::up::summed_area_table(in, table, {height, width}, device));
      device.launch(filter, n, table, widths, out, columns, rows);
    };
    return std::pair(run, [=, &device, &expected] { return device.read<uchar>(out, n) == expected; });
  });
  return report.status();
}
