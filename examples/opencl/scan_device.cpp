// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scans an array with scan_device.cl on the first OpenCL device that supports it, checks every result, and prints the scan's
// share of a copy's speed. It only needs an OpenCL loader:
//
//     c++ -std=c++17 examples/opencl/scan_device.cpp -lOpenCL -o scan_device
//     ./scan_device examples/opencl/scan_device.cl [COUNT] [cpu|gpu] [GROUP] [VECTORS]
#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace {

constexpr int kSamples = 5;

void require(cl_int error, const char *doing) {
  if (error == CL_SUCCESS) return;
  std::fprintf(stderr, "cannot %s: error %d\n", doing, error);
  std::exit(1);
}

// A device with work-group functions and 64-bit atomics, of the wanted type.
cl_device_id find_device(cl_device_type type) {
  cl_platform_id platforms[16];
  cl_uint platform_count = 0;
  require(clGetPlatformIDs(16, platforms, &platform_count), "find a platform");
  for (cl_uint i = 0; i < platform_count; ++i) {
    cl_device_id devices[16];
    cl_uint device_count = 0;
    if (clGetDeviceIDs(platforms[i], type, 16, devices, &device_count) != CL_SUCCESS) continue;
    for (cl_uint k = 0; k < device_count; ++k) {
      cl_bool collectives = CL_FALSE;
      char extensions[8192] = {};
      clGetDeviceInfo(devices[k], CL_DEVICE_WORK_GROUP_COLLECTIVE_FUNCTIONS_SUPPORT, sizeof(collectives), &collectives,
                      nullptr);
      clGetDeviceInfo(devices[k], CL_DEVICE_EXTENSIONS, sizeof(extensions), extensions, nullptr);
      if (collectives && std::string(extensions).find("cl_khr_int64_base_atomics") != std::string::npos) return devices[k];
    }
  }
  std::fprintf(stderr, "no device has work-group functions and 64-bit atomics\n");
  std::exit(77);  // the exit status of a skipped test
}

template <typename T>
T device_value(cl_device_id device, cl_device_info name) {
  T value{};
  require(clGetDeviceInfo(device, name, sizeof(value), &value, nullptr), "ask the device");
  return value;
}

// The seconds of a call within a series of calls, by the host's clock.
template <typename Enqueue>
double seconds_of(cl_command_queue queue, const Enqueue &enqueue) {
  constexpr int kRow = 8;
  const auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < kRow; ++i) enqueue();
  require(clFinish(queue), "wait for the device");
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() / kRow;
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

struct Shape {
  size_t group;
  size_t vectors;

  size_t tile() const { return group * vectors * 4; }
  size_t local_bytes() const { return 3 * tile() * sizeof(cl_int); }
};

// Tiles as large as local memory permits: the cost of a tile in the look-back does not depend on its size.
Shape shape_for(cl_device_id device) {
  const auto local_bytes = device_value<cl_ulong>(device, CL_DEVICE_LOCAL_MEM_SIZE);
  Shape shape{std::min<size_t>(512, device_value<size_t>(device, CL_DEVICE_MAX_WORK_GROUP_SIZE)), 9};
  while (shape.group > 64 && shape.local_bytes() > local_bytes) shape.group /= 2;
  return shape;
}

cl_kernel build(cl_context context, cl_device_id device, const char *path, const Shape &shape) {
  std::ifstream file(path);
  const std::string source((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  const char *text = source.c_str();
  cl_int error = CL_SUCCESS;
  cl_program program = clCreateProgramWithSource(context, 1, &text, nullptr, &error);
  require(error, "read the kernel");
  const std::string options =
      "-cl-std=CL3.0 -DGROUP=" + std::to_string(shape.group) + " -DVECTORS=" + std::to_string(shape.vectors);
  if (clBuildProgram(program, 1, &device, options.c_str(), nullptr, nullptr) != CL_SUCCESS) {
    char log[8192] = {};
    clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, sizeof(log) - 1, log, nullptr);
    std::fprintf(stderr, "%s\n", log);
    std::exit(1);
  }
  cl_kernel kernel = clCreateKernel(program, "scan", &error);
  require(error, "make the kernel");
  clReleaseProgram(program);
  return kernel;
}

template <typename... Arguments>
void set_arguments(cl_kernel kernel, const Arguments &...arguments) {
  cl_uint index = 0;
  (require(clSetKernelArg(kernel, index++, sizeof(arguments), &arguments), "set an argument"), ...);
}

size_t wrong_results(const std::vector<cl_int> &in, const std::vector<cl_int> &out) {
  size_t wrong = 0;
  uint32_t sum = 0;
  for (size_t i = 0; i < in.size(); ++i) {
    sum += static_cast<uint32_t>(in[i]);
    wrong += static_cast<uint32_t>(out[i]) != sum;
  }
  return wrong;
}

}  // namespace

int main(int argc, char **argv) {
  if (argc < 2) {
    std::fprintf(stderr, "usage: %s scan_device.cl [COUNT] [cpu|gpu] [GROUP] [VECTORS]\n", argv[0]);
    return 2;
  }
  const size_t count = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : size_t{1} << 26;
  const std::string type = argc > 3 ? argv[3] : "any";
  cl_device_id device = find_device(type == "cpu"   ? CL_DEVICE_TYPE_CPU
                                    : type == "gpu" ? CL_DEVICE_TYPE_GPU
                                                    : CL_DEVICE_TYPE_ALL);
  Shape shape = shape_for(device);
  if (argc > 4) shape.group = std::strtoull(argv[4], nullptr, 10);
  if (argc > 5) shape.vectors = std::strtoull(argv[5], nullptr, 10);

  cl_int error = CL_SUCCESS;
  cl_context context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, &error);
  require(error, "make a context");
  cl_command_queue queue = clCreateCommandQueueWithProperties(context, device, nullptr, &error);
  require(error, "make a queue");
  cl_kernel kernel = build(context, device, argv[1], shape);

  std::vector<cl_int> values(count);
  uint32_t state = 1;
  for (cl_int &value : values) {
    state = state * 1664525u + 1013904223u;  // Numerical Recipes' generator
    value = static_cast<cl_int>(state >> 12);
  }
  const size_t tiles = (count + shape.tile() - 1) / shape.tile();
  const size_t bytes = count * sizeof(cl_int);
  auto make_buffer = [&](size_t size, const void *contents) {
    cl_mem buffer = clCreateBuffer(context, CL_MEM_READ_WRITE | (contents ? CL_MEM_COPY_HOST_PTR : 0),
                                   std::max(size, sizeof(cl_int)), const_cast<void *>(contents), &error);
    require(error, "make a buffer");
    return buffer;
  };
  cl_mem in = make_buffer(bytes, count ? values.data() : nullptr), out = make_buffer(bytes, nullptr);
  cl_mem totals = make_buffer(tiles * sizeof(cl_ulong), std::vector<cl_ulong>(tiles + 1).data());
  cl_mem counters = make_buffer(2 * sizeof(cl_uint), std::vector<cl_uint>(2).data());

  const size_t groups_per_unit =
      std::max<size_t>(1, device_value<cl_ulong>(device, CL_DEVICE_LOCAL_MEM_SIZE) / shape.local_bytes());
  const size_t groups = std::clamp<size_t>(device_value<cl_uint>(device, CL_DEVICE_MAX_COMPUTE_UNITS) * groups_per_unit, 1,
                                           std::max<size_t>(tiles, 1));
  const size_t global = groups * shape.group;
  set_arguments(kernel, in, out, static_cast<cl_ulong>(count), totals, counters);
  require(clSetKernelArg(kernel, 6, shape.local_bytes(), nullptr), "set the size of local memory");

  cl_uint run = 0;
  const auto enqueue_copy = [&] {
    if (count > 0) require(clEnqueueCopyBuffer(queue, in, out, 0, 0, bytes, 0, nullptr, nullptr), "copy");
  };
  const auto enqueue_scan = [&] {
    ++run;
    require(clSetKernelArg(kernel, 5, sizeof(run), &run), "set an argument");
    require(clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &global, &shape.group, 0, nullptr, nullptr), "scan");
  };
  std::vector<double> scans, copies;
  for (int i = 0; i < kSamples; ++i) {
    copies.push_back(seconds_of(queue, enqueue_copy));
    scans.push_back(seconds_of(queue, enqueue_scan));
  }
  std::vector<cl_int> results(count);
  if (count > 0) require(clEnqueueReadBuffer(queue, out, CL_TRUE, 0, bytes, results.data(), 0, nullptr, nullptr), "read");
  const size_t wrong = wrong_results(values, results);
  char name[256] = {};
  clGetDeviceInfo(device, CL_DEVICE_NAME, sizeof(name) - 1, name, nullptr);
  const double moved = 2e-9 * static_cast<double>(bytes), scan = median(scans), copy = median(copies);
  std::printf(
      "%s: %zu ints, tiles of %zu, %zu groups of %zu: scan %.1f GB/s, copy %.1f GB/s, %.1f %% of it; %zu results are wrong\n",
      name, count, shape.tile(), groups, shape.group, moved / scan, moved / copy, 100 * copy / scan, wrong);
  for (cl_mem buffer : {in, out, totals, counters}) clReleaseMemObject(buffer);
  clReleaseKernel(kernel);
  clReleaseCommandQueue(queue);
  clReleaseContext(context);
  return wrong == 0 ? 0 : 1;
}
