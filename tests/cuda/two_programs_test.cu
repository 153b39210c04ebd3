// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A process with two copies of the library, in two shared libraries that were compiled for different GPUs. Neither copy uses
// the kernels of the other, nor its cached properties of the device.
#include "two_programs.h"

#include <cstdio>
#include <cstring>

using namespace upsweep::test;

int main() {
  int failures = 0;
  const auto check = [&](bool is_right, const char *what) {
    failures += is_right ? 0 : 1;
    std::printf("%s: %s\n", is_right ? "passed" : "FAILED", what);
  };
  std::printf("%s\n%s\n", part_for_old.library, part_for_new.library);
  check(std::strcmp(part_for_old.library, part_for_new.library) != 0, "they are in different namespaces");
  check(UPSWEEP_CUDA_VERSION == UPSWEEP_EXPECTED_VERSION, "the version is the project's");
  int devices = 0;
  cudaDeviceProp properties;
  if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0 || cudaGetDeviceProperties(&properties, 0) != cudaSuccess) {
    std::printf("not run: no CUDA device\n");
    return failures == 0 ? 77 : 1;
  }
  // The order of these calls tests the reverse case.
  check(part_for_old.major_of_code() == 7, "code for the old one");
  if (properties.major == 9) {
    check(part_for_new.major_of_code() == 9, "code for the new one");
  }
  for (int round = 0; round < 2; ++round) {
    for (const PartOfProgram *part : {&part_for_old, &part_for_new}) {
      std::vector<float> values(3000000, 1.0f);
      const bool ran = part->scan(values) == cudaSuccess;
      bool is_right = ran;
      for (std::size_t i = 0; i < values.size(); ++i) {
        is_right = is_right && values[i] == static_cast<float>(i + 1);
      }
      check(is_right, part == &part_for_old ? "scan by the old one" : "scan by the new one");
    }
  }
  return failures == 0 ? 0 : 1;
}
