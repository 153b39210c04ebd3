// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Locks and hash tables. Counters grow with each run; the check runs after the first.
#include "bench/opencl/locks.h"
#include "bench/cases.h"

#include <numeric>

namespace upsweep::bench {
namespace {

constexpr size_t kWorkGroup = 256;
constexpr size_t kLocks = 1024;
constexpr size_t kKeys = size_t{1} << 14;
constexpr size_t kSlots = 2 * kKeys + 1;

Result<Prepared> prepare_locks(const Device &device, const char *name, size_t items, size_t counts) {
  auto kernel = make_kernel(device, kLocksSource,
                            fmt::format("-cl-std=CL3.0 -DLOCKS={} -DKEYS={} -DSLOTS={}", kLocks, kKeys, kSlots), name);
  if (!kernel) return Failure(kernel.error());
  const std::vector<cl_uint> zeros(kSlots);
  const auto words = make_buffer(device, kSlots * sizeof(cl_uint), zeros.data());
  const auto counters = make_buffer(device, kSlots * sizeof(cl_uint), zeros.data());
  if (!words || !counters) return Failure(words ? counters.error() : words.error());
  kernel->setArg(0, *words);
  kernel->setArg(1, *counters);
  const auto verify = [device, counters = *counters, counts] {
    return read_buffer<cl_uint>(device, counters, kSlots).and_then([&](const std::vector<cl_uint> &got) {
      const double sum = std::accumulate(got.begin(), got.end(), 0.0);
      return compare(std::vector{sum}, [&](size_t) { return static_cast<double>(counts); }, 0);
    });
  };
  return Prepared{launch(device, *kernel, cl::NDRange(items), cl::NDRange(kWorkGroup)), verify, {*words, *counters}};
}

}  // namespace

void add_locks(std::vector<Case> &cases, const Options &options) {
  const size_t items = size_t{1} << (options.on_gpu() ? 20 : 16);
  auto add = [&](const char *name, std::string variant, const char *kernel, size_t counts) {
    cases.push_back({.name = name,
                     .variant = std::move(variant),
                     .elements = static_cast<double>(items),
                     .prepare = [=](const Device &device) { return prepare_locks(device, kernel, items, counts); },
                     .group = "locks"});
  };
  add("locks", fmt::format("{} locks, all work-items", kLocks), "lock_sums", items);
  add("locks", "one lock, a work-item of each work-group", "leader_sums", items / kWorkGroup);
  add("hash table", "insert", "insert", items);
  add("hash table", "insert with busy slots", "insert_busy", items);
}

}  // namespace upsweep::bench
