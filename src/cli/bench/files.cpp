// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// bench.json and the plots, each whole or not at all.
#include "cli/bench/bench.h"
#include "cli/bench/plot.h"
#include "cli/files/output.h"

#include <chrono>
#include <ctime>
#include <nlohmann/json.hpp>

namespace upsweep::cli::bench {
namespace {

Result<void> write(const std::filesystem::path &path, const std::string &bytes) {
  auto file = OutputFile::create(path);
  if (!file) return Failure(file.error());
  return (*file)->write(0, bytes.data(), bytes.size()).and_then([&] { return (*file)->finish(); });
}

double rounded(double value) { return std::strtod(fmt::format("{:.4g}", value).c_str(), nullptr); }

std::string today() {
  const std::time_t now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  std::tm parts{};
  char text[11];
  gmtime_r(&now, &parts);
  return {text, std::strftime(text, sizeof text, "%Y-%m-%d", &parts)};
}

// One line for each row, as the other benchmarks' files have it.
std::string json_of(const Results &results) {
  using nlohmann::ordered_json;
  const ordered_json head = {{"title", "the documents' tables and figures"},
                             {"command", results.command},
                             {"date", today()},
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
    std::vector<Curve> curves;
    for (const std::string &rung : results.rungs(figure)) {
      curves.push_back({rung, {}});
      for (const size_t n : results.lengths(figure))
        if (const auto seconds = results.seconds(figure, rung, n))
          curves.back().points.emplace_back(static_cast<double>(n), *seconds);
    }
    for (const auto &[ending, canvas] : {std::pair(".svg", &svg_canvas), std::pair(".png", &png_canvas)}) {
      const auto drawn = canvas(kPlotWidth, kPlotHeight);
      draw_plot(*drawn, title_of(figure) + ", " + results.machine, curves);
      const auto done =
          drawn->finish().and_then([&](const std::string &bytes) { return write(folder / (name_of(figure) + ending), bytes); });
      if (!done) return done;
    }
  }
  fmt::print("\nwritten to {}: bench.json, and a plot of each figure as .svg and .png\n", folder.string());
  return {};
}

}  // namespace upsweep::cli::bench
