// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The Mandelbrot set: loops that diverge between neighbours.
#include "bench/opencl/mandelbrot.h"
#include "bench/cases.h"

#include <numeric>

namespace upsweep::bench {
namespace {

constexpr size_t kWidth = 1024;
constexpr size_t kHeight = 1024;
constexpr float kLeft = -2.0f;
constexpr float kTop = 1.25f;
constexpr float kStep = 2.5f / 1024;
constexpr int kMost = 256;
constexpr double kOperationsPerStep = 10;  // seven for the next point, three for its distance

std::vector<int> count_on_host() {
  std::vector<int> counts(kWidth * kHeight);
  for (size_t i = 0; i < counts.size(); ++i) {
    const size_t row = i / kWidth;
    const float real = kLeft + kStep * static_cast<float>(i % kWidth);
    const float imaginary = kTop - kStep * static_cast<float>(row);
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

const std::vector<int> &expected() {
  static const std::vector<int> counts = count_on_host();
  return counts;
}

Result<Prepared> prepare(const Device &device) {
  auto kernel = make_kernel(device, kMandelbrotSource, "", "mandelbrot");
  if (!kernel) return Failure(kernel.error());
  const auto out = make_buffer(device, kWidth * kHeight * sizeof(cl_int), nullptr);
  if (!out) return Failure(out.error());
  kernel->setArg(0, *out);
  kernel->setArg(1, kLeft);
  kernel->setArg(2, kTop);
  kernel->setArg(3, kStep);
  kernel->setArg(4, kMost);
  const auto verify = [device, out = *out] {
    return read_buffer<cl_int>(device, out, kWidth * kHeight).and_then([&](const std::vector<cl_int> &got) {
      return compare(got, [](size_t i) { return expected()[i]; }, 0);
    });
  };
  return Prepared{launch(device, *kernel, cl::NDRange(kWidth, kHeight), cl::NDRange(64, 1)), verify, {*out}};
}

}  // namespace

void add_mandelbrot(std::vector<Case> &cases) {
  const auto steps = static_cast<double>(std::accumulate(expected().begin(), expected().end(), int64_t{0}));
  cases.push_back({.name = "Mandelbrot",
                   .variant = fmt::format("float, {} x {}, at most {} steps", kWidth, kHeight, kMost),
                   .bound = Bound::Compute,
                   .operations = steps * kOperationsPerStep,
                   .prepare = prepare,
                   .group = {}});
}

}  // namespace upsweep::bench
