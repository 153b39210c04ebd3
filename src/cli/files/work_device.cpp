// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Opens the device and transfers bytes.
#include "cli/files/work_device.h"

#include "cli/own_driver.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <upsweep/opencl/scan.h>

namespace upsweep::cli {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

}  // namespace

Result<std::unique_ptr<WorkDevice>> WorkDevice::open(const std::string &choice) {
  if (choice.empty()) return std::unique_ptr<WorkDevice>();
  prefer_own_driver();
  return choose_device(choice).and_then(open_device).map([](Device device) {
    return std::unique_ptr<WorkDevice>(new WorkDevice(std::move(device)));
  });
}

WorkDevice::~WorkDevice() { opencl::release_programs(device_.context()); }

Result<cl_mem> WorkDevice::room(size_t place, size_t bytes) {
  const auto most = device_.device.getInfo<CL_DEVICE_MAX_MEM_ALLOC_SIZE>();
  if (bytes > most) return fail("{} MiB do not fit into a buffer; the device's limit is {} MiB", bytes >> 20, most >> 20);
  rooms_.resize(std::max(rooms_.size(), place + 1));
  cl::Buffer &room = rooms_[place];
  if (room() && room.getInfo<CL_MEM_SIZE>() >= bytes) return room();
  room = cl::Buffer();  // free the old buffer first, so that both need not fit
  cl_int error = CL_SUCCESS;
  room = cl::Buffer(device_.context, CL_MEM_READ_WRITE, std::max<size_t>(bytes, 64), nullptr, &error);
  if (auto done = check(error, "make a buffer"); !done) return Failure(done.error());
  return room();
}

Result<cl_mem> WorkDevice::upload(size_t place, const void *from, size_t bytes) {
  auto memory = room(place, bytes);
  if (!memory || bytes == 0) return memory;
  const auto start = Clock::now();
  const cl_int error = clEnqueueWriteBuffer(device_.queue(), *memory, CL_TRUE, 0, bytes, from, 0, nullptr, nullptr);
  transfer_seconds_ += seconds_since(start);
  if (auto done = check(error, "write to the device"); !done) return Failure(done.error());
  return memory;
}

Result<void> WorkDevice::download(cl_mem memory, size_t offset, void *to, size_t bytes) {
  if (bytes == 0) return {};
  const auto start = Clock::now();
  const cl_int error = clEnqueueReadBuffer(device_.queue(), memory, CL_TRUE, offset, bytes, to, 0, nullptr, nullptr);
  transfer_seconds_ += seconds_since(start);
  return check(error, "read from the device");
}

Result<void> WorkDevice::download_column(cl_mem memory, size_t offset, size_t pitch, size_t bytes, size_t rows, void *to) {
  if (rows == 0) return {};
  const std::array<size_t, 3> from{offset % pitch, offset / pitch, 0}, none{}, region{bytes, rows, 1};
  const auto start = Clock::now();
  const cl_int error = clEnqueueReadBufferRect(device_.queue(), memory, CL_TRUE, from.data(), none.data(), region.data(), pitch,
                                               0, bytes, 0, to, 0, nullptr, nullptr);
  transfer_seconds_ += seconds_since(start);
  return check(error, "read from the device");
}

Result<void> WorkDevice::call(const std::function<cl_int(cl_command_queue)> &enqueue) {
  const auto start = Clock::now();
  const cl_int error = enqueue(device_.queue());
  if (error != CL_SUCCESS) return fail("{}: {}: {}", name(), error_name(error), opencl::last_message());
  const auto done = check(device_.queue.finish(), "run the device's commands");
  call_seconds_ += seconds_since(start);
  return done;
}

std::string WorkDevice::name() const { return device_.device.getInfo<CL_DEVICE_NAME>(); }

std::string WorkDevice::times() const {
  return fmt::format("{}: transfers {:.3f} ms, calls {:.3f} ms", name(), transfer_seconds_ * 1e3, call_seconds_ * 1e3);
}

}  // namespace upsweep::cli
