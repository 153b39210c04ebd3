// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tiles that are copied to local memory and back by async copies, while another tile is processed.
#include "bench/opencl/async_copies.h"
#include "bench/cases.h"

namespace upsweep::bench {
namespace {

Result<Prepared> prepare(const Device &device, size_t count, size_t ints, size_t group) {
  auto kernel = make_kernel(device, kAsyncCopiesSource, "", "tiles");
  if (!kernel) return Failure(kernel.error());
  const size_t bytes = count * sizeof(cl_int), tiles = count / ints, local_bytes = 2 * ints * sizeof(cl_int);
  std::vector<cl_int> values(count);
  for (size_t i = 0; i < count; ++i) values[i] = static_cast<cl_int>(i % 1000);
  const auto in = make_buffer(device, bytes, values.data()), out = make_buffer(device, bytes, nullptr);
  if (!in || !out) return Failure(in ? out.error() : in.error());
  kernel->setArg(0, *in);
  kernel->setArg(1, *out);
  kernel->setArg(2, static_cast<cl_uint>(tiles));
  kernel->setArg(3, static_cast<cl_uint>(ints));
  kernel->setArg(4, local_bytes, nullptr);
  // As many work-groups as a unit runs together. A GPU's unit has 2048 work-items, and allocates a little more local memory
  // than requested.
  const size_t local_memory = device.device.getInfo<CL_DEVICE_LOCAL_MEM_SIZE>();
  const size_t resident = std::clamp<size_t>(local_memory / (local_bytes + 1152), 1, 2048 / group);
  const size_t groups = std::min<size_t>(tiles, resident * device.device.getInfo<CL_DEVICE_MAX_COMPUTE_UNITS>());
  const auto verify = [device, out = *out, tiles, ints] {
    return read_buffer<cl_int>(device, out, tiles * ints).and_then([&](const std::vector<cl_int> &got) {
      return compare(got, [](size_t i) { return 3 * static_cast<cl_int>(i % 1000) + 1; }, 0, 7);
    });
  };
  return Prepared{launch(device, *kernel, cl::NDRange(groups * group), cl::NDRange(group)), verify, {*in, *out}};
}

}  // namespace

void add_async_copies(std::vector<Case> &cases, const Options &options) {
  const size_t count = size_t{1} << (options.on_gpu() ? 26 : 24);
  for (const size_t group : {64, 256})
    for (const size_t ints : {256, 1024, 4096})
      cases.push_back({.name = "tiles by async copies",
                       .variant = fmt::format("{} KiB, work-group {}", ints * sizeof(cl_int) / 1024, group),
                       .bound = Bound::Memory,
                       .bytes = 2.0 * sizeof(cl_int) * static_cast<double>(count),
                       .elements = static_cast<double>(count),
                       .prepare = [=](const Device &device) { return prepare(device, count, ints, group); },
                       .group = {}});
}

}  // namespace upsweep::bench
