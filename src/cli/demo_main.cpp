// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// upsweep-demo [--device DEVICE]: the demonstration as a program of its own, which `./dev demo` builds before the command.
#include "cli/demo.h"
#include "cli/own_driver.h"

#include <cstdio>
#include <string_view>

int main(int argc, char **argv) {
  upsweep::cli::prefer_own_driver();
  const bool has_device = argc == 3 && std::string_view(argv[1]) == "--device";
  if (argc > 1 && !has_device) {
    fmt::print(stderr, "usage: upsweep-demo [--device DEVICE]\n");
    return 2;
  }
  const auto done = upsweep::cli::demo(has_device ? argv[2] : "");
  if (done) return 0;
  std::fflush(stdout);  // print earlier output before the message
  fmt::print(stderr, "upsweep-demo: {}\n", done.error());
  return 1;
}
