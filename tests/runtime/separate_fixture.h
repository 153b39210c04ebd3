// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A platform of the CPU and two software devices with separate memory, and the base of their tests.
#ifndef UPSWEEP_TESTS_RUNTIME_SEPARATE_FIXTURE_H
#define UPSWEEP_TESTS_RUNTIME_SEPARATE_FIXTURE_H

#include "base/never_destroyed.h"
#include "runtime/objects/kernel.h"
#include "runtime/objects/platform.h"
#include "separate_target.h"
#include "targets/cpu/cpu_target.h"
#include <CL/cl.h>
#include <gtest/gtest.h>
#include <numeric>
#include <string>
#include <vector>

namespace upsweep::tests {

/// The platform's targets, in the order of its devices: the CPU, then these.
struct Devices {
  SeparateTarget *first;
  SeparateTarget *second;
  Platform *platform;
};

inline Devices &devices() {
  static Devices all = [] {
    auto first = std::make_unique<SeparateTarget>("first");
    auto second = std::make_unique<SeparateTarget>("second");
    Devices made{first.get(), second.get(), nullptr};
    std::vector<std::unique_ptr<Target>> targets;
    targets.push_back(make_cpu_target());
    targets.push_back(std::move(first));
    targets.push_back(std::move(second));
    static NeverDestroyed<Platform> platform(std::move(targets));
    made.platform = &*platform;
    return made;
  }();
  return all;
}

/// The kernels of all devices: `add(global int *data, int value)` and `copy(const global int *from, global int *to)`, with a
/// work-item for each element.
Ref<CodeObject> make_code();

constexpr size_t kCpu = 0, kFirst = 1, kSecond = 2;

class SeparateFixture : public testing::Test {
protected:
  void SetUp() override { open({kCpu, kFirst, kSecond}); }

  void TearDown() override {
    close();
    for (SeparateTarget *target : {devices().first, devices().second})
      EXPECT_EQ(target->allocations, 0u) << "device memory outlives its buffers";
  }

  /// A context of these devices of the platform, with a queue for each.
  void open(const std::vector<size_t> &indices, cl_command_queue_properties properties = 0) {
    close();
    std::vector<cl_device_id> list;
    for (size_t i : indices) list.push_back(devices().platform->devices()[i].get());
    cl_int error = -1;
    context_ = clCreateContext(nullptr, static_cast<cl_uint>(list.size()), list.data(), nullptr, nullptr, &error);
    ASSERT_EQ(error, CL_SUCCESS);
    queues_.assign(3, nullptr);
    for (size_t i : indices) queues_[i] = make_queue(i, properties);
    Context &context = **Context::from(context_);
    program_ =
        make_ref<Program>(context, std::vector(context.devices().begin(), context.devices().end()), Program::Origin::kBinary);
    for (size_t i = 0; i < indices.size(); ++i) {
      DeviceBuild build;
      build.status = CL_BUILD_SUCCESS;
      build.type = CL_PROGRAM_BINARY_TYPE_EXECUTABLE;
      build.code = make_code();
      program_->end_build(i, std::move(build));
    }
    for (SeparateTarget *target : {devices().first, devices().second})
      target->bytes_up = target->bytes_down = target->followers = 0;
  }

  void close() {
    for (cl_kernel kernel : kernels_) clReleaseKernel(kernel);
    for (cl_mem memory : memories_) clReleaseMemObject(memory);
    for (cl_command_queue queue : queues_)
      if (queue) EXPECT_EQ(clFinish(queue), CL_SUCCESS);
    for (cl_command_queue queue : queues_)
      if (queue) clReleaseCommandQueue(queue);
    kernels_.clear();
    memories_.clear();
    queues_.clear();
    program_.reset();
    if (context_) clReleaseContext(context_);
    context_ = nullptr;
  }

  cl_command_queue make_queue(size_t device, cl_command_queue_properties properties) {
    const cl_queue_properties list[] = {CL_QUEUE_PROPERTIES, properties, 0};
    cl_int error = -1;
    cl_command_queue queue =
        clCreateCommandQueueWithProperties(context_, devices().platform->devices()[device].get(), list, &error);
    EXPECT_EQ(error, CL_SUCCESS);
    return queue;
  }

  cl_mem make_buffer(size_t bytes, cl_mem_flags flags = CL_MEM_READ_WRITE, void *host = nullptr) {
    cl_int error = -1;
    cl_mem buffer = clCreateBuffer(context_, flags, bytes, host, &error);
    EXPECT_EQ(error, CL_SUCCESS);
    if (buffer) memories_.push_back(buffer);
    return buffer;
  }

  cl_mem make_ints(const std::vector<int> &values) {
    return make_buffer(values.size() * sizeof(int), CL_MEM_COPY_HOST_PTR, const_cast<int *>(values.data()));
  }

  cl_mem make_part(cl_mem buffer, size_t origin, size_t bytes) {
    const cl_buffer_region region{origin, bytes};
    cl_int error = -1;
    cl_mem part = clCreateSubBuffer(buffer, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &error);
    EXPECT_EQ(error, CL_SUCCESS);
    if (part) memories_.push_back(part);
    return part;
  }

  static std::vector<int> counting(size_t count, int first = 0) {
    std::vector<int> values(count);
    std::iota(values.begin(), values.end(), first);
    return values;
  }

  cl_kernel make_kernel(const char *name) {
    cl_int error = -1;
    cl_kernel kernel = clCreateKernel(program_.get(), name, &error);
    EXPECT_EQ(error, CL_SUCCESS);
    kernels_.push_back(kernel);
    return kernel;
  }

  /// Enqueues data[i] += value.
  cl_int add(cl_command_queue queue, cl_mem data, int value, const std::vector<cl_event> &waits = {},
             cl_event *event = nullptr) {
    cl_kernel kernel = make_kernel("add");
    clSetKernelArg(kernel, 0, sizeof data, &data);
    clSetKernelArg(kernel, 1, sizeof value, &value);
    return launch(queue, kernel, data, waits, event);
  }

  /// Enqueues to[i] = from[i].
  cl_int copy(cl_command_queue queue, cl_mem from, cl_mem to) {
    cl_kernel kernel = make_kernel("copy");
    clSetKernelArg(kernel, 0, sizeof from, &from);
    clSetKernelArg(kernel, 1, sizeof to, &to);
    return launch(queue, kernel, from, {}, nullptr);
  }

  /// A work-item per element of `sized`.
  cl_int launch(cl_command_queue queue, cl_kernel kernel, cl_mem sized, const std::vector<cl_event> &waits, cl_event *event) {
    size_t bytes = 0;
    clGetMemObjectInfo(sized, CL_MEM_SIZE, sizeof bytes, &bytes, nullptr);
    const size_t items = bytes / sizeof(int);
    return clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &items, nullptr, static_cast<cl_uint>(waits.size()),
                                  waits.empty() ? nullptr : waits.data(), event);
  }

  static cl_int status_of(cl_event event) {
    cl_int status = 1000;
    EXPECT_EQ(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, nullptr), CL_SUCCESS);
    return status;
  }

  std::vector<int> read(cl_command_queue queue, cl_mem buffer) {
    size_t bytes = 0;
    clGetMemObjectInfo(buffer, CL_MEM_SIZE, sizeof bytes, &bytes, nullptr);
    std::vector<int> values(bytes / sizeof(int));
    EXPECT_EQ(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, bytes, values.data(), 0, nullptr, nullptr), CL_SUCCESS);
    return values;
  }

  cl_context context_ = nullptr;
  std::vector<cl_command_queue> queues_;  ///< by device
  Ref<Program> program_;
  std::vector<cl_kernel> kernels_;
  std::vector<cl_mem> memories_;
};

}  // namespace upsweep::tests
#endif
