// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The command `upsweep`: its verbs with their options, and the call of a parsed verb.
#ifndef UPSWEEP_CLI_COMMAND_LINE_H
#define UPSWEEP_CLI_COMMAND_LINE_H

#include "cli/bench_kernel.h"
#include "cli/check.h"
#include "cli/explain.h"
#include "cli/files/command_line.h"
#include "cli/profile.h"
#include "cli/result.h"
#include "cli/run.h"

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace upsweep::cli {

class CommandLine {
public:
  explicit CommandLine(const std::string &version);

  [[nodiscard]] CLI::App &app() { return app_; }
  // Runs the verb that was parsed; the status of this process.
  [[nodiscard]] Result<int> run() const;
  // Whether another program parses the arguments of a verb, as for bench and compile.
  static bool is_other_program(std::string_view verb) { return verb == "bench" || verb == "compile"; }

private:
  [[nodiscard]] Result<void> run_verb() const;
  [[nodiscard]] static Result<std::vector<std::string>> program_of(const CLI::App &verb);
  void add_info();
  void add_demo();
  void add_run();
  static void add_launch(CLI::App &verb, RunOptions &options);
  void add_check();
  void add_profile();
  void add_explain();
  void add_bench_kernel();
  void add_cache();
  void add_help();

  CLI::App app_;
  bool is_json_ = false;
  bool purges_ = false;
  std::string device_;
  RunOptions run_;
  BenchKernelOptions bench_kernel_;
  CheckOptions check_;
  ProfileOptions profile_;
  ExplainOptions explain_;
  std::string of_help_;
  std::optional<FileCommands> files_;
};

// Replaces this process by upsweepc or upsweep-bench, which parse the further arguments.
[[nodiscard]] Result<void> become_compiler(const std::vector<std::string> &arguments);
[[nodiscard]] Result<void> become_bench(const std::vector<std::string> &arguments);

}  // namespace upsweep::cli
#endif
