// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Draws the Mandelbrot set with mandelbrot.cl in three ways: each pixel, squares that kernels divide, and squares with the
// host between the levels. It compares the pictures. It only needs an OpenCL loader:
//
//     c++ -std=c++17 examples/opencl/mandelbrot.cpp -lOpenCL -o mandelbrot
//     ./mandelbrot examples/opencl/mandelbrot.cl [WIDTH] [PICTURE.ppm] [cpu|gpu]
#include "enqueuing.h"

#include <cmath>

namespace {

constexpr size_t kGroup = 64;
constexpr cl_uint kMost = 1000, kFirstSquares = 8;  // along a side

struct View {
  float x, y, step;
  cl_uint width;
};

struct Place {
  cl_uint x, y;
};

void draw_from_host(Enqueuing &device, cl_mem picture, const View &view) {
  cl_uint size = view.width / kFirstSquares;
  std::vector<Place> squares;
  for (cl_uint i = 0; i < kFirstSquares * kFirstSquares; ++i)
    squares.push_back({i % kFirstSquares * size, i / kFirstSquares * size});
  for (; !squares.empty(); size /= 2) {
    const cl_mem now = device.buffer(squares), count = device.buffer(std::vector<cl_uint>(1));
    const cl_mem next = device.buffer(std::vector<Place>(4 * squares.size()));
    device.launch("level", squares.size() * kGroup, kGroup, picture, view, size, now, count, next);
    squares = device.read<Place>(next, device.read<cl_uint>(count, 1)[0]);
  }
}

void write_picture(const char *path, const std::vector<cl_uint> &picture, cl_uint width) {
  std::ofstream file(path, std::ios::binary);
  file << "P6\n" << width << " " << width << "\n255\n";
  for (const cl_uint n : picture) {
    const double t = n == kMost ? 0 : std::log(1.0 + n) / std::log(1.0 + kMost);
    for (const double power : {1.5, 1.0, 0.6}) file.put(static_cast<char>(n == kMost ? 0 : 255 * std::pow(t, power)));
  }
}

/// The number of different pixels. Pictures differ if a border has one number and a part of the inside another, too thin to be
/// visible.
bool check(const char *name, const std::vector<cl_uint> &picture, const std::vector<cl_uint> &expected) {
  size_t different = 0;
  for (size_t i = 0; i < picture.size(); ++i) different += picture[i] != expected[i];
  const bool is_right = different <= picture.size() / 1000;
  if (!is_right) std::printf("%s: %zu of %zu pixels are wrong\n", name, different, picture.size());
  return is_right;
}

}  // namespace

int main(int argc, char **argv) {
  const cl_device_type type = take_device_type(argc, argv);
  if (argc < 2) return std::fprintf(stderr, "usage: mandelbrot mandelbrot.cl [WIDTH] [PICTURE.ppm] [cpu|gpu]\n"), 2;
  const auto width = static_cast<cl_uint>(argc > 2 ? std::atoi(argv[2]) : 1024);
  if (width < 128 || (width & (width - 1)) != 0) return std::fprintf(stderr, "WIDTH is a power of two from 128\n"), 2;
  Enqueuing device(argv[1], type);
  const View view{-2.0f, -1.3f, 2.6f / static_cast<float>(width), width};
  const size_t pixels = size_t{width} * width;
  const std::vector<cl_uint> empty(pixels);
  const cl_mem picture = device.buffer(empty);
  const double each = best_ms(3, [&] {
    device.launch("all", pixels, kGroup, picture, view);
    device.finish();
  });
  const std::vector<cl_uint> expected = device.read<cl_uint>(picture, pixels);
  device.write(picture, empty);
  const double on_device = best_ms(3, [&] {
    device.launch("adaptive", kFirstSquares * kFirstSquares * kGroup, kGroup, picture, view, cl_uint{width / kFirstSquares});
    device.finish();
  });
  const std::vector<cl_uint> drawn = device.read<cl_uint>(picture, pixels);
  if (!check("kernels alone", drawn, expected)) return 1;
  device.write(picture, empty);
  const double with_host = best_ms(3, [&] { draw_from_host(device, picture, view); });
  if (!check("with the host between levels", device.read<cl_uint>(picture, pixels), expected)) return 1;
  if (argc > 3) write_picture(argv[3], drawn, width);
  std::printf("%u x %u: %.2f ms by kernels alone, %.2f ms with the host between levels, %.2f ms for each pixel\n", width, width,
              on_device, with_host, each);
}
