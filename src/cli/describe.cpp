// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CLI11's declarations as data, and its errors as sentences that name the argument at fault.
#include "cli/declare.h"

#include <algorithm>
#include <cstdio>
#include <iterator>
#include <unistd.h>

namespace upsweep::cli {
namespace {

usage::Option describe_option(const CLI::Option &option) {
  usage::Option described{{}, option.get_type_size() == 0 ? "" : option.get_type_name(), option.get_description()};
  for (const std::string &name : option.get_snames()) described.names.push_back("-" + name);
  for (const std::string &name : option.get_lnames()) described.names.push_back("--" + name);
  described.is_required = option.get_required();
  described.is_repeated = option.get_items_expected_max() > 1;
  return described;
}

std::vector<usage::Example> read_examples(const std::string &footer) {
  constexpr std::string_view kComment = "  # ";
  std::vector<usage::Example> examples;
  for (size_t begin = 0; begin < footer.size();) {
    const size_t end = std::min(footer.find('\n', begin), footer.size());
    const std::string line = footer.substr(begin, end - begin);
    const size_t comment = line.find(kComment);
    if (comment != line.npos) examples.push_back({line.substr(0, comment), line.substr(comment + kComment.size())});
    begin = end + 1;
  }
  return examples;
}

std::string value_name(const CLI::Option &option) { return option.get_type_name(); }

// How the user writes an option or an operand: "--out", or "FILE".
std::string spoken_name(const CLI::Option &option) { return option.get_positional() ? value_name(option) : option.get_name(); }

bool looks_like_option(const std::string &word) {
  return word.size() > 1 && word[0] == '-' && word != "--" && !(word[1] >= '0' && word[1] <= '9') && word[1] != '.';
}

// The first argument that looks like an option and is none, without its value; empty if there is none.
std::string unknown_option(const CLI::App &app, const std::vector<std::string> &words) {
  for (const std::string &word : words) {
    if (word == "--") break;
    if (!looks_like_option(word)) continue;
    const std::string name = word.starts_with("--") ? word.substr(0, word.find('=')) : word.substr(0, 2);
    if (app.get_option_no_throw(name) == nullptr) return word.starts_with("--") ? name : word;
  }
  return {};
}

template <class Kind>
bool is(const CLI::ParseError &error) {
  return dynamic_cast<const Kind *>(&error) != nullptr;
}

// A sentence for an error of CLI11. The errors of validators are sentences already.
std::string mistake(const CLI::App &app, const CLI::ParseError &error, const std::vector<std::string> &words,
                    const usage::Command &command) {
  if (const std::string unknown = unknown_option(app, words); !unknown.empty())
    return fmt::format("unknown option '{}'{}", unknown, usage::suggestion(unknown, usage::option_names(command)));
  if (const auto extra = app.remaining(); is<CLI::ExtrasError>(error) && !extra.empty())
    return fmt::format("extra argument '{}'", extra.front());
  std::string text = error.what();
  constexpr std::string_view kExcludes = " excludes ";
  if (const size_t at = text.find(kExcludes); is<CLI::ExcludesError>(error) && at != text.npos)
    return text.replace(at, kExcludes.size(), " and ") + " cannot be used together";
  for (const CLI::Option *option : app.get_options()) {
    if (is<CLI::RequiredError>(error) && option->get_required() && option->count() == 0)
      return fmt::format("{} is missing: {}", spoken_name(*option), option->get_description());
    if (is<CLI::ArgumentMismatch>(error) && text.starts_with(option->get_name() + ":"))
      return option->count() > 1 ? fmt::format("{} is given {} times", spoken_name(*option), option->count())
                                 : fmt::format("{} needs a value: {}", spoken_name(*option), value_name(*option));
  }
  return text;
}

int explain(const std::string &name, const std::string &text) {
  std::fflush(stdout);  // print earlier output before the message
  fmt::print(stderr, "{}: {}\n`{} --help` shows its options.\n", name, text, name);
  return kWrongUsage;
}

int explain_verb(const usage::Command &command, const std::string &text) {
  std::fflush(stdout);
  fmt::print(stderr, "{}: {}\n\n{}", command.name, text, usage::list_verbs(command, usage::line_width(STDERR_FILENO)));
  return kWrongUsage;
}

}  // namespace

usage::Command describe(const CLI::App &app, const std::string &name) {
  usage::Command command{name, app.get_description(), {}, {}, {}, {}};
  std::vector<usage::Option> last;  // --help is declared first, but interests least
  for (const CLI::Option *option : app.get_options()) {
    usage::Option described = describe_option(*option);
    const bool is_last = described.name() == "--help" || described.name() == "--version";
    (option->get_positional() ? command.operands : is_last ? last : command.options).push_back(std::move(described));
  }
  std::ranges::move(last, std::back_inserter(command.options));
  command.examples = read_examples(app.get_footer());
  for (const CLI::App *verb : app.get_subcommands([](const CLI::App *) { return true; }))
    command.verbs.push_back(describe(*verb, name + " " + verb->get_name()));
  return command;
}

std::optional<int> parse(CLI::App &app, const std::string &name, const std::vector<std::string> &words) {
  const usage::Command command = describe(app, name);
  if (!command.verbs.empty()) {
    if (words.empty()) return explain_verb(command, "a verb is missing");
    const auto verbs = usage::verb_names(command);
    if (!words[0].starts_with('-') && std::ranges::find(verbs, words[0]) == verbs.end())
      return explain_verb(command, fmt::format("there is no verb '{}'{}", words[0], usage::suggestion(words[0], verbs)));
  }
  try {
    app.parse(std::vector<std::string>(words.rbegin(), words.rend()));  // which takes them from the end
    return std::nullopt;
  } catch (const CLI::ParseError &error) {
    const auto parsed = app.get_subcommands();
    const CLI::App &at = parsed.empty() ? app : *parsed.front();
    const std::string at_name = parsed.empty() ? name : name + " " + at.get_name();
    const usage::Command at_command = describe(at, at_name);
    if (is<CLI::CallForHelp>(error)) {
      fmt::print("{}", usage::help_text(at_command, usage::line_width(STDOUT_FILENO)));
      return 0;
    }
    if (error.get_exit_code() == 0) return app.exit(error);  // the version
    return explain(at_name, mistake(at, error, {words.begin() + (parsed.empty() ? 0 : 1), words.end()}, at_command));
  }
}

}  // namespace upsweep::cli
