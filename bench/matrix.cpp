// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Matrix multiplication with tiles in local memory.
#include "bench/opencl/matrix.h"
#include "bench/cases.h"

namespace upsweep::bench {
namespace {

constexpr size_t kSize = 512;
constexpr size_t kTile = 16;
constexpr size_t kBytes = kSize * kSize * sizeof(float);

double expected(const std::vector<float> &values, size_t row, size_t column) {
  double sum = 0;
  for (size_t k = 0; k < kSize; ++k) sum += static_cast<double>(values[row * kSize + k]) * values[k * kSize + column];
  return sum;
}

Result<Prepared> prepare(const Device &device) {
  auto kernel = make_kernel(device, kMatrixSource, fmt::format("-DTILE={}", kTile), "multiply");
  if (!kernel) return Failure(kernel.error());
  const auto values = std::make_shared<std::vector<float>>(make_floats(kSize * kSize));
  const auto a = make_buffer(device, kBytes, values->data());
  const auto b = make_buffer(device, kBytes, values->data());
  const auto c = make_buffer(device, kBytes, nullptr);
  for (const auto *buffer : {&a, &b, &c})
    if (!*buffer) return Failure(buffer->error());
  kernel->setArg(0, *a);
  kernel->setArg(1, *b);
  kernel->setArg(2, *c);
  kernel->setArg(3, static_cast<cl_uint>(kSize));
  const auto verify = [device, values, c = *c] {
    return read_buffer<float>(device, c, kSize * kSize).and_then([&](const std::vector<float> &got) {
      return compare(got, [&](size_t i) { return expected(*values, i / kSize, i % kSize); }, 1e-5);
    });
  };
  return Prepared{launch(device, *kernel, cl::NDRange(kSize, kSize), cl::NDRange(kTile, kTile)), verify, {*a, *b, *c}};
}

}  // namespace

void add_matrix(std::vector<Case> &cases) {
  cases.push_back({.name = "matrix multiply",
                   .variant = fmt::format("float, {0} x {0}, tiles of {1} x {1}", kSize, kTile),
                   .bound = Bound::Compute,
                   .operations = 2.0 * kSize * kSize * kSize,
                   .prepare = prepare,
                   .group = {}});
}

}  // namespace upsweep::bench
