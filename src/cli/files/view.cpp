// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reduces an array to three axes.
#include "cli/files/view.h"

namespace upsweep::cli {

Result<AxisView> view_along(const Array &array, int axis) {
  const int dimensions = static_cast<int>(array.shape.size());
  const int from_front = axis < 0 ? axis + dimensions : axis;
  if (from_front < 0 || from_front >= dimensions)
    return fail("--axis {}: '{}' has the shape {}", axis, array.name, shape_text(array.shape));
  const auto wanted = static_cast<size_t>(from_front);
  AxisView view{.length = array.shape[wanted], .axis = wanted};
  for (size_t d = 0; d < array.shape.size(); ++d) {
    if (d == wanted) continue;
    ((d < wanted) != array.is_fortran ? view.batches : view.inner) *= array.shape[d];
  }
  return view;
}

Failure fail_axis(int axis) {
  return fail("--axis {}: with --device, arrays are processed along their contiguous axis only", axis);
}

}  // namespace upsweep::cli
