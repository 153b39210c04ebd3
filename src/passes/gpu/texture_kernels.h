// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels that read images through textures. A texture object is for one image and one sampler. It is fastest as a kernel
// parameter: looking it up in memory for each read takes 7 % of a copy's time on an H100. Code for images without textures in
// the same kernel would take registers. So a separate kernel serves launches whose images all have textures.
#ifndef UPSWEEP_PASSES_GPU_TEXTURE_KERNELS_H
#define UPSWEEP_PASSES_GPU_TEXTURE_KERNELS_H

#include "passes/program.h"

namespace upsweep::passes {

/// Replaces the library's queries about textures (`__ups_has_texture`, `__ups_texture`, `__ups_texture_field`) in a kernel into
/// which all functions with such calls have been inlined: the kernel has no textures. If all queries are about arguments, and
/// at most UPSWEEP_CUDA_MOST_TEXTURES pairs of an image and a sampler, makes a copy with textures: Kernel::textures and
/// texture_uses.
void make_texture_kernel(Kernel &kernel, Program &program);

}  // namespace upsweep::passes
#endif
