// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One step of a 5-point and of a 9-point stencil over a large grid.
#include "bench/opencl/stencil.h"
#include "bench/cases.h"

namespace upsweep::bench {
namespace {

constexpr size_t kWidth = 4096;
constexpr size_t kHeight = 4096;
constexpr size_t kBytes = kWidth * kHeight * sizeof(float);

// The kernels' formulas, with sums in the same order.
float expected(const std::vector<float> &in, size_t i, bool nine) {
  const size_t x = i % kWidth;
  const size_t y = i / kWidth;
  if (x == 0 || y == 0 || x == kWidth - 1 || y == kHeight - 1) return in[i];
  const float edges = in[i - 1] + in[i + 1] + in[i - kWidth] + in[i + kWidth];
  if (!nine) return 0.5f * in[i] + 0.125f * edges;
  const float corners = in[i - kWidth - 1] + in[i - kWidth + 1] + in[i + kWidth - 1] + in[i + kWidth + 1];
  return 0.25f * in[i] + 0.125f * edges + 0.0625f * corners;
}

Result<Prepared> prepare(const Device &device, bool nine) {
  auto kernel = make_kernel(device, kStencilSource, "", nine ? "nine_points" : "five_points");
  if (!kernel) return Failure(kernel.error());
  const auto values = std::make_shared<std::vector<float>>(make_floats(kWidth * kHeight));
  const auto in = make_buffer(device, kBytes, values->data());
  const auto out = make_buffer(device, kBytes, nullptr);
  if (!in || !out) return Failure(in ? out.error() : in.error());
  kernel->setArg(0, *in);
  kernel->setArg(1, *out);
  const auto verify = [device, values, out = *out, nine] {
    return read_buffer<float>(device, out, kWidth * kHeight).and_then([&](const std::vector<float> &got) {
      return compare(got, [&](size_t i) { return expected(*values, i, nine); }, 1e-6);
    });
  };
  return Prepared{launch(device, *kernel, cl::NDRange(kWidth, kHeight), cl::NDRange(64, 4)), verify, {*in, *out}};
}

Case make_case(const char *name, bool nine) {
  return {.name = name,
          .variant = fmt::format("float, {} x {}", kWidth, kHeight),
          .bound = Bound::Memory,
          .bytes = 2.0 * kBytes,
          .operations = (nine ? 11.0 : 6.0) * kWidth * kHeight,
          .elements = kWidth * kHeight,
          .prepare = [nine](const Device &device) { return prepare(device, nine); },
          .group = {}};
}

}  // namespace

void add_stencils(std::vector<Case> &cases) {
  cases.push_back(make_case("5-point stencil", false));
  cases.push_back(make_case("9-point stencil", true));
}

}  // namespace upsweep::bench
