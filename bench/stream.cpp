// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Vector add, SAXPY and reductions.
#include "bench/opencl/stream.h"
#include "bench/cases.h"

#include <bit>
#include <numeric>

namespace upsweep::bench {
namespace {

constexpr size_t kWorkGroup = 256;

Result<Prepared> prepare_add(const Device &device, size_t count) {
  auto kernel = make_kernel(device, kStreamSource, "", "vector_add");
  if (!kernel) return Failure(kernel.error());
  const auto values = std::make_shared<std::vector<float>>(make_floats(count));
  const auto a = make_buffer(device, count * sizeof(float), values->data());
  const auto sum = make_buffer(device, count * sizeof(float), nullptr);
  if (!a || !sum) return Failure(a ? sum.error() : a.error());
  const auto b = make_buffer(device, count * sizeof(float), values->data());
  if (!b) return Failure(b.error());
  kernel->setArg(0, *a);
  kernel->setArg(1, *b);
  kernel->setArg(2, *sum);
  const auto verify = [device, values, sum = *sum, count] {
    return read_buffer<float>(device, sum, count).and_then([&](const std::vector<float> &got) {
      return compare(got, [&](size_t i) { return (*values)[i] + (*values)[i]; }, 0);
    });
  };
  return Prepared{launch(device, *kernel, cl::NDRange(count), cl::NDRange(kWorkGroup)), verify, {*a, *b, *sum}};
}

// y grows with each run; the check runs after the first.
Result<Prepared> prepare_saxpy(const Device &device, size_t count) {
  constexpr float kFactor = 2.5f;
  auto kernel = make_kernel(device, kStreamSource, "", "saxpy");
  if (!kernel) return Failure(kernel.error());
  const auto values = std::make_shared<std::vector<float>>(make_floats(count));
  const auto x = make_buffer(device, count * sizeof(float), values->data());
  const auto y = make_buffer(device, count * sizeof(float), values->data());
  if (!x || !y) return Failure(x ? y.error() : x.error());
  kernel->setArg(0, kFactor);
  kernel->setArg(1, *x);
  kernel->setArg(2, *y);
  const auto verify = [device, values, y = *y, count] {
    return read_buffer<float>(device, y, count).and_then([&](const std::vector<float> &got) {
      return compare(got, [&](size_t i) { return kFactor * (*values)[i] + (*values)[i]; }, 1e-6);  // fused or not
    });
  };
  return Prepared{launch(device, *kernel, cl::NDRange(count), cl::NDRange(kWorkGroup)), verify, {*x, *y}};
}

Result<Prepared> prepare_reduction(const Device &device, size_t count, const char *name, size_t items) {
  auto kernel = make_kernel(device, kStreamSource, "", name);
  if (!kernel) return Failure(kernel.error());
  const auto values = make_floats(count);
  const size_t groups = items / kWorkGroup;
  const auto in = make_buffer(device, count * sizeof(float), values.data());
  const auto sums = make_buffer(device, groups * sizeof(float), nullptr);
  if (!in || !sums) return Failure(in ? sums.error() : in.error());
  kernel->setArg(0, *in);
  kernel->setArg(1, *sums);
  kernel->setArg(2, kWorkGroup * sizeof(float), nullptr);
  if (items != count) kernel->setArg(3, static_cast<cl_uint>(count));
  const double expected = std::accumulate(values.begin(), values.end(), 0.0);
  const auto verify = [device, sums = *sums, groups, expected] {
    return read_buffer<float>(device, sums, groups).and_then([&](const std::vector<float> &got) {
      const std::vector<double> total = {std::accumulate(got.begin(), got.end(), 0.0)};
      return compare(total, [&](size_t) { return expected; }, 1e-5);  // sums of 24 bits, rounded a few hundred times
    });
  };
  return Prepared{launch(device, *kernel, cl::NDRange(items), cl::NDRange(kWorkGroup)), verify, {*in, *sums}};
}

Case make_case(const char *name, size_t count, double arrays, double operations, Prepare prepare) {
  const auto elements = static_cast<double>(count);
  return {.name = name,
          .variant = fmt::format("float, 2^{}", std::countr_zero(count)),
          .bound = Bound::Memory,
          .bytes = arrays * elements * sizeof(float),
          .operations = operations * elements,
          .elements = elements,
          .prepare = std::move(prepare),
          .group = {}};
}

}  // namespace

void add_streams(std::vector<Case> &cases, const Options &options) {
  const size_t count = size_t{1} << (options.on_gpu() ? 26 : 24);
  const size_t strided_items = size_t{1} << (options.on_gpu() ? 19 : 16);
  auto add = [&](const char *name, double arrays, double operations, auto prepare) {
    cases.push_back(make_case(name, count, arrays, operations, prepare));
  };
  add("vector add", 3, 1, [=](const Device &d) { return prepare_add(d, count); });
  add("SAXPY", 3, 2, [=](const Device &d) { return prepare_saxpy(d, count); });
  add("reduction, tree", 1, 1, [=](const Device &d) { return prepare_reduction(d, count, "reduce_tree", count); });
  add("reduction, strided", 1, 1,
      [=](const Device &d) { return prepare_reduction(d, count, "reduce_strided", strided_items); });
}

}  // namespace upsweep::bench
