// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A completion for bash, which needs nothing of the package bash-completion but its folder.
#include "usage/pages.h"

#include <algorithm>

namespace upsweep::usage {
namespace {

// Common to all commands. `values`, `kind` and `options` say how the word at the cursor is completed. Bash has "--name=value"
// as three words.
constexpr char kStart[] = R"(() {
  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} values= kind= options=
  COMPREPLY=()
  if [[ $word == = ]]; then
    word=
  elif [[ $before == = ]] && ((COMP_CWORD > 1)); then
    before=${COMP_WORDS[COMP_CWORD - 2]}
  fi
)";

constexpr char kEnd[] = R"(
  if [[ $kind == operand* && $word == -* ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$options" -- "$word")
    [[ ${COMPREPLY[0]-} == *= ]] && compopt -o nospace 2>/dev/null
    return 0
  fi
  [[ -n $values ]] && mapfile -t COMPREPLY < <(compgen -W "$values" -- "$word")
  case $kind in
  *file) mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(compgen -f -- "$word") ;;
  *folder) mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(compgen -d -- "$word") ;;
  esac
  [[ $kind == *file || $kind == *folder ]] && compopt -o filenames 2>/dev/null
  return 0
}
)";

std::string joined(const std::vector<std::string> &words) {
  std::string text;
  for (const std::string &word : words) text += (text.empty() ? "" : " ") + word;
  return text;
}

std::string kind_of(const Option &option) { return takes_file(option) ? "file" : takes_folder(option) ? "folder" : "other"; }

std::string all_options(const Command &command) {
  std::vector<std::string> names;
  for (const Option &option : command.options)
    for (const std::string &name : option.names)
      names.push_back(name + (option.before_value == "=" && !option.value.empty() ? "=" : ""));
  return joined(names);
}

// The completion of one command's options and operands.
std::string arms(const Command &command, const std::string &indent) {
  std::string text = indent + "options='" + all_options(command) + "'\n" + indent + "case $before in\n";
  for (const Option &option : command.options) {
    if (option.value.empty()) continue;
    std::string names;
    for (const std::string &name : option.names) names += (names.empty() ? "" : " | ") + name;
    text += indent;
    text += names + ") kind=" + kind_of(option);
    if (const auto words = words_of(option); !words.empty()) text += " values='" + joined(words) + "'";
    text += " ;;\n";
  }
  const std::string operand = command.operands.empty() ? "other" : kind_of(command.operands.front());
  const auto words = command.operands.empty() ? std::vector<std::string>() : words_of(command.operands.front());
  text += indent + "*) kind=operand_" + operand + (words.empty() ? "" : " values='" + joined(words) + "'") + " ;;\n";
  return text + indent + "esac\n";
}

}  // namespace

std::string bash_completion(const Command &command) {
  const std::string function = "_" + page_name(command);
  std::string text =
      "# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception\n# Completion of `" + command.name + "` for bash.\n";
  text += function + kStart;
  if (command.verbs.empty()) {
    text += arms(command, "  ");
  } else {
    text += "  if ((COMP_CWORD == 1)); then\n    kind=operand_other values='" + joined(verb_names(command)) + "' options='" +
            all_options(command) + "'\n  else\n    case ${COMP_WORDS[1]} in\n";
    for (const Command &verb : command.verbs)
      text += "    " + verb.name.substr(command.name.size() + 1) + ")\n" + arms(verb, "      ") + "      ;;\n";
    text += "    esac\n  fi\n";
  }
  return text + (kEnd + 1) + "complete -F " + function + " " + command.name + '\n';
}

}  // namespace upsweep::usage
