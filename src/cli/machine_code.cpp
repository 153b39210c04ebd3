// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads the directives `.file` and `.loc` of assembly.
#include "cli/machine_code.h"

#include "cli/child.h"
#include "cli/lines.h"
#include "cli/own_driver.h"
#include "cli/run.h"

#include <algorithm>
#include <charconv>
#include <set>
#include <sstream>

namespace upsweep::cli {
namespace {

std::string_view trimmed(std::string_view text) {
  const size_t begin = text.find_first_not_of(" \t");
  if (begin == text.npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t\r") + 1 - begin);
}

// The numbers behind a directive's name, up to the first word that is none.
std::vector<size_t> numbers_of(std::string_view text) {
  std::vector<size_t> numbers;
  while (!(text = trimmed(text)).empty()) {
    size_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc()) break;
    numbers.push_back(number);
    text.remove_prefix(static_cast<size_t>(end - text.data()));
  }
  return numbers;
}

// The last text in quotes, which is the file's name in both forms of `.file`.
std::string_view last_quoted(std::string_view text) {
  const size_t end = text.rfind('"');
  if (end == text.npos || end == 0) return {};
  const size_t begin = text.rfind('"', end - 1);
  return begin == text.npos ? std::string_view{} : text.substr(begin + 1, end - begin - 1);
}

bool names_file(std::string_view name, const std::string &file) {
  return name == file || std::filesystem::path(name).filename() == std::filesystem::path(file).filename();
}

// Local labels begin with .L. Tables need labels that no instruction names.
std::vector<MachineLine> without_unused_labels(std::vector<MachineLine> code) {
  std::string instructions;
  for (const MachineLine &each : code)
    if (!each.text.ends_with(':')) instructions += each.text + '\n';
  std::set<std::string> used;
  for (size_t at = instructions.find(".L"); at != std::string::npos; at = instructions.find(".L", at + 1))
    used.insert(instructions.substr(at, instructions.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
                                                                       "0123456789_.$",
                                                                       at) -
                                            at));
  std::erase_if(code, [&](const MachineLine &each) {
    return each.text.starts_with(".L") && each.text.ends_with(':') && !used.contains(each.text.substr(0, each.text.size() - 1));
  });
  return code;
}

// The words of build options, separated by spaces outside of quotes.
std::vector<std::string> words_of(const std::string &options) {
  std::vector<std::string> words;
  std::string word;
  bool is_quoted = false, has_word = false;
  for (const char each : options) {
    if (each == '"') {
      is_quoted = !is_quoted;
      has_word = true;
    } else if (each == ' ' && !is_quoted) {
      if (has_word) words.push_back(std::exchange(word, {}));
      has_word = false;
    } else {
      word += each;
      has_word = true;
    }
  }
  if (has_word) words.push_back(word);
  return words;
}

}  // namespace

std::vector<MachineLine> parse_assembly(std::string_view assembly, const std::string &file) {
  std::vector<MachineLine> code;
  std::set<size_t> ours;  // numbers of the source's file
  size_t line = 0;
  bool is_code = true;
  for (const std::string_view whole : lines_of(assembly)) {
    const std::string_view text = trimmed(whole.substr(0, std::min(whole.find("# "), whole.size())));
    const bool is_label = text.ends_with(':') && text.find(' ') == text.npos;
    if (text.starts_with(".file")) {
      const auto numbers = numbers_of(text.substr(5));
      if (!numbers.empty() && names_file(last_quoted(text), file)) ours.insert(numbers[0]);
    } else if (text.starts_with(".loc")) {
      const auto numbers = numbers_of(text.substr(4));
      line = numbers.size() >= 2 && ours.contains(numbers[0]) ? numbers[1] : 0;
    } else if (text.starts_with(".section")) {
      is_code = text.find(".text") != text.npos;
    } else if (text == ".text") {
      is_code = true;
    } else if (is_code && is_label) {
      if (!text.starts_with(".L")) line = 0;
      code.push_back({line, std::string(text)});
    } else if (is_code && !text.empty() && text[0] != '.' && text[0] != '#') {
      code.push_back({line, std::string(text)});
    }
  }
  return without_unused_labels(std::move(code));
}

Result<std::vector<MachineLine>> machine_code_of(const std::filesystem::path &file, const std::string &build_options) {
  std::vector<std::string> words{
      (executable_folder() / "upsweepc").string(), file.string(), "--emit=asm", "-o", "-", "-gline-tables-only"};
  std::ranges::move(words_of(complete_build_options(build_options)), std::back_inserter(words));
  auto compiled = run_child(std::move(words));
  if (!compiled) return Failure(compiled.error());
  if (!compiled->is_success) return fail("cannot compile '{}':\n{}", file.string(), compiled->messages);
  return parse_assembly(compiled->output, file.string());
}

}  // namespace upsweep::cli
