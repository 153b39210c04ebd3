// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Texels of all formats, as functions that kernels call: inlining them into each read took 0.15 s in the CUDA driver's assembler.
#define UPSWEEP_ALIGNED_TEXELS
#include "images/sampling.h"

/// `minsize` makes the pipeline keep the function.
#define CALLED __attribute__((noinline, minsize))
CALLED float4 __ups_stored_f(image_ptr image, ulong row, int x) { return stored_f(image, row, x); }
CALLED int4 __ups_stored_i(image_ptr image, ulong row, int x) { return stored_i(image, row, x); }
CALLED void __ups_store_f(image_ptr image, ulong row, int x, float4 colour) {
  store_raw(image, row, x, float_to_stored(image, as_stored(image, colour)));
}
CALLED void __ups_store_i(image_ptr image, ulong row, int x, int4 colour) {
  store_raw(image, row, x, int_to_stored(image, as_stored(image, colour)));
}
