// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A build of one source on one platform of the ICD loader, for the benchmark of compile time. It runs in its own process,
// whose processor time, with that of its compilers, is the build's alone.
#ifndef UPSWEEP_BENCH_GROWTH_BUILD_H
#define UPSWEEP_BENCH_GROWTH_BUILD_H

#include "bench/harness.h"

namespace upsweep::bench {

/// The platforms with a CPU device: their names and versions.
Result<std::vector<std::pair<std::string, std::string>>> cpu_platforms();

/// In the child: clBuildProgram, clCreateKernel of the first kernel, and one launch of a work-group of 16. With an empty
/// source, only the context and a queue.
Result<void> build_and_launch(const std::string &platform, const std::string &source_path);

}  // namespace upsweep::bench
#endif
