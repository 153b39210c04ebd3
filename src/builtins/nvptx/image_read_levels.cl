// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// read_image* with a level where texels have the alignment of their size: a GPU's memory has the layout that the driver gave it.
#define UPSWEEP_ALIGNED_TEXELS
#define UPSWEEP_TEXELS_BY_CALL
#include "images/read_levels_bodies.h"
#include "images/read_levels.cl"
