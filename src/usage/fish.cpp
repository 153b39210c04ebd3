// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A completion for fish: a line for each option.
#include "usage/pages.h"

namespace upsweep::usage {
namespace {

std::string quoted(const std::string &text) {
  std::string found = "'";
  for (const char c : text) {
    if (c == '\'' || c == '\\') found += '\\';
    found += c;
  }
  return found + "'";
}

// "-l name", "-s n", or "-o name" for names with one hyphen.
std::string flags(const Option &option) {
  std::string text;
  for (const std::string &name : option.names)
    text += name.starts_with("--") ? " -l " + name.substr(2) : (name.size() == 2 ? " -s " : " -o ") + name.substr(1);
  return text;
}

std::string values(const Option &option) {
  std::string words;
  for (const std::string &word : words_of(option)) words += (words.empty() ? "" : " ") + word;
  if (takes_folder(option)) return " -x -a '(__fish_complete_directories)'";
  return (takes_file(option) ? " -r -F" : " -x") + (words.empty() ? std::string() : " -a " + quoted(words));
}

std::string lines(const Command &command, const std::string &start) {
  std::string text;
  const bool has_file = !command.operands.empty() && takes_file(command.operands.front());
  if (!has_file) text += start + " -f\n";
  for (const Option &operand : command.operands)
    if (const auto words = words_of(operand); !words.empty()) text += start + values(operand) + '\n';
  for (const Option &option : command.options)
    text +=
        start + flags(option) + (option.value.empty() ? "" : values(option)) + " -d " + quoted(short_help(option.help)) + '\n';
  return text;
}

}  // namespace

std::string fish_completion(const Command &command) {
  const std::string start = "complete -c " + command.name;
  std::string text =
      "# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception\n# Completion of `" + command.name + "` for fish.\n";
  if (command.verbs.empty()) return text + lines(command, start);
  text += lines(command, start + " -n __fish_use_subcommand");
  for (const Command &verb : command.verbs) {
    const std::string word = verb.name.substr(command.name.size() + 1);
    text += start;
    text += " -n __fish_use_subcommand -a " + word + " -d " + quoted(verb.summary) + '\n';
    text += lines(verb, start + " -n " + quoted("__fish_seen_subcommand_from " + word));
  }
  return text;
}

}  // namespace upsweep::usage
