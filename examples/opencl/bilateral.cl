// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A picture with noise, and a filter that removes the noise and keeps the edges: the bilateral filter (C. Tomasi, R. Manduchi,
// "Bilateral filtering for gray and color images", 1998). A work-item computes a pixel.

#define RADIUS 6

constant sampler_t edge = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;

// A pseudo-random number in -1 to 1.
float noise_at(uint x, uint y, uint channel) {
  uint bits = x * 0x9e3779b9u ^ y * 0x85ebca6bu ^ channel * 0xc2b2ae35u;
  bits ^= bits >> 16;
  bits *= 0x7feb352du;
  bits ^= bits >> 15;
  bits *= 0x846ca68bu;
  bits ^= bits >> 16;
  return (float)(bits >> 8) * 0x1p-23f - 1.0f;
}

// Hills in front of a sky with a sun: flat colours and slow gradients with edges between them.
float3 scene(float2 at) {
  float3 colour = mix((float3)(0.98f, 0.80f, 0.55f), (float3)(0.25f, 0.45f, 0.80f), 1.0f - at.y);
  if (distance(at, (float2)(0.68f, 0.34f)) < 0.13f) colour = (float3)(1.0f, 0.93f, 0.60f);
  for (int i = 0; i < 4; ++i) {
    float ridge = 0.48f + 0.12f * i + 0.07f * sin(at.x * (5.0f + 2.0f * i) + 1.7f * i) + 0.02f * sin(at.x * 23.0f + i);
    if (at.y > ridge) colour = (float3)(0.35f, 0.45f, 0.42f) * (1.0f - 0.22f * i);
  }
  // A fence: thin edges, which a plain blur would remove.
  bool post = at.y > 0.80f && at.y < 0.95f && fmod(at.x, 0.05f) < 0.012f;
  bool rail = (at.y > 0.84f && at.y < 0.855f) || (at.y > 0.90f && at.y < 0.915f);
  return post || rail ? (float3)(0.85f, 0.82f, 0.75f) : colour;
}

kernel void draw(write_only image2d_t picture, float noise) {
  int2 at = (int2)(get_global_id(0), get_global_id(1));
  float2 size = convert_float2(get_image_dim(picture));
  float3 grain = (float3)(noise_at(at.x, at.y, 0), noise_at(at.x, at.y, 1), noise_at(at.x, at.y, 2));
  write_imagef(picture, at, (float4)(scene((convert_float2(at) + 0.5f) / size) + noise * grain, 1.0f));
}

// Each pixel becomes a weighted mean of its neighbours. Weights fall with the distance (by `space`, in pixels) and with the
// difference in colour (by `colour`, in 0 to 1), so that the mean does not cross an edge.
kernel void bilateral(read_only image2d_t in, write_only image2d_t out, float space, float colour) {
  int2 at = (int2)(get_global_id(0), get_global_id(1));
  float4 centre = read_imagef(in, edge, at), sum = 0.0f;
  float weights = 0.0f;
  for (int y = -RADIUS; y <= RADIUS; ++y) {
    for (int x = -RADIUS; x <= RADIUS; ++x) {
      float4 neighbour = read_imagef(in, edge, at + (int2)(x, y));
      float3 change = neighbour.xyz - centre.xyz;
      float weight = exp(-(float)(x * x + y * y) / (2.0f * space * space) - dot(change, change) / (2.0f * colour * colour));
      sum += weight * neighbour;
      weights += weight;
    }
  }
  write_imagef(out, at, sum / weights);
}
