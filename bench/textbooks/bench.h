// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `upsweep bench`: this machine's version of the tables and figures of GPU Gems 3, chapter 39, and of the article "GPU prefix
// sums".
#ifndef UPSWEEP_BENCH_TEXTBOOKS_BENCH_H
#define UPSWEEP_BENCH_TEXTBOOKS_BENCH_H

#include "bench/textbooks/machine.h"
#include "bench/textbooks/plot.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace upsweep::cli::textbooks {

struct Options {
  std::string device;         // empty: threads
  std::filesystem::path out;  // empty: the tables are only shown
  bool is_quick = false;
};

struct Row {
  Figure figure{};
  std::string rung;
  size_t n = 0;
  double seconds = 0;
};

struct Results {
  std::string machine;
  std::string command;
  std::string date;
  double copy_rate = 0;  // bytes a second, read and written
  std::vector<Row> rows;

  [[nodiscard]] std::optional<double> seconds(Figure figure, const std::string &rung, size_t n) const;
  [[nodiscard]] std::vector<std::string> rungs(Figure figure) const;
  [[nodiscard]] std::vector<size_t> lengths(Figure figure) const;
};

// "scan", and "Exclusive sums of floats".
std::string name_of(Figure figure);
std::string title_of(Figure figure);

// "24.5 µs"
std::string duration(double seconds);

Result<void> run(const Options &options);

// Times each rung at each length; a wrong result is an error.
Result<Results> measure(const Inputs &inputs, Machine &machine, bool is_quick);

// On the terminal: a table for each figure, and the documents' claims beside what was measured.
void print_tables(const Results &results);

// A claim of the documents, with its hardware, and what was measured here.
struct Comparison {
  std::string claim;
  std::string theirs;
  std::string here;
};
std::vector<Comparison> compare(const Results &results);

// The plot of a figure, whose title says how fast the library is.
Plot plot_of(const Results &results, Figure figure);

// bench.json, and a plot of each figure as SVG.
Result<void> write_files(const Results &results, const std::filesystem::path &folder);

}  // namespace upsweep::cli::textbooks
#endif
