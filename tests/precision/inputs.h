// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arguments that find errors: special numbers and their neighbours in every combination, then random numbers of every size.
#ifndef UPSWEEP_TESTS_PRECISION_INPUTS_H
#define UPSWEEP_TESTS_PRECISION_INPUTS_H

#include "format.h"
#include "functions.h"

namespace upsweep::precision {

/// Every run draws the same: special points, then `random` others.
Points chosen_points(const Format &format, Arguments arguments, size_t random);

/// The numbers whose bits are first … first + count - 1.
Points all_points(const Format &format, uint64_t first, size_t count);

}  // namespace upsweep::precision
#endif
