// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels that enqueue kernels: the cost of a command of one work-item, compared with the same commands from the host.
#include "bench/opencl/enqueue.h"
#include "bench/harness.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

namespace upsweep::bench {
namespace {

/// A queue on the device, of the largest size.
Result<std::shared_ptr<cl::CommandQueue>> make_device_queue(const Device &device) {
  const auto most = device.device.getInfo<CL_DEVICE_QUEUE_ON_DEVICE_MAX_SIZE>();
  if (most == 0) return cli::fail("the device has no queues for kernels");
  const cl_queue_properties properties[] = {CL_QUEUE_PROPERTIES, CL_QUEUE_ON_DEVICE | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE,
                                            CL_QUEUE_SIZE, most, 0};
  cl_int error = CL_SUCCESS;
  cl_command_queue queue = clCreateCommandQueueWithProperties(device.context(), device.device(), properties, &error);
  if (auto done = cli::check(error, "make a queue on the device"); !done) return Failure(done.error());
  return std::make_shared<cl::CommandQueue>(queue);
}

struct Shape {
  const char *kernel;
  cl_uint argument;
  cl_uint children;
  bool has_place;       // the kernel takes the number of its node
  cl_uint parents = 1;  // work-items of the first kernel
};

Result<Prepared> prepare(const Device &device, const Shape &shape) {
  auto kernel = make_kernel(device, kEnqueueSource, "-cl-std=CL3.0", shape.kernel);
  if (!kernel) return Failure(kernel.error());
  const auto queue = make_device_queue(device);
  if (!queue) return Failure(queue.error());
  const std::vector<cl_uint> zeros(shape.children);
  const auto marks = make_buffer(device, zeros.size() * sizeof(cl_uint), zeros.data());
  if (!marks) return Failure(marks.error());
  kernel->setArg(0, *marks);
  kernel->setArg(1, shape.argument);
  cl_command_queue handle = (**queue)();
  kernel->setArg(2, sizeof handle, &handle);
  if (shape.has_place) kernel->setArg(3, cl_uint{0});
  // The queue lives as long as the function object.
  const cl::NDRange global(shape.parents), local(std::min(shape.parents, 50u));
  const auto enqueue = [device, kernel = *kernel, kept = *queue, global, local] {
    return device.queue.enqueueNDRangeKernel(kernel, cl::NullRange, global, local);
  };
  const auto verify = [device, marks = *marks, shape]() -> Result<void> {
    return read_buffer<cl_uint>(device, marks, shape.children).and_then([](const std::vector<cl_uint> &got) -> Result<void> {
      for (size_t i = 0; i < got.size(); ++i)
        if (got[i] != i + 1) return cli::fail("child {} did not run", i);
      return {};
    });
  };
  return Prepared{enqueue, verify, {*marks}};
}

/// The same number of launches from the host.
Result<Prepared> prepare_host(const Device &device, cl_uint children) {
  auto kernel = make_kernel(device, kEnqueueSource, "-cl-std=CL3.0", "leaf");
  if (!kernel) return Failure(kernel.error());
  const auto marks = make_buffer(device, children * sizeof(cl_uint), nullptr);
  if (!marks) return Failure(marks.error());
  kernel->setArg(0, *marks);
  const auto enqueue = [device, kernel = *kernel, children]() mutable {
    for (cl_uint i = 0; i < children; ++i) {
      kernel.setArg(1, i);
      if (const cl_int error = device.queue.enqueueNDRangeKernel(kernel, cl::NullRange, cl::NDRange(1), cl::NDRange(1)))
        return error;
    }
    return CL_SUCCESS;
  };
  return Prepared{enqueue, [] { return Result<void>(); }, {*marks}};
}

void add(std::vector<Case> &cases, const char *name, const std::string &variant, const Shape &shape) {
  cases.push_back({.name = name,
                   .variant = variant,
                   .elements = static_cast<double>(shape.children),
                   .prepare = [shape](const Device &device) { return prepare(device, shape); },
                   .group = "enqueue",
                   .unit = "Mchildren/s"});
}

void add_host(std::vector<Case> &cases, cl_uint launches) {
  cases.push_back({.name = "launches by the host",
                   .variant = fmt::format("{} in a row", launches),
                   .elements = static_cast<double>(launches),
                   .prepare = [launches](const Device &device) { return prepare_host(device, launches); },
                   .group = "enqueue",
                   .unit = "Mchildren/s",
                   .is_yardstick = true});
}

}  // namespace
}  // namespace upsweep::bench

int main(int argc, char **argv) {
  const upsweep::bench::Suite suite = {
      "enqueue",
      "Commands of one work-item that kernels enqueue, per second, the launch of the first one included. Launches by the "
      "host are as many kernels in a row."};
  return upsweep::bench::run_main(argc, argv, suite, [](const upsweep::bench::Options &) {
    std::vector<upsweep::bench::Case> cases;
    for (const cl_uint n : {1u, 100u, 100000u})
      upsweep::bench::add(cases, "one parent", fmt::format("{} children", n), {"flat", n, n, false});
    for (const cl_uint n : {100u, 100000u})
      upsweep::bench::add(cases, "a work-item for each", fmt::format("{} children", n), {"wide", n, n, false, n});
    for (const cl_uint n : {1u, 100u, 10000u}) upsweep::bench::add_host(cases, n);
    for (const cl_uint depth : {1u, 8u, 16u})
      upsweep::bench::add(cases, "binary tree", fmt::format("depth {}", depth), {"tree", depth, (2u << depth) - 2, true});
    for (const cl_uint depth : {1u, 24u, 1000u})
      upsweep::bench::add(cases, "chain", fmt::format("depth {}", depth), {"chain", depth, depth, true});
    upsweep::bench::add(cases, "events", "1000 that wait for each other", {"waiting", 1000, 1000, false});
    return cases;
  });
}
