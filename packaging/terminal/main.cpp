// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes the manual pages and the completions of all commands below a folder `share`, and the commands as JSON for tests.
//   terminal-pages SHARE COMMANDS.json
#include "bench/textbooks/options.h"
#include "cli/command_line.h"
#include "cli/declare.h"
#include "compiler/usage.h"
#include "usage/pages.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>

namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;
using upsweep::usage::Command;
using upsweep::usage::ExitStatus;
using upsweep::usage::Option;

const std::vector<ExitStatus> kStatuses = {
    {0, "The work is done."},
    {1, "The work failed: a file, a device, a program or the memory. The message names it, and no output file has changed."},
    {2, "The command line itself is wrong. The message names the argument, and nothing was written."}};

void write(const fs::path &path, const std::string &text) {
  fs::create_directories(path.parent_path());
  std::ofstream file(path);
  if (file << text << std::flush) return;
  fmt::print(stderr, "terminal-pages: cannot write '{}': {}\n", path.string(), std::strerror(errno));
  std::exit(1);
}

Command command_line() {
  upsweep::cli::CommandLine cli(UPSWEEP_VERSION);
  Command command = upsweep::cli::describe(cli.app(), "upsweep");
  const auto verb = [&](const char *name) -> Command & { return *std::ranges::find(command.verbs, name, &Command::name); };
  CLI::App bench;
  upsweep::cli::textbooks::Options options;
  upsweep::cli::textbooks::declare(bench, options);
  verb("upsweep bench") = upsweep::cli::describe(bench, "upsweep bench");
  Command &compile = verb("upsweep compile");
  const std::string summary = compile.summary;
  compile = upsweep::compiler::describe_command();
  compile.name = "upsweep compile";
  compile.summary = summary;
  compile.examples.clear();  // they are upsweepc's
  return command;
}

// The pages of the command and of each verb with options; `compile` and `help` have other pages.
void write_manuals(const fs::path &folder, const Command &command) {
  std::vector<std::string> names;
  for (const Command &verb : command.verbs)
    if (verb.name != "upsweep compile" && verb.name != "upsweep help") names.push_back(upsweep::usage::page_name(verb));
  std::vector<std::string> others = names;
  others.emplace_back("upsweepc");
  write(folder / "upsweep.1", manual(command, UPSWEEP_VERSION, kStatuses, others));
  for (const Command &verb : command.verbs)
    if (const std::string name = page_name(verb); std::ranges::find(names, name) != names.end())
      write(folder / (name + ".1"), manual(verb, UPSWEEP_VERSION, kStatuses, {"upsweep"}));
}

void write_completions(const fs::path &share, const Command &command) {
  write(share / "bash-completion/completions" / command.name, bash_completion(command));
  write(share / "zsh/site-functions" / ("_" + command.name), zsh_completion(command));
  write(share / "fish/vendor_completions.d" / (command.name + ".fish"), fish_completion(command));
}

ordered_json to_json(const std::vector<Option> &options) {
  ordered_json list = ordered_json::array();
  for (const Option &option : options)
    list.push_back({{"names", option.names},
                    {"value", option.value},
                    {"words", option.value.empty() ? std::vector<std::string>() : words_of(option)},
                    {"sign", option.before_value},
                    {"required", option.is_required},
                    {"repeated", option.is_repeated}});
  return list;
}

ordered_json to_json(const Command &command) {
  ordered_json entry = {{"name", command.name},
                        {"operands", to_json(command.operands)},
                        {"options", to_json(command.options)},
                        {"examples", ordered_json::array()},
                        {"verbs", ordered_json::array()}};
  for (const auto &example : command.examples) entry["examples"].push_back(example.command);
  for (const Command &verb : command.verbs) entry["verbs"].push_back(to_json(verb));
  return entry;
}

}  // namespace

int main(int argc, char **argv) {
  if (argc != 3) {
    fmt::print(stderr, "usage: terminal-pages SHARE COMMANDS.json\n");
    return 2;
  }
  const fs::path share = argv[1];
  const Command command = command_line(), compiler = upsweep::compiler::describe_command();
  write_manuals(share / "man/man1", command);
  write(share / "man/man1/upsweepc.1", manual(compiler, UPSWEEP_VERSION, kStatuses, {"upsweep"}));
  write_completions(share, command);
  write_completions(share, compiler);
  write(argv[2], to_json(command).dump(1) + "\n");
}
