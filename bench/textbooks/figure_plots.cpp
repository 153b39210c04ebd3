// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Plots of the figures: what their titles say, and which curve has which meaning.
#include "bench/textbooks/bench.h"

#include <bit>

namespace upsweep::cli::textbooks {
namespace {

constexpr const char *kLibrary = "library";

Role role_of(const std::string &rung) {
  if (rung.starts_with(kLibrary)) return Role::kOurs;
  return rung.starts_with("std::") ? Role::kPeer : Role::kOther;
}

std::string task_of(Figure figure) {
  const std::string title = title_of(figure);
  return title.substr(0, title.find(';'));
}

const char *elements_of(Figure figure) { return figure == Figure::kTable ? "pixels" : "elements"; }

std::string count_text(size_t n) {
  return std::has_single_bit(n) ? fmt::format("2^{}", std::bit_width(n) - 1) : fmt::to_string(n);
}

// The library's time, and that of the fastest rung that is not the library's.
std::string comparison(const Results &results, Figure figure, size_t n, double library) {
  std::string text = fmt::format("The library takes {} for {} {}.", duration(library), count_text(n), elements_of(figure));
  std::string next;
  double least = 0;
  for (const std::string &rung : results.rungs(figure)) {
    const auto seconds = results.seconds(figure, rung, n);
    if (role_of(rung) == Role::kOurs || !seconds || (!next.empty() && *seconds >= least)) continue;
    next = rung;
    least = *seconds;
  }
  if (next.empty()) return text;
  const double ratio = least / library;
  return text + (ratio >= 1 ? fmt::format(" The next, “{}”, takes {:.3g} times as long.", next, ratio)
                            : fmt::format(" “{}” is {:.3g} times as fast.", next, 1 / ratio));
}

}  // namespace

Plot plot_of(const Results &results, Figure figure) {
  Plot plot;
  const std::vector<size_t> lengths = results.lengths(figure);
  const size_t n = lengths.empty() ? 0 : lengths.back();
  plot.title = task_of(figure);
  if (const auto library = results.seconds(figure, kLibrary, n)) {
    const double percent = 100 * least_bytes(figure, n) / *library / results.copy_rate;
    plot.title += fmt::format(": {:.{}f} % of a copy's speed", percent, percent < 10 ? 1 : 0);
    plot.subtitle = comparison(results, figure, n, *library);
  }
  plot.caption = fmt::format("{}. {}, {}", results.machine, results.command, results.date);
  plot.x_name = elements_of(figure);
  plot.y_name = "bytes a second that the task must read and write";
  plot.unit = "B/s";
  plot.bound = results.copy_rate;
  plot.bound_name = "a copy";
  for (const std::string &rung : results.rungs(figure)) {
    plot.curves.push_back({rung, role_of(rung), {}});
    for (const size_t length : lengths)
      if (const auto seconds = results.seconds(figure, rung, length))
        plot.curves.back().points.emplace_back(static_cast<double>(length), least_bytes(figure, length) / *seconds);
  }
  return plot;
}

}  // namespace upsweep::cli::textbooks
