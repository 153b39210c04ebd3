// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// read_image* with a level. Texels are aligned to their size, since the driver chooses the layout in a GPU's memory.
#define UPSWEEP_ALIGNED_TEXELS
#define UPSWEEP_TEXELS_BY_CALL
#include "images/read_levels_bodies.h"
#include "images/read_levels.cl"
