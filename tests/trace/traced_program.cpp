// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A program with known commands, which trace_test.py runs with UPSWEEP_TRACE and `upsweep profile`. It uses no part of the
// driver but OpenCL. Its argument names what it does.
#include "tested_device.h"

#include <CL/cl.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string_view>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace {

constexpr size_t kItems = 1 << 16;
constexpr size_t kBytes = kItems * sizeof(float);

const char *const kSource = R"(
kernel void add_one(global float *values) { values[get_global_id(0)] += 1; }
kernel void spin(global float *values, int turns) {
  float value = values[get_global_id(0)];
  for (int i = 0; i < turns; ++i) value = value * 0.999f + 1;
  values[get_global_id(0)] = value;
}
)";

void require(bool holds, const char *what) {
  if (holds) return;
  std::fprintf(stderr, "traced_program: %s\n", what);
  std::exit(3);
}

struct Device {
  Device() {
    cl_platform_id platform = nullptr;
    require(clGetPlatformIDs(1, &platform, nullptr) == CL_SUCCESS, "no platform");
    require(clGetDeviceIDs(platform, upsweep::tests::tested_device_type(), 1, &id, nullptr) == CL_SUCCESS, "no device");
    context = clCreateContext(nullptr, 1, &id, nullptr, nullptr, nullptr);
    queue = clCreateCommandQueueWithProperties(context, id, nullptr, nullptr);
    values = clCreateBuffer(context, CL_MEM_READ_WRITE, kBytes, nullptr, nullptr);
    other = clCreateBuffer(context, CL_MEM_READ_WRITE, kBytes, nullptr, nullptr);
  }
  void build() {
    const char *source = kSource;
    program = clCreateProgramWithSource(context, 1, &source, nullptr, nullptr);
    require(clBuildProgram(program, 1, &id, nullptr, nullptr, nullptr) == CL_SUCCESS, "the build failed");
    kernel = clCreateKernel(program, "add_one", nullptr);
    clSetKernelArg(kernel, 0, sizeof values, &values);
    spin = clCreateKernel(program, "spin", nullptr);
    clSetKernelArg(spin, 0, sizeof other, &other);
  }
  void launch(cl_event *event = nullptr) const {
    require(clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &kItems, nullptr, 0, nullptr, event) == CL_SUCCESS, "no launch");
  }

  cl_device_id id = nullptr;
  cl_context context = nullptr;
  cl_command_queue queue = nullptr;
  cl_mem values = nullptr, other = nullptr;
  cl_program program = nullptr;
  cl_kernel kernel = nullptr, spin = nullptr;
};

/// Two queues, of which the second waits for the first; every kind of gap; and blocking calls.
void run_commands(Device &device) {
  cl_command_queue second = clCreateCommandQueueWithProperties(device.context, device.id, nullptr, nullptr);
  std::vector<float> data(kItems, 1);
  clEnqueueWriteBuffer(device.queue, device.values, CL_TRUE, 0, kBytes, data.data(), 0, nullptr, nullptr);
  cl_event launched = nullptr;
  for (int i = 0; i < 9; ++i) device.launch();
  device.launch(&launched);
  clEnqueueCopyBuffer(second, device.values, device.other, 0, 0, kBytes, 1, &launched, nullptr);
  clFinish(second);
  std::this_thread::sleep_for(std::chrono::milliseconds(30));  // nothing enqueued, after a blocking call
  device.launch();
  cl_event gate = clCreateUserEvent(device.context, nullptr);
  cl_event gated = nullptr;
  clEnqueueCopyBuffer(second, device.values, device.other, 0, 0, kBytes, 1, &gate, &gated);
  std::this_thread::sleep_for(std::chrono::milliseconds(20));  // the second queue waits for the event
  clSetUserEventStatus(gate, CL_COMPLETE);
  clWaitForEvents(1, &gated);
  const int turns = 2000;
  clSetKernelArg(device.spin, 1, sizeof turns, &turns);
  clEnqueueNDRangeKernel(second, device.spin, 1, nullptr, &kItems, nullptr, 0, nullptr, nullptr);
  clEnqueueMarkerWithWaitList(second, 0, nullptr, nullptr);
  clEnqueueReadBuffer(second, device.values, CL_TRUE, 0, kBytes, data.data(), 0, nullptr, nullptr);
  require(data[0] == 12 && data[kItems - 1] == 12, "wrong results");
}

void run_transfers(Device &device) {
  std::vector<char> data(kBytes, 1), back(kBytes);
  const char pattern = 3;
  clEnqueueWriteBuffer(device.queue, device.values, CL_FALSE, 0, kBytes, data.data(), 0, nullptr, nullptr);
  clEnqueueCopyBuffer(device.queue, device.values, device.other, 0, 0, kBytes, 0, nullptr, nullptr);
  clEnqueueFillBuffer(device.queue, device.values, &pattern, 1, 0, kBytes / 2, 0, nullptr, nullptr);
  clEnqueueReadBuffer(device.queue, device.other, CL_TRUE, 0, kBytes, back.data(), 0, nullptr, nullptr);
  clFinish(device.queue);
  require(back == data, "wrong results");
}

void run_threads(Device &device) {
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([&] {
      cl_command_queue queue = clCreateCommandQueueWithProperties(device.context, device.id, nullptr, nullptr);
      cl_kernel kernel = clCreateKernel(device.program, "add_one", nullptr);
      cl_mem values = clCreateBuffer(device.context, CL_MEM_READ_WRITE, kBytes, nullptr, nullptr);
      clSetKernelArg(kernel, 0, sizeof values, &values);
      for (int j = 0; j < 500; ++j) clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &kItems, nullptr, 0, nullptr, nullptr);
      clFinish(queue);
      clReleaseMemObject(values);
      clReleaseKernel(kernel);
      clReleaseCommandQueue(queue);
    });
  for (std::thread &thread : threads) thread.join();
}

/// Launches, waits until the records are in the files, and ends as `end` does.
[[noreturn]] void run_until(Device &device, std::string_view end) {
  for (int i = 0; i < 20; ++i) device.launch();
  clFinish(device.queue);
  std::this_thread::sleep_for(std::chrono::milliseconds(400));
  if (end == "abort") std::abort();
  std::puts("ready");
  std::fflush(stdout);
  for (;;) {
    device.launch();
    clFinish(device.queue);
  }
}

void run_forked(Device &device) {
  for (int i = 0; i < 7; ++i) device.launch();
  clFinish(device.queue);
  std::fflush(stdout);
  const pid_t child = fork();
  Device own;  // the parent's objects are invalid in the child
  own.build();
  for (int i = 0; i < 3; ++i) own.launch();
  clFinish(own.queue);
  if (child == 0) std::exit(0);
  int status = 1;
  require(waitpid(child, &status, 0) == child && status == 0, "the child failed");
}

double processor_seconds() {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

/// Prints the microseconds and the processor's microseconds of a launch, for bench/trace_cost.py: the least of ten rows of
/// launches with `turns` loop turns.
void run_in_a_row(Device &device, int turns, int launches) {
  clSetKernelArg(device.spin, 1, sizeof turns, &turns);
  double least = 1e9, least_processor = 1e9;
  for (int repeat = 0; repeat <= 10; ++repeat) {
    const double processor = processor_seconds();
    const auto begin = std::chrono::steady_clock::now();
    for (int i = 0; i < launches; ++i)
      clEnqueueNDRangeKernel(device.queue, device.spin, 1, nullptr, &kItems, nullptr, 0, nullptr, nullptr);
    clFinish(device.queue);
    const std::chrono::duration<double, std::micro> time = std::chrono::steady_clock::now() - begin;
    if (repeat == 0) continue;  // a warm-up
    least = std::min(least, time.count() / launches);
    least_processor = std::min(least_processor, (processor_seconds() - processor) * 1e6 / launches);
  }
  std::printf("%.4f %.4f\n", least, least_processor);
}

}  // namespace

int main(int argc, char **argv) {
  const std::string_view way = argc > 1 ? argv[1] : "";
  Device device;
  if (way == "transfers") {
    run_transfers(device);
    return 0;
  }
  device.build();
  if (way == "commands") run_commands(device);
  if (way == "threads") run_threads(device);
  if (way == "fork") run_forked(device);
  if (way == "abort" || way == "forever") run_until(device, way);
  if (way == "row" && argc > 3) run_in_a_row(device, std::atoi(argv[2]), std::atoi(argv[3]));
  if (way == "status") return 7;
  return 0;
}
