// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A sampler as a kernel argument: 64 bits. The lowest 16 are Clang's sampler literal, so samplers from the source and from the
// host have the same form. Plain C, for both sides.
#ifndef UPSWEEP_BASE_SAMPLER_BITS_H
#define UPSWEEP_BASE_SAMPLER_BITS_H

#define UPSWEEP_SAMPLER_NORMALIZED 0x1
#define UPSWEEP_SAMPLER_ADDRESS_MASK 0xe
#define UPSWEEP_SAMPLER_NONE 0x0
#define UPSWEEP_SAMPLER_CLAMP_TO_EDGE 0x2
#define UPSWEEP_SAMPLER_CLAMP 0x4
#define UPSWEEP_SAMPLER_REPEAT 0x6
#define UPSWEEP_SAMPLER_MIRRORED_REPEAT 0x8
#define UPSWEEP_SAMPLER_NEAREST 0x10
#define UPSWEEP_SAMPLER_LINEAR 0x20
/* Mip levels: the filter between two of them; whether any of the mip properties was given; the range of the level of detail as
   half floats. */
#define UPSWEEP_SAMPLER_MIP_LINEAR 0x10000
#define UPSWEEP_SAMPLER_MIP_GIVEN 0x20000
#define UPSWEEP_SAMPLER_LOD_MIN_SHIFT 32
#define UPSWEEP_SAMPLER_LOD_MAX_SHIFT 48

#endif
