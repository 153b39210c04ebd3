// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The `upsweep` command: parses the command line and calls the verb.
#include "cli/command_line.h"
#include "cli/declare.h"
#include "cli/files/progress.h"

#include <algorithm>
#include <cstdio>
#include <new>

namespace {

using upsweep::cli::CommandLine;
using upsweep::cli::Error;
using upsweep::cli::Result;

int complain(const Error &error) {
  upsweep::cli::erase_bar();
  std::fflush(stdout);  // print earlier output before the message
  fmt::print(stderr, "upsweep: {}\n", error);
  return error.is_misuse ? upsweep::cli::kWrongUsage : upsweep::cli::kFailed;
}

int status_of(const Result<void> &done) { return done ? 0 : complain(done.error()); }

// `upsweep help` is `upsweep --help`, and `upsweep help VERB` is `upsweep VERB --help`.
void turn_help(std::vector<std::string> &words) {
  if (words.empty() || words[0] != "help" || words.size() > 2) return;
  words.erase(words.begin());
  const bool has_option = !words.empty() && words[0].starts_with('-');  // right or wrong, it stands for itself
  if (!has_option) words.emplace_back("--help");
}

int dispatch(std::vector<std::string> words) {
  turn_help(words);
  if (!words.empty() && CommandLine::is_other_program(words[0])) {
    const std::vector<std::string> rest(words.begin() + 1, words.end());
    return status_of(words[0] == "bench" ? upsweep::cli::become_bench(rest) : upsweep::cli::become_compiler(rest));
  }
  CommandLine command_line(UPSWEEP_VERSION);
  if (const auto status = upsweep::cli::parse(command_line.app(), "upsweep", words)) return *status;
  const auto status = command_line.run();
  return status ? *status : complain(status.error());
}

}  // namespace

int main(int argc, char **argv) {
  try {
    return dispatch({argv + std::min(argc, 1), argv + argc});
  } catch (const std::bad_alloc &) {
    return complain(std::string("not enough memory"));
  }
}
