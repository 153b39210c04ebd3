// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The device on which tests run kernels: the CPU, or with UPSWEEP_TEST_DEVICE=gpu an NVIDIA GPU.
#ifndef UPSWEEP_TESTS_TESTED_DEVICE_H
#define UPSWEEP_TESTS_TESTED_DEVICE_H

#include <CL/cl.h>

#include <cstdlib>
#include <string_view>

namespace upsweep::tests {

inline cl_device_type tested_device_type() {
  const char *wanted = std::getenv("UPSWEEP_TEST_DEVICE");
  return wanted && std::string_view(wanted) == "gpu" ? CL_DEVICE_TYPE_GPU : CL_DEVICE_TYPE_CPU;
}

inline bool tests_a_gpu() { return tested_device_type() == CL_DEVICE_TYPE_GPU; }

template <typename T>
T figure_of(cl_device_id device, cl_device_info what) {
  T value{};
  clGetDeviceInfo(device, what, sizeof value, &value, nullptr);
  return value;
}

}  // namespace upsweep::tests
#endif
