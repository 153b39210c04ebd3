// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The types of CL/opencl.hpp are taken as they are.
#define CL_HPP_TARGET_OPENCL_VERSION 300
#define CL_HPP_MINIMUM_OPENCL_VERSION 200
#include <CL/opencl.hpp>

#include <upsweep/opencl/scan.h>

#include <vector>

int main() {
  std::vector<cl::Platform> platforms;
  std::vector<cl::Device> devices;
  if (cl::Platform::get(&platforms) != CL_SUCCESS || platforms[0].getDevices(CL_DEVICE_TYPE_ALL, &devices) != CL_SUCCESS)
    return 77;
  const cl::Context context(devices[0]);
  const cl::CommandQueue queue(context, devices[0]);
  std::vector<int> values(1000, 1);
  const cl::Buffer memory(context, values.begin(), values.end(), false);
  const auto data = upsweep::opencl::buffer<int>(memory);
  if (upsweep::opencl::inclusive_sum(data, data, values.size(), queue) != CL_SUCCESS) return 1;
  cl::copy(queue, memory, values.begin(), values.end());
  upsweep::opencl::release_programs(context);
  return values.back() == 1000 ? 0 : 1;
}
