// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The processor time of a command: it hardly depends on what else the machine does.
#ifndef UPSWEEP_BENCH_CHILD_SECONDS_H
#define UPSWEEP_BENCH_CHILD_SECONDS_H

#include <optional>
#include <string>
#include <vector>

namespace upsweep::bench {

/// Runs a command without output and returns the user and system time of it and of the processes that it starts. None when it
/// fails, or takes more than `limit` seconds. Waits for all children of this process.
std::optional<double> child_seconds(const std::vector<std::string> &command, unsigned limit);

}  // namespace upsweep::bench
#endif
