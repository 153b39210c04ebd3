// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The program behind `upsweep bench`: parses the command line, measures, and prints.
#include "bench/textbooks/bench.h"
#include "bench/textbooks/options.h"
#include "cli/declare.h"

#include <algorithm>
#include <cstdio>
#include <new>

namespace {

int complain(const upsweep::cli::Error &error) {
  std::fflush(stdout);  // print earlier output before the message
  fmt::print(stderr, "upsweep: {}\n", error);
  return error.is_misuse ? upsweep::cli::kWrongUsage : upsweep::cli::kFailed;
}

int measure(const std::vector<std::string> &words) {
  CLI::App app;
  upsweep::cli::textbooks::Options options;
  upsweep::cli::textbooks::declare(app, options);
  if (const auto status = upsweep::cli::parse(app, "upsweep bench", words)) return *status;
  const auto done = upsweep::cli::textbooks::run(options);
  return done ? 0 : complain(done.error());
}

}  // namespace

int main(int argc, char **argv) {
  try {
    return measure({argv + std::min(argc, 1), argv + argc});
  } catch (const std::bad_alloc &) {
    return complain(std::string("not enough memory"));
  }
}
