// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Counts primes on two devices: one sifts numbers into a pipe, the other reads them from it and tests them. There are two
// pipes, so that both devices work at the same time, each with its own pipe. The devices are a CPU and a GPU of one context if
// a platform has both with pipes, else two sub-devices of a CPU, else two queues of one device. The program prints its choice
// and checks the count. It only needs an OpenCL loader:
//
//     c++ -std=c++17 examples/opencl/pipe_primes.cpp -lOpenCL -o pipe_primes
//     ./pipe_primes examples/opencl/pipe_primes.cl [LIMIT]
#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace {

constexpr cl_uint kBatch = 1 << 17;  // odd numbers in one sieve, and packets of a pipe
constexpr size_t kGroup = 64, kReaders = 1 << 13;

void require(cl_int error, const char *doing) {
  if (error == CL_SUCCESS) return;
  std::fprintf(stderr, "cannot %s: error %d\n", doing, error);
  std::exit(1);
}

std::string name_of(cl_device_id device) {
  char name[256] = "";
  clGetDeviceInfo(device, CL_DEVICE_NAME, sizeof name - 1, name, nullptr);
  return name;
}

cl_device_id find_device(cl_platform_id platform, cl_device_type type) {
  cl_device_id devices[16];
  cl_uint count = 0;
  if (clGetDeviceIDs(platform, type, 16, devices, &count) != CL_SUCCESS) return nullptr;
  for (cl_uint i = 0; i < std::min(count, 16u); ++i) {
    cl_bool has_pipes = CL_FALSE;
    clGetDeviceInfo(devices[i], CL_DEVICE_PIPE_SUPPORT, sizeof has_pipes, &has_pipes, nullptr);
    if (has_pipes) return devices[i];
  }
  return nullptr;
}

struct Pair {
  cl_device_id sifter, counter;
  const char *what;
};

Pair find_devices() {
  cl_platform_id platforms[16];
  cl_uint count = 0;
  require(clGetPlatformIDs(16, platforms, &count), "find a platform");
  cl_device_id cpu = nullptr, any = nullptr;
  for (cl_uint i = 0; i < std::min(count, 16u); ++i) {
    cl_device_id its_cpu = find_device(platforms[i], CL_DEVICE_TYPE_CPU),
                 its_gpu = find_device(platforms[i], CL_DEVICE_TYPE_GPU);
    if (its_cpu && its_gpu) return {its_cpu, its_gpu, "two devices"};
    if (!cpu) cpu = its_cpu;
    if (!any) any = its_cpu ? its_cpu : its_gpu;
  }
  if (!any) {
    std::fprintf(stderr, "no device has pipes\n");
    std::exit(77);  // the exit status of a skipped test
  }
  cl_uint units = 0;
  if (cpu) clGetDeviceInfo(cpu, CL_DEVICE_MAX_COMPUTE_UNITS, sizeof units, &units, nullptr);
  const cl_device_partition_property halves[] = {CL_DEVICE_PARTITION_EQUALLY,
                                                 static_cast<cl_device_partition_property>(units / 2), 0};
  cl_device_id parts[2];
  // An odd number of compute units would give three sub-devices, and there are handles for two.
  if (units >= 2 && units % 2 == 0 && clCreateSubDevices(cpu, halves, 2, parts, nullptr) == CL_SUCCESS)
    return {parts[0], parts[1], "two sub-devices"};
  return {any, any, "two queues of one device"};
}

cl_uint count_on_host(cl_uint limit) {
  std::vector<bool> is_composite(limit);
  cl_uint count = 0;
  for (cl_uint i = 2; i < limit; ++i) {
    if (is_composite[i]) continue;
    ++count;
    for (cl_ulong k = cl_ulong{i} * i; k < limit; k += i) is_composite[k] = true;
  }
  return count;
}

class Primes {
public:
  Primes(const Pair &devices, const char *file) {
    cl_int error = CL_SUCCESS;
    const cl_device_id both[] = {devices.sifter, devices.counter};
    const cl_uint count = both[0] == both[1] ? 1 : 2;
    context_ = clCreateContext(nullptr, count, both, nullptr, nullptr, &error);
    require(error, "make a context");
    for (int i = 0; i < 2; ++i) {
      queues_[i] = clCreateCommandQueueWithProperties(context_, both[i], nullptr, &error);
      require(error, "make a queue");
      pipes_[i] = clCreatePipe(context_, 0, sizeof(cl_uint), kBatch, nullptr, &error);
      require(error, "make a pipe");
    }
    counts_ = clCreateBuffer(context_, CL_MEM_READ_WRITE, 2 * sizeof(cl_uint), nullptr, &error);
    require(error, "make a buffer");
    std::ifstream stream(file);
    const std::string source((std::istreambuf_iterator<char>(stream)), {});
    const char *text = source.c_str();
    program_ = clCreateProgramWithSource(context_, 1, &text, nullptr, &error);
    require(error, "make a program");
    require(clBuildProgram(program_, count, both, "-cl-std=CL3.0", nullptr, nullptr), "build the program");
    sift_ = clCreateKernel(program_, "sift", &error);
    require(error, "make a kernel");
    count_primes_ = clCreateKernel(program_, "count_primes", &error);
    require(error, "make a kernel");
  }
  ~Primes() {
    clReleaseKernel(sift_);
    clReleaseKernel(count_primes_);
    clReleaseProgram(program_);
    clReleaseMemObject(counts_);
    for (cl_mem pipe : pipes_) clReleaseMemObject(pipe);
    for (cl_command_queue queue : queues_) clReleaseCommandQueue(queue);
    clReleaseContext(context_);
  }
  Primes(const Primes &) = delete;
  Primes &operator=(const Primes &) = delete;

  /// `at_once`: a pipe is filled while the other one is read. Returns the count, or 0 if packets were wrong.
  cl_uint run(cl_uint limit, bool at_once) {
    const cl_uint zeros[2] = {};
    require(clEnqueueWriteBuffer(queues_[1], counts_, CL_TRUE, 0, sizeof zeros, zeros, 0, nullptr, nullptr), "write");
    std::vector<cl_event> read;  // a batch's pipe is empty
    for (cl_uint first = 3; first < limit; first += 2 * kBatch) {
      cl_mem pipe = pipes_[read.size() % 2];
      const size_t before = at_once ? 2 : 1;
      cl_event sifted = sift(first, limit, pipe, read.size() < before ? nullptr : read[read.size() - before]);
      read.push_back(count(pipe, sifted));
      clReleaseEvent(sifted);
    }
    cl_uint counts[2] = {};
    require(clEnqueueReadBuffer(queues_[1], counts_, CL_TRUE, 0, sizeof counts, counts, 0, nullptr, nullptr), "read");
    for (cl_event event : read) clReleaseEvent(event);
    return counts[1] ? 0 : counts[0] + 1;  // with 2
  }

private:
  cl_event sift(cl_uint first, cl_uint limit, cl_mem pipe, cl_event before) {
    require(clSetKernelArg(sift_, 0, sizeof first, &first), "set an argument");
    require(clSetKernelArg(sift_, 1, sizeof limit, &limit), "set an argument");
    require(clSetKernelArg(sift_, 2, sizeof pipe, &pipe), "set an argument");
    return launch(queues_[0], sift_, kBatch, before);
  }
  cl_event count(cl_mem pipe, cl_event before) {
    require(clSetKernelArg(count_primes_, 0, sizeof pipe, &pipe), "set an argument");
    require(clSetKernelArg(count_primes_, 1, sizeof counts_, &counts_), "set an argument");
    return launch(queues_[1], count_primes_, kReaders, before);
  }
  static cl_event launch(cl_command_queue queue, cl_kernel kernel, size_t items, cl_event before) {
    cl_event event = nullptr;
    require(
        clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &items, &kGroup, before ? 1 : 0, before ? &before : nullptr, &event),
        "launch a kernel");
    require(clFlush(queue), "flush");
    return event;
  }

  cl_context context_ = nullptr;
  cl_command_queue queues_[2] = {};
  cl_mem pipes_[2] = {}, counts_ = nullptr;
  cl_program program_ = nullptr;
  cl_kernel sift_ = nullptr, count_primes_ = nullptr;
};

}  // namespace

int main(int argc, char **argv) {
  if (argc < 2) return std::fprintf(stderr, "usage: pipe_primes pipe_primes.cl [LIMIT]\n"), 2;
  const auto limit = static_cast<cl_uint>(argc > 2 ? std::atoll(argv[2]) : 1 << 22);
  const cl_uint expected = count_on_host(limit);
  const Pair devices = find_devices();
  std::printf("%s: %s sifts, %s counts\n", devices.what, name_of(devices.sifter).c_str(), name_of(devices.counter).c_str());
  Primes primes(devices, argv[1]);
  double ms[2] = {1e9, 1e9};
  for (int run = 0; run < 6; ++run) {
    const auto start = std::chrono::steady_clock::now();
    const cl_uint count = primes.run(limit, run % 2 != 0);
    ms[run % 2] =
        std::min(ms[run % 2], std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count());
    if (count != expected) return std::printf("wrong: %u primes below %u, there are %u\n", count, limit, expected), 1;
  }
  std::printf("%u primes below %u: %.2f ms one after the other, %.2f ms at once\n", expected, limit, ms[0], ms[1]);
}
