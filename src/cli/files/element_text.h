// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Elements of files in OpenCL C. The device has them as in the file, as unsigned integers of their bits, and generated
// functions convert them to numbers, so no conversion precedes a selection.
#ifndef UPSWEEP_CLI_FILES_ELEMENT_TEXT_H
#define UPSWEEP_CLI_FILES_ELEMENT_TEXT_H

#include "cli/files/comparison.h"

#include <string>
#include <upsweep/opencl/operators.h>

namespace upsweep::cli {

// The unsigned integer of OpenCL C with an element's bits.
opencl::element_type bits_type(ElementType type);

// bool keeps(BITS): whether the comparison is true.
opencl::function keeping_text(ElementType type, const Comparison &comparison);

// bool same(BITS, BITS): whether the numbers are equal. Empty for integers, for which equal bits mean equal numbers.
opencl::function equality_text(ElementType type);

}  // namespace upsweep::cli
#endif
