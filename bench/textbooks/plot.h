// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A plot of rates over numbers of elements as SVG, both in logarithms.
#ifndef UPSWEEP_BENCH_TEXTBOOKS_PLOT_H
#define UPSWEEP_BENCH_TEXTBOOKS_PLOT_H

#include <string>
#include <utility>
#include <vector>

namespace upsweep::cli::textbooks {

// The only meanings of colours.
enum class Role { kOther, kPeer, kOurs };

struct Curve {
  std::string name;
  Role role = Role::kOther;
  std::vector<std::pair<double, double>> points;  // elements and rate; see is_drawable()
};

struct Plot {
  std::string title;     // the finding
  std::string subtitle;  // one or two sentences more
  std::string caption;   // the machine, the command, the date
  std::string x_name;
  std::string y_name;
  std::string unit;  // of rates, such as "B/s"
  std::vector<Curve> curves;
  double bound = 0;  // a rate that no curve is likely to exceed; 0: none
  std::string bound_name;
};

// Whether a point has a place: its numbers are finite, above 0, and neither tiny nor huge.
bool is_drawable(const std::pair<double, double> &point);

// Each curve has its name at its end, so there is no legend. Names do not overlap. Points that are not drawable are left out.
// Colours follow the viewer's choice of light or dark. For tests, each curve is a group `series-I` with its name as title, and
// the lines of ticks are `grid-x-ELEMENTS` and `grid-y-RATE`.
std::string draw_plot(const Plot &plot);

}  // namespace upsweep::cli::textbooks
#endif
