// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sets the driver's environment. The driver itself prints the findings and the summary.
#include "cli/check.h"

#include "base/checks.h"
#include "cli/own_driver.h"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <unistd.h>

namespace upsweep::cli {
namespace {

void set(const char *name, const std::string &value) {
  if (!value.empty()) setenv(name, value.c_str(), 1);
}

// The program may change its folder.
std::string absolute_path(const std::filesystem::path &path) {
  return path.empty() ? std::string() : std::filesystem::absolute(path).string();
}

}  // namespace

Result<void> check_program(const CheckOptions &options, std::vector<std::string> words) {
  if (words.empty()) return misuse("PROGRAM is missing: the program to run, and its arguments");
  if (const auto checks = parse_checks(options.checks); !checks) return misuse("--checks: {}", checks.error());
  std::error_code error;
  if (!options.suppress.empty() && !std::filesystem::is_regular_file(options.suppress, error))
    return fail("cannot read '{}'", options.suppress.string());
  if (options.log.extension() == ".sarif") std::filesystem::remove(options.log, error);  // an earlier run's findings
  prefer_own_driver();
  set("UPSWEEP_CHECK", options.checks);
  set("UPSWEEP_CHECK_EXIT", "1");
  set("UPSWEEP_CHECK_LOG", absolute_path(options.log));
  set("UPSWEEP_CHECK_SUPPRESS", absolute_path(options.suppress));
  std::vector<char *> arguments;
  for (std::string &word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  std::fflush(stdout);
  execvp(arguments[0], arguments.data());
  return fail("cannot start '{}': {}", words[0], std::strerror(errno));
}

Result<void> turn_checks_on(const std::string &device) {
  if (device == "gpu") return misuse("--check: only the CPU device checks kernels");
  set("UPSWEEP_CHECK", "all");
  set("UPSWEEP_CHECK_EXIT", "1");
  return {};
}

}  // namespace upsweep::cli
