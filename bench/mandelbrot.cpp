// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The Mandelbrot set: loops that diverge between neighbours.
#include "bench/opencl/mandelbrot.h"
#include "bench/cases.h"

#include <numeric>

namespace upsweep::bench {
namespace {

constexpr float kLeft = -2.0f;
constexpr float kTop = 1.25f;
constexpr float kSide = 2.5f;
constexpr int kMost = 256;
constexpr double kOperationsPerStep = 10;  // seven for the next point, three for its distance

std::vector<int> count_on_host(size_t size) {
  const float step = kSide / static_cast<float>(size);
  std::vector<int> counts(size * size);
  for (size_t i = 0; i < counts.size(); ++i) {
    const size_t row = i / size;
    const float real = kLeft + step * static_cast<float>(i % size);
    const float imaginary = kTop - step * static_cast<float>(row);
    float x = 0;
    float y = 0;
    for (; counts[i] < kMost && x * x + y * y <= 4.0f; ++counts[i]) {
      const float next = x * x - y * y + real;
      y = 2.0f * x * y + imaginary;
      x = next;
    }
  }
  return counts;
}

using Counts = std::shared_ptr<const std::vector<int>>;

Result<Prepared> prepare(const Device &device, size_t size, const Counts &expected) {
  auto kernel = make_kernel(device, kMandelbrotSource, "", "mandelbrot");
  if (!kernel) return Failure(kernel.error());
  const auto out = make_buffer(device, size * size * sizeof(cl_int), nullptr);
  if (!out) return Failure(out.error());
  kernel->setArg(0, *out);
  kernel->setArg(1, kLeft);
  kernel->setArg(2, kTop);
  kernel->setArg(3, kSide / static_cast<float>(size));
  kernel->setArg(4, kMost);
  const auto verify = [device, out = *out, expected, size] {
    return read_buffer<cl_int>(device, out, size * size).and_then([&](const std::vector<cl_int> &got) {
      return compare(got, [&](size_t i) { return (*expected)[i]; }, 0);
    });
  };
  return Prepared{launch(device, *kernel, cl::NDRange(size, size), cl::NDRange(64, 1)), verify, {*out}};
}

}  // namespace

void add_mandelbrot(std::vector<Case> &cases, const Options &options) {
  const size_t size = options.on_gpu() ? 2048 : 1024;
  const auto expected = std::make_shared<const std::vector<int>>(count_on_host(size));
  const auto steps = static_cast<double>(std::accumulate(expected->begin(), expected->end(), int64_t{0}));
  cases.push_back({.name = "Mandelbrot",
                   .variant = fmt::format("float, {0} x {0}, at most {1} steps", size, kMost),
                   .bound = Bound::Compute,
                   .operations = steps * kOperationsPerStep,
                   .prepare = [=](const Device &device) { return prepare(device, size, expected); },
                   .group = {}});
}

}  // namespace upsweep::bench
