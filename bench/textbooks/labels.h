// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Places of labels beside curves.
#ifndef UPSWEEP_BENCH_TEXTBOOKS_LABELS_H
#define UPSWEEP_BENCH_TEXTBOOKS_LABELS_H

#include <vector>

namespace upsweep::cli::textbooks {

struct Point {
  double x = 0;
  double y = 0;  // from the top
};

struct Box {
  double left = 0, top = 0, right = 0, bottom = 0;
};

// Middles of labels of one column that are `height` high: between `low` and `high`, without an overlap, and as close to
// `wanted` as possible, by least squares. The room must suffice for all labels.
std::vector<double> spread(const std::vector<double> &wanted, double height, double low, double high);

bool overlap(const Box &a, const Box &b);

// Whether the line from one point to the other enters the box.
bool crosses(const Box &box, Point from, Point to);

}  // namespace upsweep::cli::textbooks
#endif
