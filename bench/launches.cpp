// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The cost of launches: an empty kernel from call to return and from queue to start, and a thousand small kernels in a row.
#include "bench/opencl/launches.h"
#include "bench/cases.h"

namespace upsweep::bench {
namespace {

constexpr size_t kItems = 1024;
constexpr size_t kWorkGroup = 256;
constexpr int kRow = 1000;

struct Small {
  cl::Kernel kernel;
  cl::Buffer values;
};

Result<Small> prepare_small(const Device &device, const char *name) {
  auto kernel = make_kernel(device, kLaunchesSource, "", name);
  if (!kernel) return Failure(kernel.error());
  const std::vector<float> zeros(kItems);
  const auto values = make_buffer(device, kItems * sizeof(float), zeros.data());
  if (!values) return Failure(values.error());
  kernel->setArg(0, *values);
  return Small{*kernel, *values};
}

Result<Prepared> prepare_wait(const Device &device) {
  const auto small = prepare_small(device, "nothing");
  if (!small) return Failure(small.error());
  const auto enqueue = [device, kernel = small->kernel] {
    const cl_int error = device.queue.enqueueNDRangeKernel(kernel, cl::NullRange, cl::NDRange(1), cl::NDRange(1));
    return error == CL_SUCCESS ? device.queue.finish() : error;
  };
  return Prepared{enqueue, [] { return Result<void>(); }, {small->values}};
}

// Measured by the driver's profiling, whose queue and start times have one clock.
Result<Prepared> prepare_start(const Device &device) {
  auto prepared = prepare_wait(device);
  const auto small = prepare_small(device, "nothing");
  const auto queue = make_queue(device, cl::QueueProperties::Profiling);
  if (!prepared || !small) return Failure(prepared ? small.error() : prepared.error());
  if (!queue) return Failure(queue.error());
  prepared->seconds = [queue = *queue, kernel = small->kernel] {
    cl::Event event;
    queue.enqueueNDRangeKernel(kernel, cl::NullRange, cl::NDRange(1), cl::NDRange(1), nullptr, &event);
    event.wait();
    const auto queued = event.getProfilingInfo<CL_PROFILING_COMMAND_QUEUED>();
    return static_cast<double>(event.getProfilingInfo<CL_PROFILING_COMMAND_START>() - queued) * 1e-9;
  };
  prepared->memory.push_back(small->values);
  return prepared;
}

Result<Prepared> prepare_row(const Device &device) {
  const auto small = prepare_small(device, "increment");
  if (!small) return Failure(small.error());
  const auto enqueue = [queue = device.queue, kernel = small->kernel] {
    for (int i = 0; i < kRow; ++i)
      if (const cl_int status = queue.enqueueNDRangeKernel(kernel, cl::NullRange, cl::NDRange(kItems), cl::NDRange(kWorkGroup));
          status != CL_SUCCESS)
        return status;
    return queue.finish();
  };
  const auto verify = [device, values = small->values] {
    return read_buffer<float>(device, values, kItems).and_then([](const std::vector<float> &got) {
      return compare(got, [](size_t) { return kRow; }, 0);
    });
  };
  return Prepared{enqueue, verify, {small->values}};
}

}  // namespace

void add_launches(std::vector<Case> &cases) {
  cases.push_back({.name = "empty launch", .variant = "one work-item, waited for", .prepare = prepare_wait, .group = {}});
  cases.push_back(
      {.name = "empty launch", .variant = "one work-item, from queue to start", .prepare = prepare_start, .group = {}});
  cases.push_back({.name = "1000 launches", .variant = "1024 work-items each, in a row", .prepare = prepare_row, .group = {}});
}

}  // namespace upsweep::bench
