// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The texts of --help, wrapped to the terminal.
#include "usage/command.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>

namespace upsweep::usage {
namespace {

constexpr size_t kNarrowest = 60, kWidest = 120, kOfPipes = 80;
constexpr size_t kMargin = 2;
constexpr size_t kHelpColumn = 24, kVerbColumn = 14;

// The number of characters in UTF-8: of its bytes, the first of each character counts.
size_t columns(std::string_view text) {
  return static_cast<size_t>(std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xc0) != 0x80; }));
}

// The words of `text` behind `line`, broken at blanks; further lines are indented.
std::string wrap(std::string line, std::string_view text, size_t indent, size_t width) {
  std::string lines;
  bool is_first = true;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find(' ', begin), text.size());
    const std::string_view word = text.substr(begin, end - begin);
    if (!is_first && columns(line) + 1 + columns(word) > width) {
      lines += line + '\n';
      line = std::string(indent, ' ');
      is_first = true;
    }
    if (!is_first) line += ' ';
    line += word;
    is_first = false;
    begin = end + 1;
  }
  return lines + line + '\n';
}

// A name, and its help from a column on. A long name is broken behind an alternative.
std::string entry(const std::string &name, const std::string &help, size_t width, size_t column = kHelpColumn) {
  std::string line = std::string(kMargin, ' ') + name, lines;
  while (columns(line) > width) {
    const size_t end = line.rfind('|', width - 1);
    if (end == line.npos) break;
    lines += line.substr(0, end + 1) + '\n';
    line = std::string(kMargin + 4, ' ') + line.substr(end + 1);
  }
  if (!lines.empty() || columns(line) + 2 > column)
    return lines + line + '\n' + wrap(std::string(column, ' '), help, column, width);
  line.append(column - columns(line), ' ');
  return wrap(line, help, column, width);
}

}  // namespace

size_t line_width(int file) {
  winsize size{};
  if (isatty(file) == 0 || ioctl(file, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return kOfPipes;
  return std::clamp<size_t>(size.ws_col, kNarrowest, kWidest);
}

std::string synopsis(const Command &command) {
  std::string text = command.name;
  if (!command.verbs.empty()) text += " VERB";
  for (const Option &operand : command.operands) text += operand.is_required ? " " + operand.value : " [" + operand.value + "]";
  for (const Option &option : command.options)
    if (option.is_required) text += " " + heading(option);
  return text + " [OPTION...]";
}

std::string heading(const Option &option) {
  std::string text;
  for (const std::string &name : option.names) text += (text.empty() ? "" : ", ") + name;
  if (option.value.empty() || option.names.empty()) return text + option.value;
  return text + std::string(option.before_value) + option.value;
}

std::string list_verbs(const Command &command, size_t width) {
  std::string text;
  for (const Command &verb : command.verbs)
    text += entry(verb.name.substr(command.name.size() + 1), verb.summary, width, kVerbColumn);
  return text;
}

std::string help_text(const Command &command, size_t width) {
  std::string text = wrap("", command.name + ": " + command.summary, 0, width);
  text += '\n' + wrap("Usage:", " " + synopsis(command), 7, width);
  if (!command.verbs.empty())
    text += "\nVerbs (`" + command.name + " help VERB` shows the options of one)\n" + list_verbs(command, width);
  if (!command.operands.empty()) text += '\n';
  for (const Option &operand : command.operands) text += entry(operand.value, operand.help, width);
  text += "\nOptions\n";
  for (const Option &option : command.options)
    text += entry(heading(option), option.help + (option.is_repeated ? "; may be repeated" : ""), width);
  if (!command.examples.empty()) text += "\nExamples\n";
  for (const Example &example : command.examples)
    text += "  " + example.command + '\n' + wrap("      ", example.comment, 6, width);
  return text;
}

}  // namespace upsweep::usage
