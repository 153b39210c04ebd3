// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Work-group and sub-group collectives per type and work-group size, beside a plain copy kernel of the same shape.
#include "bench/opencl/collectives.h"
#include "bench/harness.h"

#include <algorithm>
#include <cstdint>
#include <numeric>

namespace {

using namespace upsweep::bench;
using upsweep::cli::fail;

constexpr size_t kMemoryBytes = size_t{64} << 20;  // of each array: in no core's share of a last-level cache
constexpr size_t kCacheBytes = size_t{1} << 20;    // in the caches, where the function's own time shows
constexpr size_t kWorkGroups[] = {64, 128, 256, 512, 1024};

enum class Shape { Copy, ScanInclusive, ScanExclusive, Reduce, Broadcast };

struct Collective {
  const char *function;
  Shape shape;
  bool sub_group;
};

constexpr Collective kCollectives[] = {
    {"", Shape::Copy, false},
    {"work_group_scan_inclusive_add", Shape::ScanInclusive, false},
    {"work_group_scan_exclusive_add", Shape::ScanExclusive, false},
    {"work_group_reduce_add", Shape::Reduce, false},
    {"work_group_broadcast_3", Shape::Broadcast, false},
    {"sub_group_scan_inclusive_add", Shape::ScanInclusive, true},
    {"sub_group_scan_exclusive_add", Shape::ScanExclusive, true},
    {"sub_group_reduce_add", Shape::Reduce, true},
    {"sub_group_broadcast_3", Shape::Broadcast, true},
};

// 0 or 1, so that every sum of 1024 is exact in half as well, whatever the order of the additions.
template <typename T>
std::vector<T> make_values(size_t count) {
  std::vector<T> values(count);
  uint32_t state = 1;
  for (T &value : values) {
    state = state * 1664525u + 1013904223u;  // Numerical Recipes' generator
    value = static_cast<T>(static_cast<float>(state >> 31));
  }
  return values;
}

template <typename T>
void expect_run(Shape shape, const T *in, T *out, size_t size) {
  switch (shape) {
  case Shape::Copy: std::copy_n(in, size, out); break;
  case Shape::ScanInclusive: std::inclusive_scan(in, in + size, out); break;
  case Shape::ScanExclusive: std::exclusive_scan(in, in + size, out, T(0)); break;
  case Shape::Reduce: std::fill_n(out, size, std::accumulate(in, in + size, T(0))); break;
  case Shape::Broadcast: std::fill_n(out, size, in[3]); break;
  }
}

// Runs of `run` values; sub-groups start again with each work-group.
template <typename T>
std::vector<T> expect(Shape shape, const std::vector<T> &in, size_t work_group, size_t run) {
  std::vector<T> out(in.size());
  for (size_t group = 0; group < in.size(); group += work_group)
    for (size_t first = 0; first < work_group; first += run)
      expect_run(shape, &in[group + first], &out[group + first], std::min(run, work_group - first));
  return out;
}

Result<size_t> sub_group_size(const Device &device, const cl::Kernel &kernel, size_t work_group) {
  size_t size = 0;
  const cl_int error = clGetKernelSubGroupInfo(kernel(), device.device(), CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE,
                                               sizeof(work_group), &work_group, sizeof(size), &size, nullptr);
  return upsweep::cli::check(error, "ask for the sub-group size").map([&] { return size; });
}

template <typename T>
Result<Prepared> prepare(const Device &device, const char *type, const Collective &what, size_t work_group, size_t bytes) {
  std::string options = fmt::format("-cl-std=CL3.0 -DTYPE={}", type);
  if (*what.function) options += fmt::format(" -DCOLLECTIVE={}", what.function);
  if (std::string_view(type) == "half") options += " -DUSES_HALF";
  auto kernel = make_kernel(device, kCollectivesSource, options, "collective");
  if (!kernel) return Failure(kernel.error());
  const size_t count = bytes / sizeof(T);
  const auto in = make_buffer(device, bytes, make_values<T>(count).data());
  const auto out = make_buffer(device, bytes, nullptr);
  if (!in || !out) return Failure(in ? out.error() : in.error());
  const auto run = what.sub_group ? sub_group_size(device, *kernel, work_group) : Result<size_t>(work_group);
  if (!run) return Failure(run.error());
  kernel->setArg(0, *in);
  kernel->setArg(1, *out);
  const auto verify = [device, out = *out, shape = what.shape, work_group, run = *run, count]() -> Result<void> {
    const auto got = read_buffer<T>(device, out, count);
    if (!got) return Failure(got.error());
    const auto expected = expect(shape, make_values<T>(count), work_group, run);
    const auto [at, _] = std::ranges::mismatch(*got, expected);
    if (at != got->end()) return fail("element {}", at - got->begin());
    return {};
  };
  return Prepared{launch(device, *kernel, cl::NDRange(count), cl::NDRange(work_group)), verify, {*in, *out}};
}

template <typename T>
void add_group(std::vector<Case> &cases, const char *type, size_t work_group, size_t bytes) {
  for (const Collective &what : kCollectives) {
    Case one;
    one.group = fmt::format("{}, work-group {}, {} MiB", type, work_group, bytes >> 20);
    one.variant = one.group;
    one.is_ceiling = what.shape == Shape::Copy;
    one.name = one.is_ceiling ? "copy" : what.function;
    if (one.name.ends_with("_3")) one.name.resize(one.name.size() - 2);
    one.bound = Bound::Memory;
    one.bytes = 2.0 * static_cast<double>(bytes);
    one.elements = static_cast<double>(bytes) / sizeof(T);
    one.prepare = [type, what, work_group, bytes](const Device &device) {
      return prepare<T>(device, type, what, work_group, bytes);
    };
    cases.push_back(std::move(one));
  }
}

template <typename T>
void add_cases(std::vector<Case> &cases, const char *type) {
  for (const size_t work_group : kWorkGroups) add_group<T>(cases, type, work_group, kMemoryBytes);
  add_group<T>(cases, type, 256, kCacheBytes);
}

std::vector<Case> make_cases(const Options &) {
  std::vector<Case> cases;
  add_cases<cl_int>(cases, "int");
  add_cases<cl_uint>(cases, "uint");
  add_cases<cl_long>(cases, "long");
  add_cases<cl_ulong>(cases, "ulong");
  add_cases<_Float16>(cases, "half");
  add_cases<float>(cases, "float");
  add_cases<double>(cases, "double");
  return cases;
}

}  // namespace

int main(int argc, char **argv) {
  const Suite suite = {
      "collectives",
      "Work-group and sub-group functions on arrays in memory (64 MiB) and in the caches (1 MiB): each work-item reads "
      "one element, calls the function and writes the result. The share is that of the plain copy kernel of the same "
      "type, size and work-group; a broadcast can exceed it, since it needs one element of each group only."};
  return run_main(argc, argv, suite, make_cases);
}
