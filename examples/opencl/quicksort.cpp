// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sorts random numbers with quicksort.cl, whose kernels enqueue the next segments. The program repeats this with the host
// between the levels, and checks both. It only needs an OpenCL loader:
//
//     c++ -std=c++17 examples/opencl/quicksort.cpp -lOpenCL -o quicksort
//     ./quicksort examples/opencl/quicksort.cl [COUNT] [cpu|gpu]
#include "enqueuing.h"

#include <random>

namespace {

constexpr size_t kGroup = 64;

struct Segment {
  cl_uint first, count;
};

void sort_from_host(Enqueuing &device, cl_mem from, cl_mem to, cl_mem result, cl_uint count) {
  std::vector<Segment> segments{{0, count}};
  while (!segments.empty()) {
    const cl_mem now = device.buffer(segments), next = device.buffer(std::vector<Segment>(2 * segments.size()));
    device.launch("sort_level", segments.size() * kGroup, kGroup, from, to, result, now, next);
    segments = device.read<Segment>(next, 2 * segments.size());
    segments.erase(std::remove_if(segments.begin(), segments.end(), [](const Segment &s) { return s.count == 0; }),
                   segments.end());
    std::swap(from, to);
  }
}

bool check(Enqueuing &device, const char *name, cl_mem result, const std::vector<cl_uint> &sorted) {
  const bool is_right = device.read<cl_uint>(result, sorted.size()) == sorted;
  if (!is_right) std::printf("%s: wrong\n", name);
  return is_right;
}

}  // namespace

int main(int argc, char **argv) {
  const cl_device_type type = take_device_type(argc, argv);
  if (argc < 2) return std::fprintf(stderr, "usage: quicksort quicksort.cl [COUNT] [cpu|gpu]\n"), 2;
  const auto count = static_cast<cl_uint>(argc > 2 ? std::atoll(argv[2]) : 1 << 20);
  std::mt19937 random(1);
  std::vector<cl_uint> numbers(count);
  for (cl_uint &number : numbers) number = static_cast<cl_uint>(random() % (count / 2 + 1));  // some are equal
  std::vector<cl_uint> sorted = numbers;
  std::sort(sorted.begin(), sorted.end());

  Enqueuing device(argv[1], type);
  const cl_mem from = device.buffer(numbers), to = device.buffer(numbers), result = device.buffer(std::vector<cl_uint>(count));
  const double on_device = best_ms(3, [&] {
    device.write(from, numbers);
    device.launch("sort", kGroup, kGroup, from, to, result, cl_uint{0}, count);
    device.finish();
  });
  if (!check(device, "kernels alone", result, sorted)) return 1;
  device.write(result, std::vector<cl_uint>(count));
  const double with_host = best_ms(3, [&] {
    device.write(from, numbers);
    sort_from_host(device, from, to, result, count);
  });
  if (!check(device, "with the host between levels", result, sorted)) return 1;
  std::printf("%u numbers: %.2f ms by kernels alone, %.2f ms with the host between levels\n", count, on_device, with_host);
}
