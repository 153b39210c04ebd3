// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Transfers between the host's memory and buffers, and between buffers.
#include "bench/cases.h"

#include <algorithm>
#include <cstring>

namespace upsweep::bench {
namespace {

enum class Way { Write, Read, WriteMapped, ReadMapped, Copy, Fill };

// The host's side is an ordinary vector, or mapped memory that the driver allocated (CL_MEM_ALLOC_HOST_PTR).
struct HostSide {
  std::vector<float> plain;
  cl::Buffer mapped;
  float *data = nullptr;
};

Result<std::shared_ptr<HostSide>> make_host_side(const Device &device, size_t bytes, bool mapped) {
  auto side = std::make_shared<HostSide>();
  side->plain = make_floats(bytes / sizeof(float));
  side->data = side->plain.data();
  if (!mapped) return side;
  cl_int error = CL_SUCCESS;
  side->mapped = cl::Buffer(device.context, CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR, bytes, nullptr, &error);
  if (auto done = cli::check(error, "make a buffer of the host's"); !done) return Failure(done.error());
  void *memory =
      device.queue.enqueueMapBuffer(side->mapped, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0, bytes, nullptr, nullptr, &error);
  if (auto done = cli::check(error, "map it"); !done) return Failure(done.error());
  side->data = static_cast<float *>(memory);
  std::memcpy(memory, side->plain.data(), bytes);
  return side;
}

Result<Prepared> prepare(const Device &device, Way way, size_t bytes) {
  const bool reads = way == Way::Read || way == Way::ReadMapped;
  const auto host = make_host_side(device, bytes, way == Way::WriteMapped || way == Way::ReadMapped);
  if (!host) return Failure(host.error());
  const auto values = std::make_shared<std::vector<float>>((*host)->plain);
  const auto from = make_buffer(device, bytes, values->data());
  const auto to = make_buffer(device, bytes, nullptr);
  if (!from || !to) return Failure(from ? to.error() : from.error());
  if (reads) {
    // The device has written the bytes: a buffer created from the host's values may still be in host memory.
    std::fill_n((*host)->data, bytes / sizeof(float), 0.0f);
    const cl_int copied = device.queue.enqueueCopyBuffer(*from, *to, 0, 0, bytes);
    if (auto done = cli::check(copied, "copy a buffer"); !done) return Failure(done.error());
  }
  const auto enqueue = [=, queue = device.queue, from = *from, to = *to, host = *host]() -> cl_int {
    if (way == Way::Copy) return queue.enqueueCopyBuffer(from, to, 0, 0, bytes);
    if (way == Way::Fill) return queue.enqueueFillBuffer(to, 0.5f, 0, bytes);
    if (reads) return queue.enqueueReadBuffer(to, CL_FALSE, 0, bytes, host->data);
    return queue.enqueueWriteBuffer(to, CL_FALSE, 0, bytes, host->data);
  };
  const auto verify = [=, to = *to, host = *host]() -> Result<void> {
    std::vector<float> got(host->data, host->data + bytes / sizeof(float));
    if (!reads) {
      auto read = read_buffer<float>(device, to, values->size());
      if (!read) return Failure(read.error());
      got = std::move(*read);
    }
    return compare(got, [&](size_t i) { return way == Way::Fill ? 0.5f : (*values)[i]; }, 0);
  };
  return Prepared{enqueue, verify, {*from, *to}};
}

}  // namespace

void add_transfers(std::vector<Case> &cases, const Options &options) {
  const size_t bytes = size_t{options.on_gpu() ? 256u : 64u} << 20;
  auto add = [&](const char *name, const char *variant, Way way, double arrays) {
    cases.push_back({.name = name,
                     .variant = fmt::format("{}, {} MiB", variant, bytes >> 20),
                     .bound = Bound::Memory,
                     .bytes = arrays * static_cast<double>(bytes),
                     .prepare = [=](const Device &device) { return prepare(device, way, bytes); },
                     .group = "transfers"});
  };
  add("write buffer", "from any memory", Way::Write, 1);
  add("write buffer", "from mapped memory", Way::WriteMapped, 1);
  add("read buffer", "to any memory", Way::Read, 1);
  add("read buffer", "to mapped memory", Way::ReadMapped, 1);
  add("copy buffer", "on the device", Way::Copy, 2);
  add("fill buffer", "on the device", Way::Fill, 1);
}

}  // namespace upsweep::bench
