// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Work-group and sub-group collectives for each type and work-group size, with a plain copy kernel of the same shape.
#include "bench/opencl/collectives.h"
#include "bench/harness.h"
#include "bench/opencl/collectives_emulated.h"

#include <algorithm>
#include <cstdint>
#include <numeric>

namespace {

using namespace upsweep::bench;
using upsweep::cli::fail;

constexpr size_t kMemoryBytes = size_t{64} << 20;  // of each array: more than a core's share of a last-level cache
constexpr size_t kCacheBytes = size_t{1} << 20;    // in the caches, where the function's own time shows
constexpr size_t kWorkGroups[] = {64, 128, 256, 512, 1024};

// On a GPU: enough work-items to fill it, on arrays that stay in its L2, with many calls for each element.
constexpr size_t kGpuItems = size_t{1} << 21;
constexpr int kRounds = 256;
constexpr size_t kGpuWorkGroups[] = {32, 64, 128, 256, 512, 1024};
constexpr size_t kGpuSubGroup = 32;

enum class Shape { Copy, ScanInclusive, ScanExclusive, Reduce, Broadcast };
enum class Operator { Add, Min, Max };

struct Collective {
  const char *function;
  Shape shape;
  bool sub_group;
  Operator combine = Operator::Add;
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

constexpr Collective kGpuCollectives[] = {
    {"work_group_scan_inclusive_add", Shape::ScanInclusive, false},
    {"work_group_scan_exclusive_add", Shape::ScanExclusive, false},
    {"work_group_scan_inclusive_max", Shape::ScanInclusive, false, Operator::Max},
    {"work_group_reduce_add", Shape::Reduce, false},
    {"work_group_reduce_min", Shape::Reduce, false, Operator::Min},
    {"work_group_broadcast_3", Shape::Broadcast, false},
    {"work_group_any", Shape::Reduce, false, Operator::Max},
    {"work_group_all", Shape::Reduce, false, Operator::Min},
    {"sub_group_scan_inclusive_add", Shape::ScanInclusive, true},
    {"sub_group_scan_exclusive_add", Shape::ScanExclusive, true},
    {"sub_group_reduce_add", Shape::Reduce, true},
    {"sub_group_reduce_max", Shape::Reduce, true, Operator::Max},
    {"sub_group_broadcast_3", Shape::Broadcast, true},
    {"sub_group_any", Shape::Reduce, true, Operator::Max},
};

// 0 or 1, so that every sum of 1024 is exact in half as well, in any order of the additions.
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
void expect_run(const Collective &what, const T *in, T *out, size_t size) {
  const auto combine = [&](T a, T b) {
    return what.combine == Operator::Add   ? static_cast<T>(a + b)
           : what.combine == Operator::Min ? std::min(a, b)
                                           : std::max(a, b);
  };
  switch (what.shape) {
  case Shape::Copy: std::copy_n(in, size, out); break;
  case Shape::ScanInclusive: std::inclusive_scan(in, in + size, out, combine); break;
  case Shape::ScanExclusive: std::exclusive_scan(in, in + size, out, T(0), combine); break;  // of sums only
  case Shape::Reduce: std::fill_n(out, size, std::accumulate(in + 1, in + size, in[0], combine)); break;
  case Shape::Broadcast: std::fill_n(out, size, in[3]); break;
  }
}

// Runs of `run` values; sub-groups start again with each work-group.
template <typename T>
std::vector<T> expect(const Collective &what, const std::vector<T> &in, size_t work_group, size_t run) {
  std::vector<T> out(in.size());
  for (size_t group = 0; group < in.size(); group += work_group)
    for (size_t first = 0; first < work_group; first += run)
      expect_run(what, &in[group + first], &out[group + first], std::min(run, work_group - first));
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
  std::string options = fmt::format("-cl-std=CL3.0 -DTYPE={} -DGROUP={}", type, work_group);
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
  const auto verify = [device, out = *out, what, work_group, run = *run, count]() -> Result<void> {
    const auto got = read_buffer<T>(device, out, count);
    if (!got) return Failure(got.error());
    const auto expected = expect(what, make_values<T>(count), work_group, run);
    const auto [at, _] = std::ranges::mismatch(*got, expected);
    if (at != got->end()) return fail("element {}", at - got->begin());
    return {};
  };
  return Prepared{launch(device, *kernel, cl::NDRange(count), cl::NDRange(work_group)), verify, {*in, *out}};
}

std::string name_of(const Collective &what) {
  const std::string_view name = *what.function ? what.function : "copy";
  return std::string(name.ends_with("_3") ? name.substr(0, name.size() - 2) : name);
}

template <typename T>
void add_group(std::vector<Case> &cases, const char *type, size_t work_group, size_t bytes) {
  for (const Collective &what : kCollectives) {
    Case one;
    one.group = fmt::format("{}, work-group {}, {} MiB", type, work_group, bytes >> 20);
    one.variant = one.group;
    one.is_ceiling = what.shape == Shape::Copy;
    one.name = name_of(what);
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

// The kernel "rounds" of a program.
template <typename T>
Result<Prepared> prepare_rounds(const Device &device, const std::string &source, const std::string &options,
                                const Collective &what, size_t work_group) {
  auto kernel = make_kernel(device, source, options, "rounds");
  if (!kernel) return Failure(kernel.error());
  auto values = make_values<T>(kGpuItems);
  const auto in = make_buffer(device, kGpuItems * sizeof(T), values.data());
  const auto out = make_buffer(device, kGpuItems * sizeof(T), nullptr);
  if (!in || !out) return Failure(in ? out.error() : in.error());
  kernel->setArg(0, *in);
  kernel->setArg(1, *out);
  kernel->setArg(2, kRounds);
  const auto verify = [device, out = *out, what, work_group, values]() -> Result<void> {
    const auto got = read_buffer<T>(device, out, kGpuItems);
    if (!got) return Failure(got.error());
    const size_t run = what.sub_group ? std::min(kGpuSubGroup, work_group) : work_group;
    auto others = values;
    for (T &value : others) value = T(1) - value;
    const auto first = expect(what, values, work_group, run), second = expect(what, others, work_group, run);
    for (size_t i = 0; i < kGpuItems; ++i) {
      const T kept =
          std::is_integral_v<T> ? static_cast<T>(kRounds / 2 * (first[i] + second[i])) : std::max(first[i], second[i]);
      if ((*got)[i] != kept) return fail("element {}", i);
    }
    return {};
  };
  return Prepared{launch(device, *kernel, cl::NDRange(kGpuItems), cl::NDRange(work_group)), verify, {*in, *out}};
}

// Options of the emulations, with the identity of ADD, MIN and MAX for values of 0 and 1.
std::string emulation_options(const char *type, const Collective &what, size_t work_group) {
  constexpr const char *kShapes[] = {"", "SCAN_INCLUSIVE", "SCAN_EXCLUSIVE", "REDUCE", "BROADCAST"};
  constexpr const char *kOperators[] = {"ADD", "MIN", "MAX"};
  return fmt::format("-DTYPE={} -DGROUP={} -DRUN={} -DCOLLECTIVE={} -DOPERATOR={} -DIDENTITY={}{}", type, work_group,
                     what.sub_group ? kGpuSubGroup : work_group, kShapes[static_cast<int>(what.shape)],
                     kOperators[static_cast<int>(what.combine)], what.combine == Operator::Min ? 1 : 0,
                     std::string_view(type) == "long" || std::string_view(type) == "double" ? " -DLARGE" : "");
}

template <typename T>
void add_gpu_case(std::vector<Case> &cases, const char *type, const Collective &what, size_t work_group) {
  Case one;
  one.variant = fmt::format("{}, work-group {}", type, work_group);
  one.name = name_of(what);
  one.group = "rounds";
  one.elements = static_cast<double>(kGpuItems) * kRounds;
  one.prepare = [=](const Device &device) {
    return prepare_rounds<T>(device, std::string(kCollectivesSource),
                             fmt::format("-cl-std=CL3.0 -cl-uniform-work-group-size -DTYPE={} -DGROUP={} -DCOLLECTIVE={}{}{}",
                                         type, work_group, what.function,
                                         std::string_view(type) == "half" ? " -DUSES_HALF" : "",
                                         std::is_integral_v<T> ? " -DINTEGER" : ""),
                             what, work_group);
  };
  const std::string emulated = std::string(kCollectivesEmulatedSource) + std::string(kCollectivesSource);
  for (const auto &[name, option] : {std::pair("local memory", ""), std::pair("PTX shuffles", " -DSHUFFLES")})
    one.emulations.push_back({name, [=, option = option](const Device &device) {
                                return prepare_rounds<T>(device, emulated,
                                                         emulation_options(type, what, work_group) + option +
                                                             (std::is_integral_v<T> ? " -DINTEGER" : ""),
                                                         what, work_group);
                              }});
  cases.push_back(std::move(one));
}

template <typename T>
void add_gpu_cases(std::vector<Case> &cases, const char *type) {
  for (const Collective &what : kGpuCollectives) {
    const std::string_view name = what.function;
    if ((name.ends_with("_any") || name.ends_with("_all")) && !std::is_same_v<T, cl_int>) continue;
    for (const size_t work_group : kGpuWorkGroups)
      if (!what.sub_group || work_group == 256) add_gpu_case<T>(cases, type, what, work_group);
  }
}

std::vector<Case> make_cases(const Options &options) {
  std::vector<Case> cases;
  if (options.on_gpu()) {
    add_gpu_cases<cl_int>(cases, "int");
    add_gpu_cases<cl_uint>(cases, "uint");
    add_gpu_cases<cl_long>(cases, "long");
    add_gpu_cases<float>(cases, "float");
    add_gpu_cases<double>(cases, "double");
    add_gpu_cases<_Float16>(cases, "half");
    return cases;
  }
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
      "Work-group and sub-group functions. On CPUs, on arrays in memory (64 MiB) and in the caches (1 MiB): each work-item "
      "reads "
      "one element, calls the function and writes the result. The share is that of the plain copy kernel of the same "
      "type, size and work-group; a broadcast can exceed it, since it needs one element of each group only. On GPUs each of "
      "2^21 "
      "work-items calls the function 256 times; platforms that lack it get the best emulations in local memory with barriers, "
      "and by "
      "shuffles in inline PTX."};
  return run_main(argc, argv, suite, make_cases);
}
