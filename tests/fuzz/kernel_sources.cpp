// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Prints random kernels, to be compiled for other machines: kernel_sources SEED COUNT
#include "kernel_program.h"

#include <cstdio>
#include <cstdlib>

int main(int count, char **words) {
  if (count != 3) {
    std::fprintf(stderr, "usage: kernel_sources SEED COUNT\n");
    return 2;
  }
  const uint64_t seed = std::strtoull(words[1], nullptr, 0), programs = std::strtoull(words[2], nullptr, 0);
  for (uint64_t i = 0; i < programs; ++i)
    std::printf("//: program\n%s", upsweep::fuzz::print(upsweep::fuzz::generate(seed + i)).c_str());
  return 0;
}
