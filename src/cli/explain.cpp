// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Builds the file with -Rupsweep, and sets the remarks of the log below the source's lines.
#include "cli/explain.h"

#include "cli/explain_page.h"
#include "cli/lines.h"
#include "cli/machine_code.h"
#include "cli/opencl.h"
#include "cli/run.h"
#include "cli/terminal.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>

namespace upsweep::cli {
namespace {

constexpr std::string_view kSourceName = "<source>:", kRemark = " remark: ", kFlag = " [-Rupsweep]";

// A number and the colon behind it.
std::optional<size_t> take_number(std::string_view &text) {
  size_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end == text.data() + text.size() || *end != ':') return std::nullopt;
  text.remove_prefix(static_cast<size_t>(end - text.data()) + 1);
  return number;
}

Remark parse_remark(std::string_view line) {
  std::string_view rest = line;
  if (rest.ends_with(kFlag)) rest.remove_suffix(kFlag.size());
  if (!rest.starts_with(kSourceName)) return {0, 0, std::string(rest)};
  const std::string_view unplaced = rest;
  rest.remove_prefix(kSourceName.size());
  const auto number = take_number(rest), column = take_number(rest);
  if (!number || !column || !rest.starts_with(kRemark)) return {0, 0, std::string(unplaced)};
  return {*number, *column, std::string(rest.substr(kRemark.size()))};
}

void print_json(const std::vector<Remark> &remarks) {
  auto all = nlohmann::json::array();
  for (const Remark &remark : remarks) all.push_back({{"line", remark.line}, {"column", remark.column}, {"text", remark.text}});
  fmt::print("{}\n", all.dump(1, ' ', false, nlohmann::json::error_handler_t::replace));
}

void print_text(std::string_view source, const std::vector<Remark> &remarks) {
  const Terminal terminal = Terminal::of_stdout();
  const std::vector<std::string_view> lines = lines_of(source);
  const size_t width = std::to_string(lines.size()).size();
  for (const Remark &remark : remarks)
    if (remark.line == 0 || remark.line > lines.size()) fmt::print("{}\n", terminal.paint(Colour::Accent, remark.text));
  for (size_t i = 0; i < lines.size(); ++i) {
    fmt::print("{} {}\n", terminal.paint(Colour::Dim, fmt::format("{:>{}} |", i + 1, width)), lines[i]);
    for (const Remark &remark : remarks) {
      if (remark.line != i + 1) continue;
      // Tabs before the place, so that the mark is below it.
      std::string before(std::min(std::max<size_t>(remark.column, 1) - 1, lines[i].size()), ' ');
      for (size_t at = 0; at < before.size(); ++at)
        if (lines[i][at] == '\t') before[at] = '\t';
      fmt::print("{} {}{}\n", terminal.paint(Colour::Dim, fmt::format("{:>{}} |", "", width)), before,
                 terminal.paint(Colour::Accent, "^ " + remark.text));
    }
  }
}

}  // namespace

std::vector<Remark> parse_remarks(std::string_view log) {
  std::vector<Remark> remarks;
  for (const std::string_view line : lines_of(log))
    if (!line.empty()) remarks.push_back(parse_remark(line));
  return remarks;
}

namespace {

Result<void> write_page(const ExplainOptions &options, std::string_view source, const std::vector<Remark> &remarks) {
  const auto code = machine_code_of(options.file, options.build_options);
  if (!code) return Failure(code.error());
  std::ofstream file(options.page, std::ios::binary);
  file << explain_page(options.file.string(), source, remarks, *code);
  file.close();
  if (!file) return fail("cannot write '{}': {}", options.page.string(), std::strerror(errno));
  return {};
}

}  // namespace

Result<void> explain(const ExplainOptions &options) {
  const auto source = read_text(options.file);
  if (!source) return Failure(source.error());
  auto chosen = choose_device("cpu");
  if (!chosen) return Failure(chosen.error());
  auto device = open_device(*chosen);
  if (!device) return Failure(device.error());
  std::string log;
  const auto program = build_program(*device, *source, complete_build_options(options.build_options) + " -Rupsweep", &log);
  if (!program) return Failure(program.error());
  const std::vector<Remark> remarks = parse_remarks(log);
  if (!options.page.empty()) return write_page(options, *source, remarks);
  options.is_json ? print_json(remarks) : print_text(*source, remarks);
  return {};
}

}  // namespace upsweep::cli
