// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Matrix multiplication with tiles in local memory.
#include "bench/opencl/matrix.h"
#include "bench/cases.h"

namespace upsweep::bench {
namespace {

constexpr size_t kTile = 16;
constexpr size_t kCheckStep = 997;  // on the host a product of this size takes seconds

double expected(const std::vector<float> &values, size_t size, size_t row, size_t column) {
  double sum = 0;
  for (size_t k = 0; k < size; ++k) sum += static_cast<double>(values[row * size + k]) * values[k * size + column];
  return sum;
}

Result<Prepared> prepare(const Device &device, size_t size) {
  auto kernel = make_kernel(device, kMatrixSource, fmt::format("-DTILE={}", kTile), "multiply");
  if (!kernel) return Failure(kernel.error());
  const size_t bytes = size * size * sizeof(float);
  const auto values = std::make_shared<std::vector<float>>(make_floats(size * size));
  const auto a = make_buffer(device, bytes, values->data());
  const auto b = make_buffer(device, bytes, values->data());
  const auto c = make_buffer(device, bytes, nullptr);
  for (const auto *buffer : {&a, &b, &c})
    if (!*buffer) return Failure(buffer->error());
  kernel->setArg(0, *a);
  kernel->setArg(1, *b);
  kernel->setArg(2, *c);
  kernel->setArg(3, static_cast<cl_uint>(size));
  const auto verify = [device, values, c = *c, size] {
    return read_buffer<float>(device, c, size * size).and_then([&](const std::vector<float> &got) {
      return compare(got, [&](size_t i) { return expected(*values, size, i / size, i % size); }, 1e-5, kCheckStep);
    });
  };
  return Prepared{launch(device, *kernel, cl::NDRange(size, size), cl::NDRange(kTile, kTile)), verify, {*a, *b, *c}};
}

}  // namespace

void add_matrix(std::vector<Case> &cases, const Options &options) {
  const size_t size = options.on_gpu() ? 2048 : 512;
  cases.push_back({.name = "matrix multiply",
                   .variant = fmt::format("float, {0} x {0}, tiles of {1} x {1}", size, kTile),
                   .bound = Bound::Compute,
                   .operations = 2.0 * std::pow(static_cast<double>(size), 3),
                   .prepare = [size](const Device &device) { return prepare(device, size); },
                   .group = {}});
}

}  // namespace upsweep::bench
