// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Common filters of images: a convolution with weights from memory, scaling by bicubic interpolation, and the projection of a
// volume.
constant sampler_t nearest = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
constant sampler_t linear_black = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_LINEAR;

kernel void convolution(read_only image2d_t in, write_only image2d_t out, constant float *weights) {
  int2 at = (int2)(get_global_id(0), get_global_id(1));
  float4 sum = 0;
  for (int y = 0; y < 5; ++y)
    for (int x = 0; x < 5; ++x) sum += weights[y * 5 + x] * read_imagef(in, nearest, at + (int2)(x - 2, y - 2));
  write_imagef(out, at, sum);
}

// The weights of four neighbours by Catmull and Rom's cubic, at t between the inner two.
float4 cubic_weights(float t) {
  return (float4)(((-0.5f * t + 1) * t - 0.5f) * t, (1.5f * t - 2.5f) * t * t + 1, ((-1.5f * t + 2) * t + 0.5f) * t,
                  (0.5f * t - 0.5f) * t * t);
}

kernel void bicubic(read_only image2d_t in, write_only image2d_t out, float scale) {
  int2 at = (int2)(get_global_id(0), get_global_id(1));
  float2 place = (convert_float2(at) + 0.5f) * scale - 0.5f;
  float2 whole = floor(place);
  int2 first = convert_int2(whole) - 1;
  float4 across = cubic_weights(place.x - whole.x), down = cubic_weights(place.y - whole.y);
  float4 sum = 0;
  for (int row = 0; row < 4; ++row) {
    float4 line = across.x * read_imagef(in, nearest, first + (int2)(0, row)) +
                  across.y * read_imagef(in, nearest, first + (int2)(1, row)) +
                  across.z * read_imagef(in, nearest, first + (int2)(2, row)) +
                  across.w * read_imagef(in, nearest, first + (int2)(3, row));
    sum += (row == 0 ? down.x : row == 1 ? down.y : row == 2 ? down.z : down.w) * line;
  }
  write_imagef(out, at, sum);
}

// Parallel rays through the centre of a cube with `size` texels on a side. Colours are accumulated from front to back until
// hardly any light passes.
kernel void ray_casting(read_only image3d_t volume, write_only image2d_t out, float size, float4 right, float4 down,
                        float4 forward) {
  int2 at = (int2)(get_global_id(0), get_global_id(1));
  float2 plane = (convert_float2(at) + 0.5f) * (size / get_global_size(0)) - 0.5f * size;
  float4 start = 0.5f * size + plane.x * right + plane.y * down;
  // The part of the ray inside of the cube, by its slabs.
  float4 to_low = -start / forward, to_high = (size - start) / forward;
  float4 enters = fmin(to_low, to_high), leaves = fmax(to_low, to_high);
  float near = fmax(fmax(enters.x, enters.y), enters.z), far = fmin(fmin(leaves.x, leaves.y), leaves.z);
  float4 sum = 0;
  for (float t = near; t < far && sum.w < 0.99f; t += 1) {
    float density = read_imagef(volume, linear_black, start + t * forward).x;
    float opacity = 0.1f * density * density;
    float4 colour = (float4)(density, 1 - density, 0.5f, 1);
    sum += (1 - sum.w) * opacity * colour;
  }
  write_imagef(out, at, sum);
}
