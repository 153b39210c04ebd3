// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The functions that two_programs_test.cu calls in parts that were compiled for different GPUs.
#pragma once

#include <upsweep/cuda/scan.cuh>

#include <vector>

namespace upsweep::test {

struct PartOfProgram {
  const char *library;  // how the compiler writes a type of the library
  int (*major_of_code)();
  cudaError_t (*scan)(std::vector<float> &values);
};

extern const PartOfProgram part_for_old, part_for_new;

}  // namespace upsweep::test
