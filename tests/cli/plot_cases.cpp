// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Draws plots of random and of unusual data: `plot_cases FOLDER SEED` writes N.svg, and N.tsv with the points.
// inputs/plot_files.py compares the two.
#include "bench/textbooks/plot.h"

#include <fmt/format.h>

#include <cmath>
#include <fstream>
#include <limits>
#include <random>
#include <string>

using namespace upsweep::cli::textbooks;

namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

Plot plot_with(std::vector<Curve> curves, double bound = 0) {
  return {.title = "A <title> & more: 53 % of a copy's speed",
          .subtitle = "The library takes 244 µs for 2^26 elements. The next, “naive, in place”, takes 1.8 times as long.",
          .caption = "A machine. upsweep bench --device gpu, 2026-11-28",
          .x_name = "elements",
          .y_name = "bytes a second that the task must read and write",
          .unit = "B/s",
          .curves = std::move(curves),
          .bound = bound,
          .bound_name = "a copy"};
}

std::vector<Plot> unusual() {
  const std::vector<std::pair<double, double>> usual = {{1024, 1e9}, {4096, 2e9}, {16384, 9e9}};
  std::vector<Curve> same, early;
  for (int i = 0; i < 40; ++i) same.push_back({fmt::format("curve {} & <{}>", i, i), Role::kOther, usual});
  for (int i = 0; i < 6; ++i)
    early.push_back({fmt::format("ends early, number {}", i), Role::kOther, {{1024, 1e9 * (i + 1)}, {4096, 1e9}}});
  early.push_back({"library", Role::kOurs, usual});
  return {
      plot_with({}),
      plot_with({{"empty", Role::kOurs, {}}}),
      plot_with({{"one point", Role::kOurs, {{4096, 3e9}}}}),
      plot_with({{"one point", Role::kOurs, {{4096, 3e9}}}, {"library", Role::kPeer, usual}}, 1e11),
      plot_with(
          {{"no numbers", Role::kOther, {{1024, kNan}, {kNan, 1}, {2048, kInfinity}, {0, 1}, {-4, 5}, {4096, 0}, {4096, -1}}},
           {"some", Role::kOurs, {{1024, 1e9}, {2048, kNan}, {4096, 4e9}}}}),
      plot_with({{"huge", Role::kOurs, {{1, 1e-90}, {1e90, 1e90}, {1e200, 1e300}, {1e-300, 1e-300}}}}),
      plot_with({{"flat", Role::kOurs, {{1024, 1e9}, {2048, 1e9}}}}),
      plot_with({{"in no order", Role::kOurs, {{4096, 3e9}, {1024, 1e9}, {2048, 2e9}}}}),
      plot_with(
          {{"a name that is far longer than any that the benchmark has, so that the page becomes wider", Role::kOurs, usual}}),
      plot_with(std::move(same), 5e10),
      plot_with(std::move(early))};
}

Plot random_plot(std::mt19937 &source) {
  std::uniform_real_distribution<double> exponent(-2, 14), decades(0, 12), unit(0, 1);
  const double low = exponent(source), range = decades(source);
  const unsigned lengths = 1 + source() % 12, first = source() % 20;
  std::vector<Curve> curves(1 + source() % 12);
  for (size_t i = 0; i < curves.size(); ++i) {
    curves[i] = {fmt::format("curve {}", i), static_cast<Role>(source() % 3), {}};
    const bool ends_early = source() % 4 == 0;
    for (unsigned k = 0; k < lengths; ++k)
      if (source() % 8 != 0 && !(ends_early && k > lengths / 2))
        curves[i].points.emplace_back(std::exp2(first + 2 * k), std::pow(10, low + range * unit(source)));
  }
  return plot_with(std::move(curves), source() % 2 == 0 ? std::pow(10, low + range) : 0);
}

void write(const std::string &folder, size_t number, const Plot &plot) {
  std::ofstream(fmt::format("{}/{}.svg", folder, number)) << draw_plot(plot);
  std::ofstream points(fmt::format("{}/{}.tsv", folder, number));
  constexpr const char *kRoles[] = {"other", "peer", "ours"};
  for (const Curve &curve : plot.curves)
    for (const auto &[n, rate] : curve.points)
      points << fmt::format("{}\t{}\t{:.17g}\t{:.17g}\n", curve.name, kRoles[static_cast<size_t>(curve.role)], n, rate);
  if (plot.bound > 0) points << fmt::format("{}\tbound\t0\t{:.17g}\n", plot.bound_name, plot.bound);
}

}  // namespace

int main(int argc, char **argv) {
  if (argc != 3) return 2;
  std::vector<Plot> plots = unusual();
  std::mt19937 source(static_cast<unsigned>(std::stoul(argv[2])));
  for (int i = 0; i < 200; ++i) plots.push_back(random_plot(source));
  for (size_t i = 0; i < plots.size(); ++i) write(argv[1], i, plots[i]);
}
