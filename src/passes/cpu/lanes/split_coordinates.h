// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Coordinates of images as scalars of the work-item.
#ifndef UPSWEEP_PASSES_CPU_LANES_SPLIT_COORDINATES_H
#define UPSWEEP_PASSES_CPU_LANES_SPLIT_COORDINATES_H

#include <llvm/IR/Function.h>

namespace upsweep::passes {

/// Makes reads and writes of texels take the elements of a float2 or int4 separately. The computation of such a vector is
/// duplicated for each element, so that a uniform element stays a scalar, and a varying element is a vector of lanes without
/// gaps. Elements of vectors from memory, phis or comparisons are extracted.
bool split_coordinates(llvm::Function &item);

}  // namespace upsweep::passes
#endif
