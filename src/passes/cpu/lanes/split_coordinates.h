// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Coordinates of images as scalars of the work-item.
#ifndef UPSWEEP_PASSES_CPU_LANES_SPLIT_COORDINATES_H
#define UPSWEEP_PASSES_CPU_LANES_SPLIT_COORDINATES_H

#include <llvm/IR/Function.h>

namespace upsweep::passes {

/// Reads and writes of texels take the elements of a float2 or int4 one by one. What computes such a vector is written again
/// for each element, so that one that is the same in all lanes stays a scalar, and one that is not is a vector of lanes without
/// gaps. Of vectors that come from memory, a phi or a comparison the elements are extracted.
bool split_coordinates(llvm::Function &item);

}  // namespace upsweep::passes
#endif
