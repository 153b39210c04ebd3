// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The part UPSWEEP_PART of the program.
#include "two_programs.h"

namespace upsweep::test {

namespace {

template <class T>
constexpr const char *written() {
  return __PRETTY_FUNCTION__;
}

int major_of_code() {
  cuda::detail::DeviceLimits limits = {};
  return cuda::detail::DeviceLimits::of_current(limits) == cudaSuccess ? limits.major : 0;
}

cudaError_t scan(std::vector<float> &values) {
  const std::size_t n = values.size(), bytes = n * sizeof(float);
  cuda::workspace space;
  space.bytes = cuda::scan_workspace_bytes<float>(n);
  float *array = nullptr;
  cudaError_t error = cudaMalloc(&space.data, space.bytes);
  const auto then = [&](cudaError_t next) { error = error == cudaSuccess ? next : error; };
  then(cudaMalloc(&array, bytes));
  then(cuda::initialise(space));
  then(cudaMemcpy(array, values.data(), bytes, cudaMemcpyHostToDevice));
  then(cuda::inclusive_sum(space, array, array, n));
  then(cudaMemcpy(values.data(), array, bytes, cudaMemcpyDeviceToHost));
  then(cudaFree(array));
  then(cudaFree(space.data));
  return error;
}

}  // namespace

const PartOfProgram UPSWEEP_PART = {written<cuda::plus>(), major_of_code, scan};

}  // namespace upsweep::test
