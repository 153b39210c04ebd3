// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks coordinates of texels where those outside of the image are undefined: writes, and reads without a sampler or with
// CLK_ADDRESS_NONE. These checks only report, since the library leaves such texels alone.
#ifndef UPSWEEP_PASSES_CPU_CHECK_CHECK_IMAGES_H
#define UPSWEEP_PASSES_CPU_CHECK_CHECK_IMAGES_H

#include "passes/cpu/check/provenance.h"
#include "passes/cpu/check/sites.h"

namespace upsweep::passes {

void check_images(llvm::Function &item, ProvenanceFinder &finder, SiteTable &sites);

}  // namespace upsweep::passes
#endif
