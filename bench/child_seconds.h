// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The processor time of a command, which hardly depends on other work on the machine.
#ifndef UPSWEEP_BENCH_CHILD_SECONDS_H
#define UPSWEEP_BENCH_CHILD_SECONDS_H

#include <optional>
#include <string>
#include <vector>

namespace upsweep::bench {

/// Runs a command without output. Returns the user and system time of it and of the processes that it starts; empty if it
/// fails or takes more than `limit` seconds. Waits for all children of this process.
std::optional<double> child_seconds(const std::vector<std::string> &command, unsigned limit);

}  // namespace upsweep::bench
#endif
