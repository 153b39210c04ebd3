// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Places of labels beside curves.
#include "bench/textbooks/labels.h"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <utility>

namespace upsweep::cli::textbooks {

// Without the labels' own heights the middles must not decrease. The closest such sequence is an isotonic regression:
// neighbours in the wrong order share their mean. Its values clamped to a range are the closest in that range.
std::vector<double> spread(const std::vector<double> &wanted, double height, double low, double high) {
  std::vector<size_t> order(wanted.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::ranges::sort(order, {}, [&](size_t i) { return std::pair(wanted[i], i); });
  struct Run {
    double sum = 0;
    size_t count = 0;
    [[nodiscard]] double mean() const { return sum / static_cast<double>(count); }
  };
  std::vector<Run> runs;
  for (size_t rank = 0; rank < order.size(); ++rank) {
    runs.push_back({wanted[order[rank]] - static_cast<double>(rank) * height, 1});
    while (runs.size() > 1 && runs[runs.size() - 2].mean() > runs.back().mean()) {
      const Run last = runs.back();
      runs.pop_back();
      runs.back().sum += last.sum;
      runs.back().count += last.count;
    }
  }
  std::vector<double> middles(wanted.size());
  const double first = low + height / 2;
  const double last = std::max(first, high - height * (static_cast<double>(wanted.size()) - 0.5));
  size_t rank = 0;
  for (const Run &run : runs)
    for (size_t i = 0; i < run.count; ++i, ++rank)
      middles[order[rank]] = std::clamp(run.mean(), first, last) + static_cast<double>(rank) * height;
  return middles;
}

bool overlap(const Box &a, const Box &b) {
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}

bool crosses(const Box &box, Point from, Point to) {
  double begin = 0, end = 1;  // the part of the line inside the box
  const auto clip = [&](double start, double step, double low, double high) {
    if (step == 0) return start > low && start < high;
    const double a = (low - start) / step, b = (high - start) / step;
    begin = std::max(begin, std::min(a, b));
    end = std::min(end, std::max(a, b));
    return begin < end;
  };
  return clip(from.x, to.x - from.x, box.left, box.right) && clip(from.y, to.y - from.y, box.top, box.bottom);
}

}  // namespace upsweep::cli::textbooks
