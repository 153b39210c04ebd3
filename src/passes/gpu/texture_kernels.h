// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels that read images by textures. A texture object is made for an image and a sampler, and the hardware wants it in a
// kernel's parameter: a table in memory that is asked at each read takes 7 % of a copy's time on an H100. Code for images
// without textures in the same kernel would take registers. So there is a kernel of its own for launches whose images all have
// textures.
#ifndef UPSWEEP_PASSES_GPU_TEXTURE_KERNELS_H
#define UPSWEEP_PASSES_GPU_TEXTURE_KERNELS_H

#include "passes/program.h"

namespace upsweep::passes {

/// Replaces the library's questions for textures (`__ups_has_texture`, `__ups_texture`, `__ups_texture_field`) in a kernel into
/// which all functions with such calls have been inlined: it has none. Where all are of arguments and of at most
/// UPSWEEP_CUDA_MOST_TEXTURES pairs of an image and a sampler, a copy has them all: Kernel::textures and texture_uses.
void make_texture_kernel(Kernel &kernel, Program &program);

}  // namespace upsweep::passes
#endif
