// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The common code of the examples of device-side enqueue: a device that supports it, queues on host and device, kernels and
// buffers.
#ifndef UPSWEEP_EXAMPLES_OPENCL_ENQUEUING_H
#define UPSWEEP_EXAMPLES_OPENCL_ENQUEUING_H

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

inline void require(cl_int error, const char *doing) {
  if (error == CL_SUCCESS) return;
  std::fprintf(stderr, "cannot %s: error %d\n", doing, error);
  std::exit(1);
}

/// Removes "cpu" or "gpu" from the end of the arguments: the kind of device.
inline cl_device_type take_device_type(int &argc, char **argv) {
  const std::string last = argc > 1 ? argv[argc - 1] : "";
  if (last != "cpu" && last != "gpu") return CL_DEVICE_TYPE_ALL;
  --argc;
  return last == "cpu" ? CL_DEVICE_TYPE_CPU : CL_DEVICE_TYPE_GPU;
}

inline cl_device_id find_enqueuing_device(cl_device_type type) {
  cl_platform_id platforms[16];
  cl_uint count = 0;
  require(clGetPlatformIDs(16, platforms, &count), "find a platform");
  for (cl_uint i = 0; i < count; ++i) {
    cl_device_id devices[16];
    cl_uint num_devices = 0;
    if (clGetDeviceIDs(platforms[i], type, 16, devices, &num_devices) != CL_SUCCESS) continue;
    for (cl_uint k = 0; k < std::min(num_devices, 16u); ++k) {
      cl_device_device_enqueue_capabilities has = 0;
      clGetDeviceInfo(devices[k], CL_DEVICE_DEVICE_ENQUEUE_CAPABILITIES, sizeof has, &has, nullptr);
      if (has & CL_DEVICE_QUEUE_SUPPORTED) return devices[k];
    }
  }
  std::fprintf(stderr, "no device has device-side enqueue\n");
  std::exit(77);  // the exit status of a skipped test
}

class Enqueuing {
public:
  explicit Enqueuing(const char *file, cl_device_type type = CL_DEVICE_TYPE_ALL) {
    cl_device_id device = find_enqueuing_device(type);
    cl_int error = CL_SUCCESS;
    context_ = clCreateContext(nullptr, 1, &device, nullptr, nullptr, &error);
    require(error, "make a context");
    queue_ = clCreateCommandQueueWithProperties(context_, device, nullptr, &error);
    require(error, "make a queue");
    // The queue of get_default_queue(), of the largest size.
    cl_uint most = 0;
    clGetDeviceInfo(device, CL_DEVICE_QUEUE_ON_DEVICE_MAX_SIZE, sizeof most, &most, nullptr);
    const cl_queue_properties properties[] = {
        CL_QUEUE_PROPERTIES, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_ON_DEVICE | CL_QUEUE_ON_DEVICE_DEFAULT,
        CL_QUEUE_SIZE, most, 0};
    on_device_ = clCreateCommandQueueWithProperties(context_, device, properties, &error);
    require(error, "make a queue on the device");
    std::ifstream stream(file);
    const std::string source((std::istreambuf_iterator<char>(stream)), {});
    const char *text = source.c_str();
    program_ = clCreateProgramWithSource(context_, 1, &text, nullptr, &error);
    require(error, "make a program");
    require(clBuildProgram(program_, 1, &device, "-cl-std=CL3.0", nullptr, nullptr), "build the program");
  }
  ~Enqueuing() {
    for (cl_mem buffer : buffers_) clReleaseMemObject(buffer);
    clReleaseProgram(program_);
    clReleaseCommandQueue(on_device_);
    clReleaseCommandQueue(queue_);
    clReleaseContext(context_);
  }
  Enqueuing(const Enqueuing &) = delete;
  Enqueuing &operator=(const Enqueuing &) = delete;

  template <typename T>
  cl_mem buffer(const std::vector<T> &values) {
    cl_int error = CL_SUCCESS;
    buffers_.push_back(clCreateBuffer(context_, CL_MEM_COPY_HOST_PTR, std::max<size_t>(values.size(), 1) * sizeof(T),
                                      values.empty() ? std::vector<T>(1).data() : const_cast<T *>(values.data()), &error));
    require(error, "make a buffer");
    return buffers_.back();
  }
  template <typename T>
  std::vector<T> read(cl_mem buffer, size_t count) {
    std::vector<T> values(count);
    if (count)
      require(clEnqueueReadBuffer(queue_, buffer, CL_TRUE, 0, count * sizeof(T), values.data(), 0, nullptr, nullptr), "read");
    return values;
  }
  template <typename T>
  void write(cl_mem buffer, const std::vector<T> &values) {
    if (values.empty()) return;
    require(clEnqueueWriteBuffer(queue_, buffer, CL_TRUE, 0, values.size() * sizeof(T), values.data(), 0, nullptr, nullptr),
            "write");
  }

  /// Launches a kernel in one dimension.
  template <typename... Arguments>
  void launch(const char *name, size_t global, size_t local, const Arguments &...arguments) {
    cl_int error = CL_SUCCESS;
    cl_kernel kernel = clCreateKernel(program_, name, &error);
    require(error, "make a kernel");
    cl_uint index = 0;
    for (cl_int result : {clSetKernelArg(kernel, index++, sizeof arguments, &arguments)...}) require(result, "set an argument");
    require(clEnqueueNDRangeKernel(queue_, kernel, 1, nullptr, &global, &local, 0, nullptr, nullptr), "launch a kernel");
    clReleaseKernel(kernel);
  }
  void finish() { require(clFinish(queue_), "finish"); }

private:
  cl_context context_ = nullptr;
  cl_command_queue queue_ = nullptr, on_device_ = nullptr;
  cl_program program_ = nullptr;
  std::vector<cl_mem> buffers_;
};

/// The least milliseconds of some runs.
template <typename Run>
double best_ms(int runs, Run &&run) {
  double best = 1e9;
  for (int i = 0; i < runs; ++i) {
    const auto start = std::chrono::steady_clock::now();
    run();
    best = std::min(best, std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count());
  }
  return best;
}

#endif
