// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Texture instructions by the shape of the image (images/shapes.h): samples at float coordinates, with the texture's addressing and
// filter, and fetches of texels at integer coordinates, which must be inside. `number` is the layer's.
#pragma once
#include "library.h"
#include "targets/cuda/texture_abi.h"

#define FOR_TEXTURES(M) M(1d) M(1d_array) M(2d) M(2d_array) M(3d)
#define DECLARE_TEXTURE(shape) \
  float4 texture_sample_f_##shape(ulong handle, float4 c, uint number); \
  float4 texture_read_f_##shape(ulong handle, int4 c, uint number); \
  int4 texture_sample_i_##shape(ulong handle, float4 c, uint number); \
  int4 texture_read_i_##shape(ulong handle, int4 c, uint number);
FOR_TEXTURES(DECLARE_TEXTURE)
