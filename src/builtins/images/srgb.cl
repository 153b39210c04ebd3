// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sRGB's table for functions that read single texels.
#include "library.h"

extern const __constant float image_srgb_to_linear[256];
const __constant float image_srgb_to_linear[256] = {
#include "images/srgb_table.h"
};
