// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Declares options for CLI11, and turns its declarations and errors into texts. A value's name says its alternatives, as in
// usage::Option.
#ifndef UPSWEEP_CLI_DECLARE_H
#define UPSWEEP_CLI_DECLARE_H

#include "cli/result.h"
#include "usage/command.h"

#include <CLI/CLI.hpp>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace upsweep::cli {

inline constexpr int kFailed = 1;
inline constexpr int kWrongUsage = 2;

// An option with any text as its value.
CLI::Option *add_text(CLI::App &app, const std::string &name, std::string &to, const std::string &value,
                      const std::string &help);
// The value is a word of `value`, such as "sum|product". If `value` has NUMBER among them, a number of digits too.
CLI::Option *add_choice(CLI::App &app, const std::string &name, std::string &to, const std::string &value,
                        const std::string &help);
// The name of a file. An empty name is an error, since it usually comes from an unset shell variable.
CLI::Option *add_file(CLI::App &app, const std::string &name, std::filesystem::path &to, const std::string &value,
                      const std::string &help);
// A whole number, or a real one, within these bounds.
CLI::Option *add_whole(CLI::App &app, const std::string &name, int64_t least, int64_t most,
                       const std::function<void(int64_t)> &store, const std::string &help);
CLI::Option *add_real(CLI::App &app, const std::string &name, double &to, double least, double most, const std::string &help);

// Lines "command  # comment", which are shown by --help and the manual page, and which tests run.
void add_examples(CLI::App &app, const std::vector<usage::Example> &examples);

// The command with its verbs. For a verb, the name begins with the command: "upsweep scan".
usage::Command describe(const CLI::App &app, const std::string &name);

// Parses the arguments behind the program's name. Returns the status at which the program must end, after a text was printed:
// the help, the version, or a mistake with the option that is nearest.
std::optional<int> parse(CLI::App &app, const std::string &name, const std::vector<std::string> &words);

}  // namespace upsweep::cli
#endif
