// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The verb's order: inputs, times, tables, files.
#include "bench/textbooks/bench.h"

#include "cli/files/interrupts.h"
#include "cli/terminal.h"

#include <algorithm>
#include <chrono>
#include <ctime>

namespace upsweep::cli::textbooks {
namespace {

constexpr size_t kMost = size_t{1} << 26;  // the article's 64M floats
constexpr size_t kMostQuick = size_t{1} << 20;
constexpr size_t kMostPixels = size_t{4096} * 4096;
constexpr size_t kMostPixelsQuick = size_t{1024} * 1024;

template <class T>
void add_once(std::vector<T> &to, const T &value) {
  if (std::ranges::find(to, value) == to.end()) to.push_back(value);
}

std::string today() {
  const std::time_t now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  std::tm parts{};
  char text[11];
  gmtime_r(&now, &parts);
  return {text, std::strftime(text, sizeof text, "%Y-%m-%d", &parts)};
}

}  // namespace

std::string duration(double seconds) {
  if (seconds < 1e-6) return fmt::format("{:.0f} ns", seconds * 1e9);
  if (seconds < 1e-3) return fmt::format("{:.1f} µs", seconds * 1e6);
  return fmt::format("{:.2f} ms", seconds * 1e3);
}

std::string name_of(Figure figure) {
  constexpr const char *kNames[kFigures] = {"scan", "chunks", "block", "compaction", "sort", "table"};
  return kNames[static_cast<size_t>(figure)];
}

std::string title_of(Figure figure) {
  constexpr const char *kTitles[kFigures] = {
      "Exclusive sums of floats",       "Exclusive sums of floats, each 1024 by themselves",
      "One block of 1024 floats alone", "Compaction of 32-bit numbers, half of them kept",
      "Sort of 32-bit numbers, random", "Summed-area table of RGB8 in 32 bits; elements are pixels"};
  return kTitles[static_cast<size_t>(figure)];
}

std::optional<double> Results::seconds(Figure figure, const std::string &rung, size_t n) const {
  for (const Row &row : rows)
    if (row.figure == figure && row.rung == rung && row.n == n) return row.seconds;
  return std::nullopt;
}

std::vector<std::string> Results::rungs(Figure figure) const {
  std::vector<std::string> names;
  for (const Row &row : rows)
    if (row.figure == figure) add_once(names, row.rung);
  return names;
}

std::vector<size_t> Results::lengths(Figure figure) const {
  std::vector<size_t> all;
  for (const Row &row : rows)
    if (row.figure == figure) add_once(all, row.n);
  std::ranges::sort(all);
  return all;
}

void print_tables(const Results &results) {
  const Terminal terminal = Terminal::of_stdout();
  fmt::print("{}\na copy in its memory: {:.1f} GB/s read and written\n", terminal.paint(Colour::Bold, results.machine),
             results.copy_rate * 1e-9);
  for (size_t i = 0; i < kFigures; ++i) {
    const auto figure = static_cast<Figure>(i);
    const std::vector<size_t> lengths = results.lengths(figure);
    if (lengths.empty()) continue;
    const size_t n = lengths.back();
    fmt::print("\n{}\n{}\n", terminal.paint(Colour::Bold, title_of(figure)), terminal.rule(84));
    fmt::print("  {:<36}{:>12}{:>12}{:>12}{:>11}\n", "", lengths.size() > 1 ? fmt::to_string(lengths.front()) : "", n, "GB/s",
               "of a copy");
    for (const std::string &rung : results.rungs(figure)) {
      const auto first = results.seconds(figure, rung, lengths.front()), last = results.seconds(figure, rung, n);
      const double rate = last ? least_bytes(figure, n) / *last : 0;
      const bool is_compared = last && figure != Figure::kBlock;
      fmt::print("  {:<36}{:>12}{:>12}{:>12}{:>11}\n", rung, first && lengths.size() > 1 ? duration(*first) : "",
                 last ? duration(*last) : "", is_compared ? fmt::format("{:.1f}", rate * 1e-9) : "",
                 is_compared ? fmt::format("{:.1f} %", 100 * rate / results.copy_rate) : "");
    }
  }
  fmt::print("\n{}\n{}\n", terminal.paint(Colour::Bold, "Beside the documents"), terminal.rule(84));
  for (const Comparison &row : compare(results)) fmt::print("  {}\n      {}; here {}\n", row.claim, row.theirs, row.here);
}

Result<void> run(const Options &options) {
  handle_interrupts();
  std::error_code error;
  if (!options.out.empty() && !std::filesystem::is_directory(options.out) &&
      !std::filesystem::create_directories(options.out, error))
    return fail("cannot make the folder '{}': {}", options.out.string(), error.message());
  const Inputs inputs(options.is_quick ? kMostQuick : kMost, options.is_quick ? kMostPixelsQuick : kMostPixels);
  auto machine = options.device.empty() ? Result<std::unique_ptr<Machine>>(threads_machine(inputs))
                                        : device_machine(inputs, options.device);
  if (!machine) return Failure(machine.error());
  auto results = measure(inputs, **machine, options.is_quick);
  if (!results) return Failure(results.error());
  results->command = fmt::format("upsweep bench{}{}", options.device.empty() ? "" : " --device " + options.device,
                                 options.is_quick ? " --quick" : "");
  results->date = today();
  print_tables(*results);
  return options.out.empty() ? Result<void>() : write_files(*results, options.out);
}

}  // namespace upsweep::cli::textbooks
