// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A command and its options as data, from which help texts, manual pages and completions are made. The standard library alone,
// since the compiler uses it too.
#ifndef UPSWEEP_USAGE_COMMAND_H
#define UPSWEEP_USAGE_COMMAND_H

#include <string>
#include <string_view>
#include <vector>

namespace upsweep::usage {

struct Option {
  std::vector<std::string> names;  // "-q", "--quiet"; an operand has none
  // Alternatives between '|': words, and kinds of values in capital letters ("cpu|gpu|NUMBER", "FILE"). A flag has none.
  std::string value;
  std::string help;
  bool is_required = false;
  bool is_repeated = false;
  std::string_view before_value = " ";  // "=" if only --name=value is understood

  [[nodiscard]] const std::string &name() const { return names.empty() ? value : names.back(); }
};

struct Example {
  std::string command;
  std::string comment;
};

struct Command {
  std::string name;  // "upsweep scan"
  std::string summary;
  std::vector<Option> operands;
  std::vector<Option> options;
  std::vector<Example> examples;
  std::vector<Command> verbs;
};

// The words among a value's alternatives: "cpu" and "gpu" of "cpu|gpu|NUMBER".
std::vector<std::string> words_of(const Option &option);
// Whether a value may be the name of a file, or of a folder.
bool takes_file(const Option &option);
bool takes_folder(const Option &option);

// "upsweep scan FILE [OPTION...]"
std::string synopsis(const Command &command);
// "-q, --quiet" or "--out FILE"
std::string heading(const Option &option);
// The verbs of a command, one a line.
std::string list_verbs(const Command &command, size_t width);
// The text of --help in lines of up to `width` characters.
std::string help_text(const Command &command, size_t width);

// The columns of a stream's terminal, between 60 and 120; 80 if the stream is no terminal.
size_t line_width(int file);

// The name that is nearest to a mistyped one by edits of characters; empty if none is near.
std::string nearest(std::string_view mistyped, const std::vector<std::string> &names);
// "; did you mean 'scan'?", or nothing.
std::string suggestion(std::string_view mistyped, const std::vector<std::string> &names);

// All names of a command's options.
std::vector<std::string> option_names(const Command &command);
std::vector<std::string> verb_names(const Command &command);

}  // namespace upsweep::usage
#endif
