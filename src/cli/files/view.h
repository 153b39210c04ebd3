// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An array as three axes, of which the middle is processed (upsweep/cpu/axis.h), and the size of its pieces.
#ifndef UPSWEEP_CLI_FILES_VIEW_H
#define UPSWEEP_CLI_FILES_VIEW_H

#include "cli/files/array.h"

#include <optional>

namespace upsweep::cli {

// Elements per step of a verb: two pieces of 8-byte elements and their results stay in the last-level cache, and a piece is
// long enough to amortise the step's overhead.
constexpr size_t kStepElements = size_t{1} << 19;

struct AxisView {
  size_t batches = 1;
  size_t length = 0;
  size_t inner = 1;
  size_t axis = 0;  // the chosen axis, counted from the front
};

// The axes are in memory order, so they are reversed for an array in Fortran order. Negative axes count from the end.
Result<AxisView> view_along(const Array &array, int axis);

// The error for an axis that a device does not support.
Failure fail_axis(int axis);

}  // namespace upsweep::cli
#endif
