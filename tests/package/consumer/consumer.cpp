// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A user's program: computes a sum on CPU threads and checks it. With CONSUMER_OPENCL it includes the OpenCL library too.
#ifdef CONSUMER_OPENCL
#include <upsweep/opencl/detail/kernel_texts.h>
#include <upsweep/opencl/options.h>
#endif
#include <upsweep/cpu/reduce.h>

#include <cstdio>
#include <numeric>
#include <vector>

int main() {
  std::vector<int> in(10007);
  std::iota(in.begin(), in.end(), -5000);
  int sum = 0;
  upsweep::cpu::sum(in.data(), &sum, in.size());
  std::printf("%d\n", sum);
  return sum == std::accumulate(in.begin(), in.end(), 0) ? 0 : 1;
}
