// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Transposes of a large matrix.
#include "bench/opencl/transpose.h"
#include "bench/cases.h"

namespace upsweep::bench {
namespace {

constexpr size_t kTile = 32;
constexpr size_t kRows = 8;

Result<Prepared> prepare(const Device &device, size_t size, bool tiled) {
  const size_t bytes = size * size * sizeof(float);
  auto kernel =
      make_kernel(device, kTransposeSource, fmt::format("-DTILE={} -DROWS={}", kTile, kRows), tiled ? "tiled" : "plain");
  if (!kernel) return Failure(kernel.error());
  const auto values = std::make_shared<std::vector<float>>(make_floats(size * size));
  const auto in = make_buffer(device, bytes, values->data());
  const auto out = make_buffer(device, bytes, nullptr);
  if (!in || !out) return Failure(in ? out.error() : in.error());
  kernel->setArg(0, *in);
  kernel->setArg(1, *out);
  kernel->setArg(2, static_cast<cl_uint>(size));
  const auto verify = [device, values, out = *out, size] {
    return read_buffer<float>(device, out, size * size).and_then([&](const std::vector<float> &got) {
      return compare(got, [&](size_t i) { return (*values)[i % size * size + i / size]; }, 0, 7);
    });
  };
  const cl::NDRange global(size, tiled ? size / kTile * kRows : size);
  return Prepared{launch(device, *kernel, global, cl::NDRange(kTile, kRows)), verify, {*in, *out}};
}

}  // namespace

void add_transposes(std::vector<Case> &cases, const Options &options) {
  const size_t size = options.on_gpu() ? 8192 : 4096;
  for (const bool tiled : {false, true})
    cases.push_back({.name = tiled ? "transpose, tiled" : "transpose, plain",
                     .variant = fmt::format("float, {0} x {0}", size),
                     .bound = Bound::Memory,
                     .bytes = 2.0 * sizeof(float) * static_cast<double>(size * size),
                     .elements = static_cast<double>(size * size),
                     .prepare = [=](const Device &device) { return prepare(device, size, tiled); },
                     .group = {}});
}

}  // namespace upsweep::bench
