// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Draws a plot: head, axes, curves, names at the curves' ends, caption.
#include "bench/textbooks/plot.h"

#include "bench/textbooks/axis.h"
#include "bench/textbooks/labels.h"
#include "bench/textbooks/plot_style.h"
#include "bench/textbooks/svg.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ranges>
#include <string_view>

namespace upsweep::cli::textbooks {
namespace {

constexpr double kWidth = 720;
constexpr double kLeft = 76, kMargin = 20;              // room for the texts of the y axis, and on the other sides
constexpr double kPlotHeight = 300, kLeastWidth = 260;  // of the area between the axes
// Pixels, as in plot_style.css.
constexpr double kTextSize = 13, kTitleSize = 20, kSubtitleSize = 14, kCaptionSize = 12;
constexpr double kBold = 1.12;       // the width of bold text beside that of regular text, as an upper bound
constexpr double kLabelHeight = 17;  // of a name with the room around it
constexpr double kLeader = 22;       // from the area to the column of names
constexpr double kBaseline = 4.5;    // from a name's middle down to its baseline
constexpr double kHeadGap = 44;      // from the head to the area, with the name of the y axis
constexpr double kGap = 8;           // from a point to its name
constexpr int kMostXTicks = 9, kMostYTicks = 8;
constexpr double kTiny = 1e-100, kHuge = 1e100;

std::string_view class_of(Role role) {
  constexpr std::string_view kClasses[] = {"other", "peer", "ours"};
  return kClasses[static_cast<size_t>(role)];
}

double name_width(std::string_view name, Role role) { return text_width(name, kTextSize) * (role == Role::kOurs ? kBold : 1); }

// A curve's points on the page, or the bound's line.
struct Trace {
  std::string name;
  std::string_view kind;
  Role role = Role::kOther;
  std::vector<Point> points;
  std::string summary;  // the last value, for the description
};

struct Name {
  const Trace *trace = nullptr;
  Point middle_left;  // the name begins here
  bool has_leader = false;
};

class Drawing {
public:
  explicit Drawing(const Plot &plot);
  std::string finish();

private:
  void head();
  void axes();
  void trace(const Trace &trace);
  void place_names();
  [[nodiscard]] bool place_inside(const Trace &trace);
  void names();
  void caption();
  void text(Point at, std::string_view of, std::string_view its_class, std::string_view anchor, double size);
  [[nodiscard]] std::string description() const;

  const Plot &plot_;
  std::vector<Curve> curves_;  // with drawable points alone
  double left_ = kLeft, right_, top_ = 0, bottom_ = 0;
  double width_ = kWidth;
  LogAxis x_, y_;
  std::vector<Trace> traces_;
  std::vector<Name> names_;
  std::vector<Box> taken_;  // by names inside the area
  std::vector<std::string> title_, subtitle_;
  std::string page_;
};

// Curves with drawable points alone. The library's are last, since the last ones are drawn on top.
std::vector<Curve> drawable(const Plot &plot) {
  std::vector<Curve> curves;
  for (const Role role : {Role::kOther, Role::kPeer, Role::kOurs})
    for (const Curve &curve : plot.curves) {
      if (curve.role != role) continue;
      Curve kept{curve.name, role, {}};
      std::ranges::copy_if(curve.points, std::back_inserter(kept.points), is_drawable);
      std::ranges::sort(kept.points);
      if (!kept.points.empty()) curves.push_back(std::move(kept));
    }
  return curves;
}

bool has_bound(const Plot &plot) { return is_drawable({1, plot.bound}); }

struct Ends {
  double least = 0, greatest = 0;
  void include(double value) {
    least = least == 0 ? value : std::min(least, value);
    greatest = std::max(greatest, value);
  }
};

Ends x_ends(const std::vector<Curve> &curves) {
  Ends ends;
  for (const Curve &curve : curves)
    for (const auto &[n, rate] : curve.points) ends.include(n);
  return ends.least == 0 ? Ends{1, 2} : ends;
}

Ends y_ends(const Plot &plot, const std::vector<Curve> &curves) {
  Ends ends;
  for (const Curve &curve : curves)
    for (const auto &[n, rate] : curve.points) ends.include(rate);
  if (has_bound(plot)) ends.include(plot.bound);
  if (ends.least == 0) return {1, 10};
  return {nice_below(ends.least), nice_above(ends.greatest)};
}

double names_width(const Plot &plot, const std::vector<Curve> &curves) {
  double width = has_bound(plot) ? name_width(plot.bound_name, Role::kOther) : 0;
  for (const Curve &curve : curves) width = std::max(width, name_width(curve.name, curve.role));
  return width;
}

double lines_height(size_t lines, double size) { return static_cast<double>(lines) * size * 1.3; }

Drawing::Drawing(const Plot &plot)
    : plot_(plot), curves_(drawable(plot)),
      right_(std::max(kWidth - kMargin - names_width(plot, curves_) - kLeader, kLeft + kLeastWidth)),
      width_(right_ + kLeader + names_width(plot, curves_) + kMargin), x_(1, 2, 0, 1), y_(1, 2, 0, 1) {
  title_ = wrapped(plot.title, kTitleSize * kBold, width_ - 2 * kMargin);
  subtitle_ = wrapped(plot.subtitle, kSubtitleSize, width_ - 2 * kMargin);
  top_ = kMargin + lines_height(title_.size(), kTitleSize) + lines_height(subtitle_.size(), kSubtitleSize) + kHeadGap;
  const size_t num_names = curves_.size() + (has_bound(plot) ? 1 : 0);
  bottom_ = top_ + std::max(kPlotHeight, kLabelHeight * static_cast<double>(num_names));
  const Ends x = x_ends(curves_), y = y_ends(plot, curves_);
  x_ = LogAxis(x.least, x.greatest, left_, right_);
  y_ = LogAxis(y.least, y.greatest, bottom_, top_);
  if (has_bound(plot)) {
    const double at = y_.place(plot.bound);
    traces_.push_back(
        {plot.bound_name, "bound", Role::kOther, {{left_, at}, {right_, at}}, decimal_text(plot.bound, plot.unit)});
  }
  for (const Curve &curve : curves_) {
    Trace made{curve.name, class_of(curve.role), curve.role, {}, decimal_text(curve.points.back().second, plot.unit)};
    for (const auto &[n, rate] : curve.points) made.points.push_back({x_.place(n), y_.place(rate)});
    traces_.push_back(std::move(made));
  }
}

void Drawing::text(Point at, std::string_view of, std::string_view its_class, std::string_view anchor, double size) {
  page_ += fmt::format(R"(<text x="{:.1f}" y="{:.1f}")", at.x, at.y);
  if (!its_class.empty()) page_ += fmt::format(R"( class="{}")", its_class);
  if (anchor != "start") page_ += fmt::format(R"( text-anchor="{}")", anchor);
  page_ += fmt::format(">{}</text>\n", with_powers(of, size));
}

void Drawing::head() {
  double y = kMargin / 2;
  for (const std::string &line : title_) text({kMargin, y += 1.3 * kTitleSize}, line, "title", "start", kTitleSize);
  y += 6;
  for (const std::string &line : subtitle_) text({kMargin, y += 1.3 * kSubtitleSize}, line, "subtitle", "start", kSubtitleSize);
  text({kMargin, top_ - 16}, plot_.y_name, "", "start", kTextSize);
}

void Drawing::axes() {
  const auto grid = [&](std::string_view axis, double value, Point from, Point to) {
    page_ += fmt::format("<path id=\"grid-{}-{:g}\" class=\"grid\" d=\"M{:.2f} {:.2f}L{:.2f} {:.2f}\"/>\n", axis, value, from.x,
                         from.y, to.x, to.y);
  };
  for (const double tick : binary_ticks(x_, kMostXTicks)) {
    const double at = x_.place(tick);
    grid("x", tick, {at, bottom_}, {at, top_});
    text({at, bottom_ + 20}, binary_text(tick), "", "middle", kTextSize);
  }
  for (const double tick : decimal_ticks(y_, kMostYTicks)) {
    const double at = y_.place(tick);
    grid("y", tick, {left_, at}, {right_, at});
    text({left_ - 8, at + kBaseline}, decimal_text(tick, plot_.unit), "", "end", kTextSize);
  }
  text({(left_ + right_) / 2, bottom_ + 40}, plot_.x_name, "", "middle", kTextSize);
}

void Drawing::trace(const Trace &trace) {
  page_ += fmt::format("<g id=\"series-{}\" class=\"{}\"><title>{}</title>\n<path class=\"line\" d=\"", &trace - traces_.data(),
                       trace.kind, escaped(trace.name));
  for (size_t i = 0; i < trace.points.size(); ++i)
    page_ += fmt::format("{}{:.2f} {:.2f}", i == 0 ? 'M' : 'L', trace.points[i].x, trace.points[i].y);
  page_ += "\"/>\n";
  if (trace.kind != "bound")
    for (const Point &at : trace.points)
      page_ += fmt::format("<circle class=\"dot\" cx=\"{:.2f}\" cy=\"{:.2f}\" r=\"{}\"/>\n", at.x, at.y,
                           trace.role == Role::kOurs ? 3.5 : 2.5);
  page_ += "</g>\n";
}

// A curve that ends before the others may have its name beside its last point, above or below it, where no other curve runs.
bool Drawing::place_inside(const Trace &trace) {
  const Point end = trace.points.back();
  const double width = name_width(trace.name, trace.role);
  for (const Point at :
       {Point{end.x + kGap, end.y}, Point{end.x - width, end.y - kLabelHeight}, Point{end.x - width, end.y + kLabelHeight}}) {
    const Box box = {at.x - kGap / 2, at.y - kLabelHeight / 2, at.x + width + kGap / 2, at.y + kLabelHeight / 2};
    if (box.left < left_ || box.right > right_ || box.top < top_ || box.bottom > bottom_) continue;
    if (std::ranges::any_of(taken_, [&](const Box &other) { return overlap(box, other); })) continue;
    const auto is_crossed = [&](const Trace &other) {
      for (size_t i = 0; i + 1 < other.points.size(); ++i)
        if (crosses(box, other.points[i], other.points[i + 1])) return true;
      return std::ranges::any_of(other.points, [&](Point p) { return crosses(box, {p.x - 4, p.y}, {p.x + 4, p.y}); });
    };
    if (std::ranges::any_of(traces_, is_crossed)) continue;
    taken_.push_back(box);
    names_.push_back({&trace, at, false});
    return true;
  }
  return false;
}

void Drawing::place_names() {
  std::vector<const Trace *> beside;
  std::vector<double> wanted;
  for (const Trace &trace : traces_) {
    const Point end = trace.points.back();
    if (end.x < right_ - 1 && place_inside(trace)) continue;
    beside.push_back(&trace);
    wanted.push_back(end.y);
  }
  // The caption and the head leave half a name's height on both sides.
  const std::vector<double> middles = spread(wanted, kLabelHeight, top_ - kLabelHeight / 2, bottom_ + kLabelHeight / 2);
  for (size_t i = 0; i < beside.size(); ++i) names_.push_back({beside[i], {right_ + kLeader, middles[i]}, true});
}

void Drawing::names() {
  for (const Name &name : names_) {
    const Point end = name.trace->points.back(), at = name.middle_left;
    page_ += fmt::format("<g class=\"{}\">", name.trace->kind);
    if (name.has_leader)
      page_ += fmt::format("<path class=\"leader\" d=\"M{:.2f} {:.2f}L{:.2f} {:.2f}L{:.2f} {:.2f}\"/>", end.x + 5, end.y,
                           std::max(end.x + 5, right_ + 5), end.y, at.x - 4, at.y);
    page_ += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" class=\"name\">{}</text></g>\n", at.x, at.y + kBaseline,
                         with_powers(name.trace->name, kTextSize));
  }
}

void Drawing::caption() { text({kMargin, bottom_ + 70}, plot_.caption, "caption", "start", kCaptionSize); }

std::string Drawing::description() const {
  std::string out = fmt::format("{} {}, over {}.", plot_.subtitle, plot_.y_name, plot_.x_name);
  for (const Trace &trace : traces_) out += fmt::format(" {}: {} at the end.", trace.name, trace.summary);
  return out;
}

std::string Drawing::finish() {
  const double height = bottom_ + 70 + kMargin;
  page_ = fmt::format("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0:g} {1:g}\" width=\"{0:g}\" height=\"{1:g}\" "
                      "role=\"img\" aria-labelledby=\"plot-title plot-text\">\n<title id=\"plot-title\">{2}</title>\n"
                      "<desc id=\"plot-text\">{3}</desc>\n<style>\n{4}</style>\n<rect class=\"page\" width=\"100%\" "
                      "height=\"100%\" rx=\"6\"/>\n",
                      std::ceil(width_), std::ceil(height), escaped(plot_.title), escaped(description()), kPlotStyle);
  head();
  axes();
  place_names();
  if (traces_.empty()) text({(left_ + right_) / 2, (top_ + bottom_) / 2}, "no results", "", "middle", kTextSize);
  for (const Trace &each : traces_) trace(each);
  names();
  caption();
  return page_ + "</svg>\n";
}

}  // namespace

bool is_drawable(const std::pair<double, double> &point) {
  const auto has_place = [](double value) { return value > kTiny && value < kHuge; };  // false for NaN
  return has_place(point.first) && has_place(point.second);
}

std::string draw_plot(const Plot &plot) { return Drawing(plot).finish(); }

}  // namespace upsweep::cli::textbooks
