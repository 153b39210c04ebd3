// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The demonstration as a program of its own, which `./dev demo` builds before the rest of the command: upsweep-demo [DEVICE].
#include "cli/demo.h"
#include "cli/own_driver.h"

#include <cstdio>

int main(int argc, char **argv) {
  upsweep::cli::prefer_own_driver();
  const auto done = upsweep::cli::demo(argc > 1 ? argv[1] : "");
  if (done) return 0;
  std::fflush(stdout);  // print earlier output before the message
  fmt::print(stderr, "upsweep-demo: {}\n", done.error());
  return 1;
}
