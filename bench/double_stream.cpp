// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// BabelStream's five operations on doubles.
#include "bench/opencl/double_stream.h"
#include "bench/cases.h"

#include <bit>
#include <numeric>

namespace upsweep::bench {
namespace {

constexpr double kA = 0.1;  // initial value of each array, and the factor
constexpr double kB = 0.2;
constexpr double kC = 0.3;
constexpr double kScalar = 0.4;
constexpr size_t kWorkGroup = 256;
constexpr size_t kGroupsPerUnit = 4;  // of dot

struct Operation {
  const char *name;
  double arrays;
  double expected;  // expected value of each element of the written array
  int written;      // its argument
  double operations;
};

constexpr Operation kOperations[] = {
    {"copy", 2, kA, 1, 0},
    {"mul", 2, kScalar *kC, 0, 1},
    {"add", 3, kA + kB, 2, 1},
    {"triad", 3, kB + kScalar *kC, 0, 2},
};

Result<std::vector<cl::Buffer>> make_arrays(const Device &device, size_t count, std::initializer_list<double> values) {
  std::vector<cl::Buffer> arrays;
  for (const double value : values) {
    auto array = make_buffer(device, count * sizeof(double), std::vector<double>(count, value).data());
    if (!array) return Failure(array.error());
    arrays.push_back(*array);
  }
  return arrays;
}

Result<Prepared> prepare(const Device &device, const Operation &what, size_t count) {
  auto kernel = make_kernel(device, kDoubleStreamSource, "", what.name);
  if (!kernel) return Failure(kernel.error());
  const std::string_view name = what.name;
  auto arrays = name == "copy"  ? make_arrays(device, count, {kA, kC})
                : name == "mul" ? make_arrays(device, count, {kB, kC})
                                : make_arrays(device, count, {kA, kB, kC});
  if (!arrays) return Failure(arrays.error());
  cl_uint next = 0;
  for (const cl::Buffer &array : *arrays) kernel->setArg(next++, array);
  if (name == "mul" || name == "triad") kernel->setArg(next, kScalar);
  const auto verify = [device, out = (*arrays)[static_cast<size_t>(what.written)], count, expected = what.expected] {
    return read_buffer<double>(device, out, count).and_then([&](const std::vector<double> &got) {
      return compare(got, [&](size_t) { return expected; }, 1e-15);  // fused or not
    });
  };
  return Prepared{
      launch(device, *kernel, cl::NDRange(count), cl::NDRange(kWorkGroup)), verify, {arrays->begin(), arrays->end()}};
}

Result<Prepared> prepare_dot(const Device &device, size_t count) {
  auto kernel = make_kernel(device, kDoubleStreamSource, "", "dot");
  if (!kernel) return Failure(kernel.error());
  auto arrays = make_arrays(device, count, {kA, kB});
  if (!arrays) return Failure(arrays.error());
  const size_t groups = kGroupsPerUnit * device.device.getInfo<CL_DEVICE_MAX_COMPUTE_UNITS>();
  const auto sums = make_buffer(device, groups * sizeof(double), nullptr);
  if (!sums) return Failure(sums.error());
  kernel->setArg(0, (*arrays)[0]);
  kernel->setArg(1, (*arrays)[1]);
  kernel->setArg(2, *sums);
  kernel->setArg(3, kWorkGroup * sizeof(double), nullptr);
  kernel->setArg(4, static_cast<cl_uint>(count));
  const auto verify = [device, sums = *sums, groups, count] {
    return read_buffer<double>(device, sums, groups).and_then([&](const std::vector<double> &got) {
      const std::vector<double> total = {std::accumulate(got.begin(), got.end(), 0.0)};
      return compare(total, [&](size_t) { return kA * kB * static_cast<double>(count); }, 1e-9);
    });
  };
  arrays->push_back(*sums);
  return Prepared{launch(device, *kernel, cl::NDRange(groups * kWorkGroup), cl::NDRange(kWorkGroup)),
                  verify,
                  {arrays->begin(), arrays->end()}};
}

}  // namespace

void add_double_streams(std::vector<Case> &cases, const Options &options) {
  const size_t count = size_t{1} << (options.on_gpu() ? 25 : 23);
  auto add = [&](const char *name, double arrays, double operations, Prepare prepare) {
    const auto elements = static_cast<double>(count);
    cases.push_back({.name = fmt::format("BabelStream {}", name),
                     .variant = fmt::format("double, 2^{}", std::countr_zero(count)),
                     .bound = Bound::Memory,
                     .bytes = arrays * elements * sizeof(double),
                     .operations = operations * elements,
                     .elements = elements,
                     .prepare = std::move(prepare),
                     .group = {}});
  };
  for (const Operation &what : kOperations)
    add(what.name, what.arrays, what.operations, [=](const Device &device) { return prepare(device, what, count); });
  add("dot", 2, 2, [=](const Device &device) { return prepare_dot(device, count); });
}

}  // namespace upsweep::bench
