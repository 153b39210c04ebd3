// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Elements of files in OpenCL C: they are on the device as the file has them, unsigned integers of their bits, and text there
// makes numbers of them, so that no conversion comes before a selection.
#ifndef UPSWEEP_CLI_FILES_ELEMENT_TEXT_H
#define UPSWEEP_CLI_FILES_ELEMENT_TEXT_H

#include "cli/files/comparison.h"

#include <string>
#include <upsweep/opencl/operators.h>

namespace upsweep::cli {

// The unsigned integer of OpenCL C that has an element's bits.
opencl::element_type bits_type(ElementType type);

// bool keeps(BITS): whether the comparison is true.
opencl::function keeping_text(ElementType type, const Comparison &comparison);

// bool same(BITS, BITS): whether the numbers are equal. None for integers, whose bits are equal then.
opencl::function equality_text(ElementType type);

}  // namespace upsweep::cli
#endif
