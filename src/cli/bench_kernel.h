// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `upsweep bench-kernel`: measures two versions of a kernel alternately, and compares their results.
#ifndef UPSWEEP_CLI_BENCH_KERNEL_H
#define UPSWEEP_CLI_BENCH_KERNEL_H

#include "cli/result.h"
#include "cli/run.h"

#include <string>

namespace upsweep::cli {

struct BenchKernelOptions {
  RunOptions run;       // of both versions; outputs and prints are empty
  std::string against;  // a file, or REVISION:FILE of git
  unsigned turns = 50;
  double fail_above = 0;  // 0: never
  double tolerance = 0;   // of reals in the results
  bool is_json = false;
};

// Fails if the results differ, and after the report if the whole interval of the ratio is above `fail_above`.
Result<void> bench_kernel(const BenchKernelOptions &options);

}  // namespace upsweep::cli
#endif
