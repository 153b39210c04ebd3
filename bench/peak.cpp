// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Peaks of arithmetic and memory for each vector width, in clpeak's form.
#include "bench/opencl/peak.h"
#include "bench/cases.h"

namespace upsweep::bench {
namespace {

constexpr size_t kWorkGroup = 256;
constexpr int kChains = 8;  // as in the kernel
constexpr int kSteps = 512;

// A CPU's last-level cache holds less than 64 MiB of each core's, a GPU's L2 less than 256 MiB.
struct Sizes {
  size_t items;
  size_t copy_bytes;
};
Sizes sizes_of(const Options &options) {
  return options.on_gpu() ? Sizes{size_t{1} << 20, size_t{256} << 20} : Sizes{size_t{1} << 15, size_t{64} << 20};
}

struct Type {
  const char *scalar;
  size_t bytes;
  size_t width;

  [[nodiscard]] std::string vector() const { return width == 1 ? scalar : fmt::format("{}{}", scalar, width); }
  [[nodiscard]] std::string options() const {
    const bool real = std::string_view(scalar) != "int";
    const bool half = std::string_view(scalar) == "half";
    return fmt::format("-DSCALAR={} -DVECTOR={} -DWIDTH={}{}{}", scalar, vector(), width, real ? " -DREAL" : "",
                       half ? " -DUSES_HALF" : "");
  }
};

// The sum over the chains of a chain's elements. Each chain starts at item % 4 + chain, and each step adds one; all is exact
// in float.
double expected(size_t item, size_t width) {
  double sum = 0;
  for (int chain = 0; chain < kChains; ++chain) sum += static_cast<double>(item % kWorkGroup % 4) + chain + kSteps;
  return sum * static_cast<double>(width);
}

template <typename T>
Result<Prepared> prepare_multiply_add(const Device &device, const Type &type, size_t items) {
  auto kernel = make_kernel(device, kPeakSource, type.options(), "multiply_add");
  if (!kernel) return Failure(kernel.error());
  const auto out = make_buffer(device, items * sizeof(T), nullptr);
  if (!out) return Failure(out.error());
  kernel->setArg(0, *out);
  kernel->setArg(1, T(1));
  kernel->setArg(2, T(1));
  kernel->setArg(3, kSteps);
  const double tolerance = sizeof(T) == 2 ? 5e-3 : 0;  // the sum of the chains exceeds half's 11 bits
  const auto verify = [device, out = *out, items, tolerance, width = type.width] {
    return read_buffer<T>(device, out, items).and_then([&](const std::vector<T> &got) {
      return compare(got, [&](size_t i) { return expected(i, width); }, tolerance);
    });
  };
  return Prepared{launch(device, *kernel, cl::NDRange(items), cl::NDRange(kWorkGroup)), verify, {*out}};
}

Result<Prepared> prepare_copy(const Device &device, const Type &type, size_t bytes) {
  auto kernel = make_kernel(device, kPeakSource, type.options(), "copy");
  if (!kernel) return Failure(kernel.error());
  const auto values = std::make_shared<std::vector<float>>(make_floats(bytes / sizeof(float)));
  const auto in = make_buffer(device, bytes, values->data());
  const auto out = make_buffer(device, bytes, nullptr);
  if (!in || !out) return Failure(in ? out.error() : in.error());
  kernel->setArg(0, *in);
  kernel->setArg(1, *out);
  const auto verify = [device, values, out = *out] {
    return read_buffer<float>(device, out, values->size()).and_then([&](const std::vector<float> &got) {
      return compare(got, [&](size_t i) { return (*values)[i]; }, 0);
    });
  };
  return Prepared{
      launch(device, *kernel, cl::NDRange(bytes / type.bytes / type.width), cl::NDRange(kWorkGroup)), verify, {*in, *out}};
}

template <typename T>
void add_multiply_add(std::vector<Case> &cases, const Type &type, size_t items) {
  cases.push_back({.name = "multiply-add",
                   .variant = type.vector(),
                   .bound = Bound::Compute,
                   .operations = 2.0 * kSteps * kChains * static_cast<double>(items * type.width),
                   .prepare = [type, items](const Device &device) { return prepare_multiply_add<T>(device, type, items); },
                   .is_ceiling = std::string_view(type.scalar) == "float",
                   .group = {}});
}

}  // namespace

void add_peaks(std::vector<Case> &cases, const Options &options) {
  const auto [items, bytes] = sizes_of(options);
  for (const size_t width : {1, 4, 16}) add_multiply_add<float>(cases, {"float", 4, width}, items);
  for (const size_t width : {1, 8}) add_multiply_add<double>(cases, {"double", 8, width}, items);
  for (const size_t width : {1, 16}) add_multiply_add<cl_int>(cases, {"int", 4, width}, items);
  if (options.on_gpu())
    for (const size_t width : {1, 2, 8}) add_multiply_add<_Float16>(cases, {"half", 2, width}, items);
  for (const size_t width : {1, 4, 16})
    cases.push_back(
        {.name = "copy",
         .variant = fmt::format("{}, {} MiB", Type{"float", 4, width}.vector(), bytes >> 20),
         .bound = Bound::Memory,
         .bytes = 2.0 * static_cast<double>(bytes),
         .prepare = [width, bytes](const Device &device) { return prepare_copy(device, {"float", 4, width}, bytes); },
         .is_ceiling = true,
         .group = {}});
}

}  // namespace upsweep::bench
