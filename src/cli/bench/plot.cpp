// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Draws axes, curves and a legend.
#include "cli/bench/plot.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace upsweep::cli::bench {
namespace {

constexpr Point kLow = {70, 410}, kHigh = {560, 60};  // the corners of the area between the axes
constexpr Ink kBlack = {34, 34, 34}, kGrey = {225, 225, 225};
// Colours that also people tell apart who see no red or no green (Okabe and Ito), and darker ones of them.
constexpr std::array<Ink, 12> kInks = {{{0, 114, 178},
                                        {213, 94, 0},
                                        {0, 158, 115},
                                        {204, 121, 167},
                                        {230, 159, 0},
                                        {86, 180, 233},
                                        {0, 0, 0},
                                        {120, 60, 10},
                                        {0, 70, 60},
                                        {120, 120, 120},
                                        {90, 40, 120},
                                        {190, 170, 20}}};

struct Range {
  double low = 1e300;
  double high = -1e300;
  void include(double x) {
    low = std::min(low, x);
    high = std::max(high, x);
  }
  [[nodiscard]] double share(double x) const { return high > low ? (x - low) / (high - low) : 0.5; }
};

class Axes {
public:
  Axes(Canvas &canvas, const std::vector<Curve> &curves) : canvas_(canvas) {
    for (const Curve &curve : curves)
      for (const auto &[n, seconds] : curve.points) {
        x_.include(std::log2(n));
        y_.include(std::log10(seconds));
      }
    y_.low = std::floor(y_.low);
    y_.high = std::max(std::ceil(y_.high), y_.low + 1);
  }

  [[nodiscard]] Point place(double n, double seconds) const {
    return {kLow.x + x_.share(std::log2(n)) * (kHigh.x - kLow.x), kLow.y + y_.share(std::log10(seconds)) * (kHigh.y - kLow.y)};
  }
  void draw() const {
    const int step = x_.high - x_.low > 8 ? 2 : 1;
    for (int power = static_cast<int>(std::ceil(x_.low)); power <= x_.high; power += step) {
      const double x = place(std::exp2(power), 1).x;
      canvas_.line({x, kLow.y}, {x, kHigh.y}, kGrey, 1);
      canvas_.text({x, kLow.y + 18}, fmt::format("2^{}", power), Anchor::kMiddle, kBlack);
    }
    for (int power = static_cast<int>(y_.low); power <= y_.high; ++power) {
      const double y = place(1, std::pow(10, power)).y;
      canvas_.line({kLow.x, y}, {kHigh.x, y}, kGrey, 1);
      canvas_.text({kLow.x - 8, y + 4}, duration(power), Anchor::kEnd, kBlack);
    }
    canvas_.line(kLow, {kHigh.x, kLow.y}, kBlack, 1);
    canvas_.line(kLow, {kLow.x, kHigh.y}, kBlack, 1);
    canvas_.text({(kLow.x + kHigh.x) / 2, kLow.y + 38}, "elements", Anchor::kMiddle, kBlack);
    canvas_.text({kLow.x, kHigh.y - 10}, "time", Anchor::kMiddle, kBlack);
  }

private:
  static std::string duration(int power) {
    constexpr const char *kUnits[] = {"ns", "us", "ms", "s"};
    const int unit = std::clamp((power + 9) / 3, 0, 3);
    return fmt::format("{:g} {}", std::pow(10, power + 9 - 3 * unit), kUnits[unit]);
  }

  Canvas &canvas_;
  Range x_, y_;
};

}  // namespace

void draw_plot(Canvas &canvas, const std::string &title, const std::vector<Curve> &curves) {
  canvas.text({kLow.x, 24}, title, Anchor::kStart, kBlack);
  const Axes axes(canvas, curves);
  axes.draw();
  for (size_t i = 0; i < curves.size(); ++i) {
    const Ink ink = kInks[i % kInks.size()];
    const auto &points = curves[i].points;
    for (size_t k = 0; k < points.size(); ++k) {
      const Point here = axes.place(points[k].first, points[k].second);
      if (k > 0) canvas.line(axes.place(points[k - 1].first, points[k - 1].second), here, ink, 1.8);
      canvas.dot(here, 3, ink);
    }
    const double y = kHigh.y + 10 + 20 * static_cast<double>(i);
    canvas.line({kHigh.x + 20, y - 4}, {kHigh.x + 44, y - 4}, ink, 1.8);
    canvas.dot({kHigh.x + 32, y - 4}, 3, ink);
    canvas.text({kHigh.x + 52, y}, curves[i].name, Anchor::kStart, kBlack);
  }
}

}  // namespace upsweep::cli::bench
