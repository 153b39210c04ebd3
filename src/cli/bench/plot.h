// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A plot of times over numbers of elements, both in logarithms.
#ifndef UPSWEEP_CLI_BENCH_PLOT_H
#define UPSWEEP_CLI_BENCH_PLOT_H

#include "cli/bench/canvas.h"

#include <string>
#include <utility>
#include <vector>

namespace upsweep::cli::bench {

struct Curve {
  std::string name;
  std::vector<std::pair<double, double>> points;  // elements and seconds, both above 0
};

constexpr double kPlotWidth = 860;
constexpr double kPlotHeight = 460;

// Axes with units, a grid, a dot for each point, and a legend beside.
void draw_plot(Canvas &canvas, const std::string &title, const std::vector<Curve> &curves);

}  // namespace upsweep::cli::bench
#endif
