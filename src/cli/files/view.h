// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An array as three axes, of which the middle one is worked along (upsweep/cpu/axis.h), and the size of pieces that it is
// worked on in.
#ifndef UPSWEEP_CLI_FILES_VIEW_H
#define UPSWEEP_CLI_FILES_VIEW_H

#include "cli/files/array.h"

#include <optional>

namespace upsweep::cli {

// The elements of one step of a verb: two pieces of 8-byte elements and their results stay in the last-level cache, and a piece
// is long enough for what begins and ends a step not to count.
constexpr size_t kStepElements = size_t{1} << 19;

struct AxisView {
  size_t batches = 1;
  size_t length = 0;
  size_t inner = 1;
  size_t axis = 0;  // that was asked for, counted from the front
};

// In the order of memory, so that of an array in Fortran order the axes count from the end. Negative axes count from the back.
Result<AxisView> view_along(const Array &array, int axis);

// The failure of an axis that a device does not take.
Failure fail_axis(int axis);

}  // namespace upsweep::cli
#endif
