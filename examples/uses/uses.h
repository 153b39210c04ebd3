// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The common code of the uses of scans: a device with arrays, kernels over the numbers 0 to n - 1, and a report of times with
// a copy for comparison.
//
// Each use takes "threads", "cpu", "gpu" or a device's number in the order of the OpenCL loader. Without an argument it runs
// on threads and on every device. The exit status is 1 if a result differs from that of the sequential loop.
#pragma once

#include <upsweep/cpu/scan.h>
#include <upsweep/cpu/thread_pool.h>
#include <upsweep/opencl/error.h>
#include <upsweep/opencl/scan.h>

#include <CL/cl.h>
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <source_location>
#include <string>
#include <vector>

// OpenCL C's names.
using uchar = unsigned char;
using uint = unsigned;
using ulong = unsigned long;

namespace uses {

namespace cpu = upsweep::cpu;
namespace up = upsweep::opencl;

// Functions in C for both hosts and devices: C++ here, and OpenCL C as text.
#define USES_SHARED(name, ...)                                                                                                 \
  __VA_ARGS__                                                                                                                  \
  const char *const name = #__VA_ARGS__;

inline void require(cl_int code, std::source_location at = std::source_location::current()) {
  if (code == CL_SUCCESS) return;
  std::fprintf(stderr, "%s, line %u: error %d: %s\n", at.file_name(), at.line(), code, up::last_message());
  std::exit(1);
}

// Calls f(i) for all i below n, by threads.
template <class F>
void for_all(std::size_t n, const F &f) {
  auto &pool = cpu::default_pool();
  constexpr std::size_t kPiece = std::size_t(1) << 14;
  std::atomic<std::size_t> next{0};
  pool.run(pool.concurrency(), [&]() noexcept {
    for (std::size_t at = next.fetch_add(kPiece); at < n; at = next.fetch_add(kPiece)) {
      for (std::size_t i = at; i < std::min(n, at + kPiece); ++i) {
        f(i);
      }
    }
  });
}

// The number of elements of a use: 2 to the power of its second argument, or 2^20.
inline std::size_t elements(int argc, char **argv) { return std::size_t(1) << (argc > 2 ? std::atoi(argv[2]) : 20); }

class Device {
public:
  explicit Device(cl_device_id device) : device_(device) {
    context_ = clCreateContext(nullptr, 1, &device, nullptr, nullptr, nullptr);
    queue_ = clCreateCommandQueueWithProperties(context_, device, nullptr, nullptr);
    if (context_ == nullptr || queue_ == nullptr) require(CL_OUT_OF_RESOURCES);
  }
  Device(const Device &) = delete;
  Device &operator=(const Device &) = delete;
  ~Device() {
    for (cl_kernel kernel : kernels_) clReleaseKernel(kernel);
    for (cl_mem memory : arrays_) clReleaseMemObject(memory);
    up::release_programs(context_);
    clReleaseCommandQueue(queue_);
    clReleaseContext(context_);
  }

  operator up::queue() const { return queue_; }
  std::string name() const {
    char text[256] = {};
    clGetDeviceInfo(device_, CL_DEVICE_NAME, sizeof text - 1, text, nullptr);
    return text;
  }
  // Arrays live as long as the device.
  template <class T>
  up::array array(std::size_t n, const T *from = nullptr) {
    return array(up::type_of<T>::value(), n, from);
  }
  template <class T>
  up::array array(const std::vector<T> &from) {
    return array(from.size(), from.data());
  }
  up::array array(const up::element_type &type, std::size_t n, const void *from = nullptr) {
    cl_int code = CL_SUCCESS;
    arrays_.push_back(clCreateBuffer(context_, CL_MEM_READ_WRITE, std::max<std::size_t>(n, 1) * type.bytes, nullptr, &code));
    require(code);
    if (from != nullptr) {
      require(clEnqueueWriteBuffer(queue_, arrays_.back(), CL_TRUE, 0, n * type.bytes, from, 0, nullptr, nullptr));
    }
    return {type, arrays_.back()};
  }
  template <class T>
  std::vector<T> read(const up::array &from, std::size_t n) {
    std::vector<T> values(n);
    if (n > 0) {
      require(clEnqueueReadBuffer(queue_, from.memory, CL_TRUE, 0, n * sizeof(T), values.data(), 0, nullptr, nullptr));
    }
    return values;
  }
  // A kernel of one dimension; without a name, the first kernel of the text.
  cl_kernel kernel(const std::string &text, std::string name = "") {
    const char *source = text.c_str();
    cl_program program = clCreateProgramWithSource(context_, 1, &source, nullptr, nullptr);
    require(clBuildProgram(program, 1, &device_, "", nullptr, nullptr));
    cl_int code = CL_SUCCESS;
    const std::size_t begin = text.find("kernel void ") + 12;
    if (name.empty()) {
      name = text.substr(begin, text.find('(', begin) - begin);
    }
    kernels_.push_back(clCreateKernel(program, name.c_str(), &code));
    require(code);
    clReleaseProgram(program);
    return kernels_.back();
  }
  // Each argument is an array or a number.
  template <class... Given>
  void launch(cl_kernel kernel, std::size_t n, const Given &...given) {
    cl_uint place = 0;
    (set(kernel, place++, given), ...);
    require(clEnqueueNDRangeKernel(queue_, kernel, 1, nullptr, &n, nullptr, 0, nullptr, nullptr));
  }
  void copy(const up::array &from, const up::array &to, std::size_t n) {
    require(clEnqueueCopyBuffer(queue_, from.memory, to.memory, 0, 0, n * from.type.bytes, 0, nullptr, nullptr));
  }
  // Copies this many bytes, for comparison.
  void copy(std::size_t bytes) {
    if (copied_ < bytes) {
      from_ = array<unsigned char>(bytes);
      to_ = array<unsigned char>(bytes);
      copied_ = bytes;
    }
    copy(from_, to_, bytes);
  }
  void wait() { require(clFinish(queue_)); }

private:
  static void set(cl_kernel kernel, cl_uint place, const up::array &array) {
    require(clSetKernelArg(kernel, place, sizeof array.memory, &array.memory));
  }
  template <class T>
    requires std::is_arithmetic_v<T>
  static void set(cl_kernel kernel, cl_uint place, T number) {
    require(clSetKernelArg(kernel, place, sizeof number, &number));
  }

  cl_device_id device_;
  cl_context context_ = nullptr;
  cl_command_queue queue_ = nullptr;
  std::vector<cl_mem> arrays_;
  std::vector<cl_kernel> kernels_;
  up::array from_, to_;
  std::size_t copied_ = 0;
};

}  // namespace uses
