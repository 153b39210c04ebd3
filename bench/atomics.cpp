// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Atomic additions, tickets from one counter, and a histogram of bytes. Counters grow with each run; the check runs after the
// first.
#include "bench/opencl/atomics.h"
#include "bench/cases.h"

#include <algorithm>
#include <bit>

namespace upsweep::bench {
namespace {

constexpr size_t kWorkGroup = 256;
constexpr size_t kSpread = 1024;
constexpr size_t kAdditions = 64;

Result<cl::Kernel> make(const Device &device, const char *name) {
  return make_kernel(device, kAtomicsSource, fmt::format("-DSPREAD={} -DADDITIONS={}", kSpread, kAdditions), name);
}

Result<cl::Buffer> make_counters(const Device &device, size_t count) {
  return make_buffer(device, count * sizeof(cl_uint), std::vector<cl_uint>(count).data());
}

Result<Prepared> prepare_additions(const Device &device, const char *name, size_t items) {
  auto kernel = make(device, name);
  if (!kernel) return Failure(kernel.error());
  const auto counters = make_counters(device, kSpread);
  if (!counters) return Failure(counters.error());
  kernel->setArg(0, *counters);
  if (std::string_view(name) == "add_local") kernel->setArg(1, kSpread * sizeof(cl_uint), nullptr);
  const auto verify = [device, counters = *counters, items] {
    return read_buffer<cl_uint>(device, counters, kSpread).and_then([&](const std::vector<cl_uint> &got) {
      double sum = 0;
      for (const cl_uint counter : got) sum += counter;
      return compare(std::vector{sum}, [&](size_t) { return static_cast<double>(items * kAdditions); }, 0);
    });
  };
  return Prepared{launch(device, *kernel, cl::NDRange(items), cl::NDRange(kWorkGroup)), verify, {*counters}};
}

Result<Prepared> prepare_tickets(const Device &device, size_t items) {
  auto kernel = make(device, "tickets");
  if (!kernel) return Failure(kernel.error());
  const auto counter = make_counters(device, 1);
  const auto got = make_counters(device, items);
  if (!counter || !got) return Failure(counter ? got.error() : counter.error());
  kernel->setArg(0, *counter);
  kernel->setArg(1, *got);
  const auto verify = [device, got = *got, items] {
    return read_buffer<cl_uint>(device, got, items).and_then([](std::vector<cl_uint> values) {
      std::ranges::sort(values);
      return compare(values, [](size_t i) { return i; }, 0);
    });
  };
  return Prepared{launch(device, *kernel, cl::NDRange(items), cl::NDRange(kWorkGroup)), verify, {*counter, *got}};
}

Result<Prepared> prepare_histogram(const Device &device, size_t count, size_t groups) {
  auto kernel = make(device, "histogram");
  if (!kernel) return Failure(kernel.error());
  std::vector<cl_uchar> values(count);
  std::vector<cl_uint> expected(256);
  uint32_t state = 1;
  for (cl_uchar &value : values) {
    state = state * 1664525u + 1013904223u;  // Numerical Recipes' generator
    value = static_cast<cl_uchar>(state >> 24);
    ++expected[value];
  }
  const auto in = make_buffer(device, count, values.data());
  const auto bins = make_counters(device, 256);
  if (!in || !bins) return Failure(in ? bins.error() : in.error());
  kernel->setArg(0, *in);
  kernel->setArg(1, *bins);
  kernel->setArg(2, static_cast<cl_uint>(count));
  const auto verify = [device, bins = *bins, expected] {
    return read_buffer<cl_uint>(device, bins, 256).and_then([&](const std::vector<cl_uint> &got) {
      return compare(got, [&](size_t i) { return expected[i]; }, 0);
    });
  };
  return Prepared{launch(device, *kernel, cl::NDRange(groups * kWorkGroup), cl::NDRange(kWorkGroup)), verify, {*in, *bins}};
}

}  // namespace

void add_atomics(std::vector<Case> &cases, const Options &options) {
  const size_t items = size_t{1} << (options.on_gpu() ? 22 : 16);
  const size_t bytes = size_t{options.on_gpu() ? 256u : 64u} << 20;
  auto add = [&](const char *name, std::string variant, double operations, Prepare prepare) {
    cases.push_back({.name = name,
                     .variant = std::move(variant),
                     .elements = operations,
                     .prepare = std::move(prepare),
                     .group = "atomics"});
  };
  for (const auto &[name, kernel] : {std::pair("atomics, global", "add_global"), std::pair("atomics, local", "add_local")})
    add(name, fmt::format("add to {} uint", kSpread), static_cast<double>(items * kAdditions),
        [=, kernel = kernel](const Device &device) { return prepare_additions(device, kernel, items); });
  add("atomics, one counter", fmt::format("uint, 2^{} tickets", std::countr_zero(items)), static_cast<double>(items),
      [=](const Device &device) { return prepare_tickets(device, items); });
  add("histogram", fmt::format("bytes, {} MiB, 256 bins", bytes >> 20), static_cast<double>(bytes),
      [=](const Device &device) { return prepare_histogram(device, bytes, options.on_gpu() ? 2048 : 64); });
}

}  // namespace upsweep::bench
