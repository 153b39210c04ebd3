// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Manual pages, with the macros of man(7).
#include "usage/pages.h"

#include <algorithm>

namespace upsweep::usage {
namespace {

std::string upper(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return static_cast<char>(toupper(c)); });
  return text;
}

// Text that troff reads as itself. A bare '-' is a hyphen there, which cannot be pasted into a shell.
std::string plain(std::string_view text) {
  std::string quoted;
  if (text.starts_with('.') || text.starts_with('\'')) quoted = "\\&";
  for (const char c : text) {
    switch (c) {
    case '\\': quoted += "\\e"; break;
    case '-': quoted += "\\-"; break;
    case '\'': quoted += "\\(aq"; break;
    case '`': quoted += "\\(ga"; break;
    case '^': quoted += "\\(ha"; break;
    case '~': quoted += "\\(ti"; break;
    default: quoted += c;
    }
  }
  return quoted;
}

std::string bold(std::string_view text) { return "\\fB" + plain(text) + "\\fR"; }
std::string italic(std::string_view text) { return "\\fI" + plain(text) + "\\fR"; }

// Lines may be broken behind an alternative.
std::string breakable(const std::string &value) {
  std::string text;
  for (const char c : value) text += c == '|' ? std::string("|\\:") : plain({&c, 1});
  return "\\fI" + text + "\\fR";
}

// "--op sum|product", names in bold and the value in italics.
std::string marked(const Option &option) {
  std::string text;
  for (const std::string &name : option.names) text += (text.empty() ? "" : ", ") + bold(name);
  if (option.value.empty()) return text;
  return option.names.empty() ? breakable(option.value) : text + std::string(option.before_value) + breakable(option.value);
}

std::string paragraph(const std::string &tag, const std::string &text) { return ".TP\n" + tag + '\n' + text + '\n'; }

std::string section(const std::string &title) { return ".SH " + title + '\n'; }

std::string synopsis_of(const Command &command) {
  std::string text = bold(command.name);
  if (!command.verbs.empty()) text += ' ' + italic("VERB");
  for (const Option &operand : command.operands)
    text += operand.is_required ? ' ' + italic(operand.value) : " [" + italic(operand.value) + ']';
  for (const Option &option : command.options)
    if (option.is_required) text += ' ' + marked(option);
  return text + " [" + italic("OPTION") + "...]\n";
}

std::string examples_of(const Command &command) {
  if (command.examples.empty()) return {};
  std::string text = section("EXAMPLES");
  for (const Example &example : command.examples) {
    text += (&example == &command.examples.front() ? "" : ".PP\n") + plain(example.comment) + ":\n";
    text += ".PP\n.RS 4\n.nf\n" + plain(example.command) + "\n.fi\n.RE\n";
  }
  return text;
}

}  // namespace

std::string page_name(const Command &command) {
  std::string name = command.name;
  std::replace(name.begin(), name.end(), ' ', '-');
  return name;
}

std::string manual(const Command &command, std::string_view version, const std::vector<ExitStatus> &statuses,
                   const std::vector<std::string> &see_also) {
  std::string text = ".\\\" SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception\n";
  text +=
      ".TH " + plain(upper(page_name(command))) + " 1 \"\" \"Upsweep " + plain(version) + "\" \"User Commands\"\n.nh\n.ad l\n";
  text += section("NAME") + plain(page_name(command)) + " \\- " + plain(command.summary) + '\n';
  text += section("SYNOPSIS") + synopsis_of(command);
  if (!command.verbs.empty()) text += section("VERBS");
  for (const Command &verb : command.verbs)
    text += paragraph(bold(verb.name.substr(command.name.size() + 1)), plain(verb.summary));
  text += section("OPTIONS");
  for (const std::vector<Option> &options : {command.operands, command.options})
    for (const Option &option : options)
      text += paragraph(marked(option), plain(option.help) + (option.is_repeated ? "; may be repeated" : ""));
  text += examples_of(command);
  text += section("EXIT STATUS");
  for (const ExitStatus &each : statuses) text += paragraph(bold(std::to_string(each.status)), plain(each.meaning));
  if (see_also.empty()) return text;
  text += section("SEE ALSO");
  for (size_t i = 0; i < see_also.size(); ++i) text += bold(see_also[i]) + "(1)" + (i + 1 < see_also.size() ? ",\n" : "\n");
  return text;
}

}  // namespace upsweep::usage
