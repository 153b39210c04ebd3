// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A completion for zsh, by its function _arguments.
#include "usage/pages.h"

namespace upsweep::usage {
namespace {

std::string escaped(const std::string &text, std::string_view special) {
  std::string found;
  for (const char c : text) {
    if (special.find(c) != special.npos) found += '\\';
    found += c;
  }
  return found;
}

// Within single quotes of the shell.
std::string quoted(const std::string &text) {
  std::string found = "'";
  for (const char c : text) found += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return found + "'";
}

// ":FILE:_files", which says how a value is completed.
std::string action(const Option &option) {
  std::string words;
  for (const std::string &word : words_of(option)) words += (words.empty() ? "" : " ") + escaped(word, ":()");
  const char *completes = takes_file(option) ? "_files" : takes_folder(option) ? "_files -/" : " ";
  return ":" + escaped(option.value, ":") + ":" + (words.empty() ? completes : "(" + words + ")");
}

std::string specification(const Option &option) {
  std::string names;
  for (const std::string &name : option.names) names += (names.empty() ? "" : " ") + name;
  std::string lines;
  for (const std::string &name : option.names) {
    // "--name=" also takes the next word; "--name=-" only a value in the same word.
    const char *sign = option.value.empty()          ? ""
                       : option.before_value == "="  ? "=-"
                       : option.before_value.empty() ? "-"
                       : name.starts_with("--")      ? "="
                                                     : "";
    const std::string others = option.is_repeated ? "*" : option.names.size() > 1 ? "(" + names + ")" : "";
    lines += " \\\n      " + quoted(others + escaped(name, ":") + sign + "[" + escaped(short_help(option.help), "[]:") + "]" +
                                    (option.value.empty() ? "" : action(option)));
  }
  return lines;
}

std::string arguments(const Command &command) {
  std::string text = "    _arguments -S";
  for (const Option &option : command.options) text += specification(option);
  for (const Option &operand : command.operands)
    text += " \\\n      " + quoted((operand.is_repeated ? "*" : "") + action(operand));
  return text + '\n';
}

}  // namespace

std::string short_help(const std::string &help) {
  const size_t begin = help.find(' ');  // behind a title such as "CSV:"
  return help.substr(0, begin == help.npos ? begin : help.find_first_of(":;", begin));
}

std::string zsh_completion(const Command &command) {
  const std::string function = "_" + page_name(command);
  std::string text =
      "#compdef " + command.name + "\n# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception\n" + function + "() {\n";
  if (command.verbs.empty()) return text + arguments(command) + "}\n" + function + " \"$@\"\n";
  text += "  if (( CURRENT == 2 )); then\n    local -a verbs=(";
  for (const Command &verb : command.verbs)
    text += "\n      " + quoted(verb.name.substr(command.name.size() + 1) + ":" + escaped(verb.summary, ":"));
  text += ")\n    _describe -t verbs verb verbs\n" + arguments(command) + "    return\n  fi\n";
  text += "  local verb=$words[2]\n  shift words\n  (( CURRENT-- ))\n  case $verb in\n";
  for (const Command &verb : command.verbs)
    text += "  " + verb.name.substr(command.name.size() + 1) + ")\n" + arguments(verb) + "    ;;\n";
  return text + "  esac\n}\n" + function + " \"$@\"\n";
}

}  // namespace upsweep::usage
