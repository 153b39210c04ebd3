// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A step of a 5-point and of a 9-point stencil over a large grid.
#include "bench/opencl/stencil.h"
#include "bench/cases.h"

namespace upsweep::bench {
namespace {

// The kernels' formulas, with sums in the same order.
float expected(const std::vector<float> &in, size_t size, size_t i, bool nine) {
  const size_t x = i % size;
  const size_t y = i / size;
  if (x == 0 || y == 0 || x == size - 1 || y == size - 1) return in[i];
  const float edges = in[i - 1] + in[i + 1] + in[i - size] + in[i + size];
  if (!nine) return 0.5f * in[i] + 0.125f * edges;
  const float corners = in[i - size - 1] + in[i - size + 1] + in[i + size - 1] + in[i + size + 1];
  return 0.25f * in[i] + 0.125f * edges + 0.0625f * corners;
}

Result<Prepared> prepare(const Device &device, size_t size, bool nine) {
  const size_t bytes = size * size * sizeof(float);
  auto kernel = make_kernel(device, kStencilSource, "", nine ? "nine_points" : "five_points");
  if (!kernel) return Failure(kernel.error());
  const auto values = std::make_shared<std::vector<float>>(make_floats(size * size));
  const auto in = make_buffer(device, bytes, values->data());
  const auto out = make_buffer(device, bytes, nullptr);
  if (!in || !out) return Failure(in ? out.error() : in.error());
  kernel->setArg(0, *in);
  kernel->setArg(1, *out);
  const auto verify = [device, values, out = *out, size, nine] {
    return read_buffer<float>(device, out, size * size).and_then([&](const std::vector<float> &got) {
      return compare(got, [&](size_t i) { return expected(*values, size, i, nine); }, 1e-6);
    });
  };
  return Prepared{launch(device, *kernel, cl::NDRange(size, size), cl::NDRange(64, 4)), verify, {*in, *out}};
}

Case make_case(const char *name, size_t size, bool nine) {
  const auto elements = static_cast<double>(size * size);
  return {.name = name,
          .variant = fmt::format("float, {0} x {0}", size),
          .bound = Bound::Memory,
          .bytes = 2 * sizeof(float) * elements,
          .operations = (nine ? 11 : 6) * elements,
          .elements = elements,
          .prepare = [size, nine](const Device &device) { return prepare(device, size, nine); },
          .group = {}};
}

}  // namespace

void add_stencils(std::vector<Case> &cases, const Options &options) {
  const size_t size = options.on_gpu() ? 8192 : 4096;
  cases.push_back(make_case("5-point stencil", size, false));
  cases.push_back(make_case("9-point stencil", size, true));
}

}  // namespace upsweep::bench
