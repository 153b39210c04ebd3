// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The library accepts the types of CL/opencl.hpp directly.
#define CL_HPP_TARGET_OPENCL_VERSION 300
#define CL_HPP_MINIMUM_OPENCL_VERSION 200
#include <CL/opencl.hpp>

#include <upsweep/opencl/scan.h>

#include <vector>

// A function of typed buffers: a buffer<float> would be an error.
cl_int running_totals(const upsweep::opencl::buffer<int> &data, std::size_t n, const cl::CommandQueue &queue) {
  return upsweep::opencl::inclusive_sum(data, data, n, queue);
}

int main() {
  std::vector<cl::Platform> platforms;
  std::vector<cl::Device> devices;
  if (cl::Platform::get(&platforms) != CL_SUCCESS || platforms[0].getDevices(CL_DEVICE_TYPE_ALL, &devices) != CL_SUCCESS)
    return 77;
  const cl::Context context(devices[0]);
  const cl::CommandQueue queue(context, devices[0]);
  std::vector<int> values(1000, 1);
  const cl::Buffer memory(context, values.begin(), values.end(), false);
  const upsweep::opencl::buffer<int> data(memory);
  if (running_totals(data, values.size(), queue) != CL_SUCCESS) return 1;
  cl::copy(queue, memory, values.begin(), values.end());
  upsweep::opencl::release_programs(context);
  return values.back() == 1000 ? 0 : 1;
}
