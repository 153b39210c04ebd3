// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compares the results of two runs of a kernel.
#ifndef UPSWEEP_CLI_RESULTS_H
#define UPSWEEP_CLI_RESULTS_H

#include "cli/argument.h"
#include "cli/parameter.h"

#include <vector>

namespace upsweep::cli {

// Success if all buffers and images are equal, else an error that names the first element that differs. Reals may differ by
// `tolerance`, relative to the larger one; two that are no numbers are equal.
Result<void> compare_results(const std::vector<Parameter> &parameters, const std::vector<HostArgument> &ours,
                             const std::vector<HostArgument> &theirs, double tolerance);

}  // namespace upsweep::cli
#endif
