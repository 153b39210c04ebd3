// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// write_image*. Texels are aligned to their size, since the driver chooses the layout in a GPU's memory.
#define UPSWEEP_ALIGNED_TEXELS
#define UPSWEEP_TEXELS_BY_CALL
#include "images/write_bodies.h"
#include "images/write.cl"
