// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Peaks of arithmetic and memory, per vector width as clpeak has them, and the time of an empty launch.
#include "bench/opencl/peak.h"
#include "bench/cases.h"

namespace upsweep::bench {
namespace {

constexpr size_t kItems = size_t{1} << 15;
constexpr size_t kWorkGroup = 256;
constexpr int kChains = 8;  // as in the kernel
constexpr int kSteps = 512;
constexpr size_t kCopyBytes = size_t{64} << 20;

struct Type {
  const char *scalar;
  size_t bytes;
  size_t width;

  [[nodiscard]] std::string vector() const { return width == 1 ? scalar : fmt::format("{}{}", scalar, width); }
  [[nodiscard]] std::string options() const {
    const bool real = std::string_view(scalar) == "float" || std::string_view(scalar) == "double";
    return fmt::format("-DSCALAR={} -DVECTOR={} -DWIDTH={}{}", scalar, vector(), width, real ? " -DREAL" : "");
  }
};

// The sum of the chains, each started at item % 4 + chain and raised by one in each step; small enough to be exact.
double expected(size_t item) {
  double sum = 0;
  for (int chain = 0; chain < kChains; ++chain) sum += static_cast<double>(item % kWorkGroup % 4) + chain + kSteps;
  return sum;
}

template <typename T>
Result<Prepared> prepare_multiply_add(const Device &device, const Type &type) {
  auto kernel = make_kernel(device, kPeakSource, type.options(), "multiply_add");
  if (!kernel) return Failure(kernel.error());
  const auto out = make_buffer(device, kItems * sizeof(T), nullptr);
  if (!out) return Failure(out.error());
  kernel->setArg(0, *out);
  kernel->setArg(1, T(1));
  kernel->setArg(2, T(1));
  kernel->setArg(3, kSteps);
  const auto verify = [device, out = *out] {
    return read_buffer<T>(device, out, kItems).and_then([](const std::vector<T> &got) { return compare(got, expected, 0); });
  };
  return Prepared{launch(device, *kernel, cl::NDRange(kItems), cl::NDRange(kWorkGroup)), verify, {*out}};
}

Result<Prepared> prepare_copy(const Device &device, const Type &type) {
  auto kernel = make_kernel(device, kPeakSource, type.options(), "copy");
  if (!kernel) return Failure(kernel.error());
  const auto values = std::make_shared<std::vector<float>>(make_floats(kCopyBytes / sizeof(float)));
  const auto in = make_buffer(device, kCopyBytes, values->data());
  const auto out = make_buffer(device, kCopyBytes, nullptr);
  if (!in || !out) return Failure(in ? out.error() : in.error());
  kernel->setArg(0, *in);
  kernel->setArg(1, *out);
  const auto verify = [device, values, out = *out] {
    return read_buffer<float>(device, out, values->size()).and_then([&](const std::vector<float> &got) {
      return compare(got, [&](size_t i) { return (*values)[i]; }, 0);
    });
  };
  return Prepared{
      launch(device, *kernel, cl::NDRange(kCopyBytes / type.bytes / type.width), cl::NDRange(kWorkGroup)), verify, {*in, *out}};
}

Result<Prepared> prepare_launch(const Device &device, const Type &type) {
  auto kernel = make_kernel(device, kPeakSource, type.options(), "nothing");
  if (!kernel) return Failure(kernel.error());
  const auto out = make_buffer(device, sizeof(cl_float), nullptr);
  if (!out) return Failure(out.error());
  kernel->setArg(0, *out);
  const auto enqueue = [device, kernel = *kernel] {
    const cl_int error = device.queue.enqueueNDRangeKernel(kernel, cl::NullRange, cl::NDRange(1), cl::NDRange(1));
    return error == CL_SUCCESS ? device.queue.finish() : error;
  };
  return Prepared{enqueue, [] { return Result<void>(); }, {*out}};
}

template <typename T>
void add_multiply_add(std::vector<Case> &cases, const Type &type) {
  cases.push_back({.name = "multiply-add",
                   .variant = type.vector(),
                   .bound = Bound::Compute,
                   .operations = 2.0 * kItems * kSteps * kChains * static_cast<double>(type.width),
                   .prepare = [type](const Device &device) { return prepare_multiply_add<T>(device, type); },
                   .is_ceiling = std::string_view(type.scalar) == "float",
                   .group = {}});
}

}  // namespace

void add_peaks(std::vector<Case> &cases) {
  for (const size_t width : {1, 4, 16}) add_multiply_add<float>(cases, {"float", 4, width});
  for (const size_t width : {1, 8}) add_multiply_add<double>(cases, {"double", 8, width});
  for (const size_t width : {1, 16}) add_multiply_add<cl_int>(cases, {"int", 4, width});
  for (const size_t width : {1, 4, 16})
    cases.push_back({.name = "copy",
                     .variant = Type{"float", 4, width}.vector() + ", 64 MiB",
                     .bound = Bound::Memory,
                     .bytes = 2.0 * kCopyBytes,
                     .prepare = [width](const Device &device) { return prepare_copy(device, {"float", 4, width}); },
                     .is_ceiling = true,
                     .group = {}});
  cases.push_back({.name = "empty launch",
                   .variant = "one work-item, waited for",
                   .prepare = [](const Device &device) { return prepare_launch(device, {"float", 4, 1}); },
                   .group = {}});
}

}  // namespace upsweep::bench
