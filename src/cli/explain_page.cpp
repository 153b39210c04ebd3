// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fills the template pages/explain.html.
#include "cli/explain_page.h"

#include "cli/pages/explain.h"

#include <set>

namespace upsweep::cli {
namespace {

std::string escaped(std::string_view text) {
  std::string safe;
  for (const char each : text) {
    switch (each) {
    case '&': safe += "&amp;"; break;
    case '<': safe += "&lt;"; break;
    case '>': safe += "&gt;"; break;
    case '"': safe += "&quot;"; break;
    default: safe += each;
    }
  }
  return safe;
}

std::string row(size_t line, bool is_linked, std::string_view number, std::string_view text, std::string_view kind) {
  const std::string link = is_linked ? fmt::format(" data-line=\"{}\" tabindex=\"0\"", line) : "";
  return fmt::format("<div class=\"{}\"{}><span class=\"number\">{}</span><code>{}</code></div>\n", kind, link, number,
                     escaped(text));
}

std::string source_rows(std::string_view source, const std::vector<Remark> &remarks, const std::set<size_t> &linked) {
  std::string rows;
  size_t lines = 0;
  for (const char each : source) lines += each == '\n';
  lines += !source.empty() && source.back() != '\n';
  for (const Remark &remark : remarks)
    if (remark.line == 0 || remark.line > lines) rows += row(0, false, "", remark.text, "remark");
  for (size_t line = 1; line <= lines; ++line) {
    const size_t end = std::min(source.find('\n'), source.size());
    rows += row(line, linked.contains(line), std::to_string(line), source.substr(0, end), "line");
    source.remove_prefix(std::min(end + 1, source.size()));
    for (const Remark &remark : remarks)
      if (remark.line == line)
        rows += row(line, linked.contains(line), "",
                    std::string(remark.column ? remark.column - 1 : 0, ' ') + "^ " + remark.text, "remark");
  }
  return rows;
}

std::string code_rows(const std::vector<MachineLine> &code) {
  std::string rows;
  for (const MachineLine &each : code) {
    const bool is_label = each.text.ends_with(':');
    rows += row(each.line, each.line && !is_label, each.line ? std::to_string(each.line) : "",
                (is_label ? "" : "    ") + each.text, is_label ? "label" : "line");
  }
  return rows;
}

void replace(std::string &page, std::string_view mark, const std::string &text) {
  if (const size_t at = page.find(mark); at != std::string::npos) page.replace(at, mark.size(), text);
}

}  // namespace

std::string explain_page(const std::string &title, std::string_view source, const std::vector<Remark> &remarks,
                         const std::vector<MachineLine> &code) {
  std::set<size_t> linked;
  for (const MachineLine &each : code) linked.insert(each.line);
  std::string page(kExplainPage);
  // The last mark comes first, so that no mark is found in a text that was filled in.
  replace(page, "<!-- code -->", code_rows(code));
  replace(page, "<!-- source -->", source_rows(source, remarks, linked));
  replace(page, "<!-- heading -->", escaped(title));
  replace(page, "<!-- title -->", escaped(title));
  return page;
}

}  // namespace upsweep::cli
