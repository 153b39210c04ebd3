// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// bench.json and the plots, each whole or not at all.
#include "bench/textbooks/bench.h"
#include "cli/files/output.h"

#include <nlohmann/json.hpp>

namespace upsweep::cli::textbooks {
namespace {

Result<void> write(const std::filesystem::path &path, const std::string &bytes) {
  auto file = OutputFile::create(path);
  if (!file) return Failure(file.error());
  return (*file)->write(0, bytes.data(), bytes.size()).and_then([&] { return (*file)->finish(); });
}

double rounded(double value) { return std::strtod(fmt::format("{:.4g}", value).c_str(), nullptr); }

// Writes each row on a line, like the files of the other benchmarks.
std::string json_of(const Results &results) {
  using nlohmann::ordered_json;
  const ordered_json head = {{"title", "the documents' tables and figures"},
                             {"command", results.command},
                             {"date", results.date},
                             {"device", results.machine},
                             {"copy_rate_gb_per_s", rounded(results.copy_rate * 1e-9)}};
  std::string text = "{\n";
  for (const auto &[key, value] : head.items()) text += fmt::format(" {}: {},\n", ordered_json(key).dump(), value.dump());
  const auto lines = [&](const char *key, const std::vector<ordered_json> &rows) {
    text += fmt::format(" \"{}\": [\n", key);
    for (size_t i = 0; i < rows.size(); ++i) text += fmt::format("  {}{}\n", rows[i].dump(), i + 1 < rows.size() ? "," : "");
    text += " ]";
  };
  std::vector<ordered_json> rows, claims;
  for (const Row &row : results.rows)
    rows.push_back({{"figure", name_of(row.figure)}, {"rung", row.rung}, {"n", row.n}, {"us", rounded(row.seconds * 1e6)}});
  for (const Comparison &row : compare(results))
    claims.push_back({{"claim", row.claim}, {"document", row.theirs}, {"here", row.here}});
  lines("rows", rows);
  text += ",\n";
  lines("claims", claims);
  return text + "\n}\n";
}

}  // namespace

Result<void> write_files(const Results &results, const std::filesystem::path &folder) {
  if (auto done = write(folder / "bench.json", json_of(results)); !done) return done;
  for (size_t i = 0; i < kFigures; ++i) {
    const auto figure = static_cast<Figure>(i);
    if (results.lengths(figure).size() < 2) continue;  // a point is no curve
    auto done = write(folder / (name_of(figure) + ".svg"), draw_plot(plot_of(results, figure)));
    if (!done) return done;
  }
  fmt::print("\nwritten to {}: bench.json, and a plot of each figure as .svg\n", folder.string());
  return {};
}

}  // namespace upsweep::cli::textbooks
