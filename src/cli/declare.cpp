// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Options' values are read here instead of by CLI11, whose messages do not name the value that is wrong.
#include "cli/declare.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fmt/ranges.h>

namespace upsweep::cli {
namespace {

using Store = std::function<void(const std::string &)>;

// "--quiet" of "-q,--quiet"
std::string long_name(const std::string &names) { return names.substr(names.rfind(',') + 1); }

CLI::Option *add(CLI::App &app, const std::string &name, const Store &store, const std::string &value,
                 const std::string &help) {
  return app.add_option_function<std::string>(name, store, help)->type_name(value);
}

// "cpu, gpu or a number"
std::string alternatives(std::vector<std::string> words, bool takes_number) {
  if (takes_number) words.emplace_back("a number");
  if (words.size() == 1) return words.front();
  const std::string last = words.back();
  words.pop_back();
  return fmt::format("{} or {}", fmt::join(words, ", "), last);
}

bool is_digits(const std::string &text) { return !text.empty() && text.find_first_not_of("0123456789") == text.npos; }

template <class Number>
bool read_number(const std::string &text, Number &number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return !text.empty() && error == std::errc{} && end == text.data() + text.size();
}

}  // namespace

CLI::Option *add_text(CLI::App &app, const std::string &name, std::string &to, const std::string &value,
                      const std::string &help) {
  return app.add_option(name, to, help)->type_name(value);
}

CLI::Option *add_choice(CLI::App &app, const std::string &name, std::string &to, const std::string &value,
                        const std::string &help) {
  const std::vector<std::string> words = usage::words_of({{}, value, {}});
  const bool takes_number = value.find("NUMBER") != value.npos;
  const auto store = [=, &to](const std::string &text) {
    if (std::ranges::find(words, text) == words.end() && !(takes_number && is_digits(text)))
      throw CLI::ValidationError(fmt::format("{} '{}': write {}{}", long_name(name), text, alternatives(words, takes_number),
                                             usage::suggestion(text, words)));
    to = text;
  };
  return add(app, name, store, value, help);
}

CLI::Option *add_file(CLI::App &app, const std::string &name, std::filesystem::path &to, const std::string &value,
                      const std::string &help) {
  const auto store = [name, value, &to](const std::string &text) {
    if (text.empty())
      throw CLI::ValidationError(
          fmt::format("{}: the name of a file is empty", name.starts_with('-') ? long_name(name) : value));
    to = text;
  };
  return add(app, name, store, value, help);
}

CLI::Option *add_whole(CLI::App &app, const std::string &name, int64_t least, int64_t most,
                       const std::function<void(int64_t)> &store, const std::string &help) {
  const auto read = [=](const std::string &text) {
    int64_t number = 0;
    if (!read_number(text, number) || number < least || number > most)
      throw CLI::ValidationError(
          fmt::format("{} '{}': write a whole number from {} to {}", long_name(name), text, least, most));
    store(number);
  };
  return add(app, name, read, "NUMBER", help);
}

CLI::Option *add_real(CLI::App &app, const std::string &name, double &to, double least, double most, const std::string &help) {
  const auto read = [=, &to](const std::string &text) {
    double number = 0;
    if (!read_number(text, number) || !(number >= least && number <= most))
      throw CLI::ValidationError(
          std::isinf(most) ? fmt::format("{} '{}': write a number of at least {}", long_name(name), text, least)
                           : fmt::format("{} '{}': write a number from {} to {}", long_name(name), text, least, most));
    to = number;
  };
  return add(app, name, read, "NUMBER", help);
}

void add_examples(CLI::App &app, const std::vector<usage::Example> &examples) {
  std::string lines;
  for (const auto &[command, comment] : examples) lines += command + "  # " + comment + '\n';
  app.footer(lines);
}

}  // namespace upsweep::cli
