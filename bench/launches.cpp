// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The cost of launches: an empty kernel from call to return and from queue to start, and a thousand small kernels in a row,
// with buffers and with unified shared memory.
#include "bench/opencl/launches.h"
#include "bench/cases.h"

#include <CL/cl_ext.h>

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

/// Launches that wait for the event of the launch before, as SYCL's queues enqueue them.
cl_int enqueue_chain(const cl::CommandQueue &queue, const cl::Kernel &kernel) {
  std::vector<cl::Event> last;
  for (int i = 0; i < kRow; ++i) {
    cl::Event event;
    const cl_int status = queue.enqueueNDRangeKernel(kernel, cl::NullRange, cl::NDRange(kItems), cl::NDRange(kWorkGroup),
                                                     last.empty() ? nullptr : &last, &event);
    if (status != CL_SUCCESS) return status;
    last.assign(1, event);
  }
  return queue.finish();
}

Result<Prepared> prepare_chain(const Device &device) {
  const auto small = prepare_small(device, "increment");
  if (!small) return Failure(small.error());
  const auto verify = [device, values = small->values] {
    return read_buffer<float>(device, values, kItems).and_then([](const std::vector<float> &got) {
      return compare(got, [](size_t) { return kRow; }, 0);
    });
  };
  return Prepared{
      [queue = device.queue, kernel = small->kernel] { return enqueue_chain(queue, kernel); }, verify, {small->values}};
}

template <typename Function>
bool look_up(const Device &device, Function &function, const char *name) {
  cl_platform_id platform = device.device.getInfo<CL_DEVICE_PLATFORM>();
  function = reinterpret_cast<Function>(clGetExtensionFunctionAddressForPlatform(platform, name));
  return function;
}

/// The chain with a device allocation of unified shared memory in place of a buffer.
Result<Prepared> prepare_usm_chain(const Device &device) {
  clDeviceMemAllocINTEL_fn allocate = nullptr;
  clMemBlockingFreeINTEL_fn free = nullptr;
  clSetKernelArgMemPointerINTEL_fn set_pointer = nullptr;
  clEnqueueMemcpyINTEL_fn copy = nullptr;
  if (!look_up(device, allocate, "clDeviceMemAllocINTEL") || !look_up(device, free, "clMemBlockingFreeINTEL") ||
      !look_up(device, set_pointer, "clSetKernelArgMemPointerINTEL") || !look_up(device, copy, "clEnqueueMemcpyINTEL"))
    return cli::fail("the platform has no unified shared memory");
  auto small = prepare_small(device, "increment");
  if (!small) return Failure(small.error());
  const cl::Context context = device.context;
  const std::shared_ptr<void> values(allocate(context(), device.device(), nullptr, kItems * sizeof(float), 0, nullptr),
                                     [free, context](void *memory) { free(context(), memory); });
  if (!values) return cli::fail("the device has no unified shared memory");
  const std::vector<float> zeros(kItems);
  const cl_int set = copy(device.queue(), CL_TRUE, values.get(), zeros.data(), kItems * sizeof(float), 0, nullptr, nullptr) |
                     set_pointer(small->kernel(), 0, values.get());
  if (auto done = cli::check(set, "set the argument"); !done) return Failure(done.error());
  const auto verify = [device, copy, values]() -> Result<void> {
    std::vector<float> got(kItems);
    const cl_int error = copy(device.queue(), CL_TRUE, got.data(), values.get(), kItems * sizeof(float), 0, nullptr, nullptr);
    return cli::check(error, "read the result").and_then([&] { return compare(got, [](size_t) { return kRow; }, 0); });
  };
  return Prepared{[queue = device.queue, kernel = small->kernel, values] { return enqueue_chain(queue, kernel); }, verify, {}};
}

}  // namespace

void add_launches(std::vector<Case> &cases) {
  cases.push_back({.name = "empty launch", .variant = "one work-item, waited for", .prepare = prepare_wait, .group = {}});
  cases.push_back(
      {.name = "empty launch", .variant = "one work-item, from queue to start", .prepare = prepare_start, .group = {}});
  cases.push_back({.name = "1000 launches", .variant = "1024 work-items each, in a row", .prepare = prepare_row, .group = {}});
  cases.push_back(
      {.name = "1000 launches", .variant = "each waits for the last one's event", .prepare = prepare_chain, .group = {}});
  cases.push_back(
      {.name = "1000 launches", .variant = "with events and unified shared memory", .prepare = prepare_usm_chain, .group = {}});
}

}  // namespace upsweep::bench
