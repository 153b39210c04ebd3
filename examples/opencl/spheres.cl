// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A scene with depths, for `upsweep blur --depth`: spheres on a chequered floor, rendered by rays. A depth is 1 - kNear / z:
// the radius of a lens's circle of confusion grows with the difference of reciprocal distances, and so with the difference of
// these depths.

#define SPHERES 10
#define FAR 1000.0f

constant float kNear = 1.0f;
constant float3 kEye = (float3)(0.0f, 1.5f, -1.2f);
constant float3 kSun = (float3)(-0.5070926f, 0.7606389f, -0.4056741f);  // of length 1

typedef struct {
  float distance;  // FAR: the sky
  float3 normal;
  float3 colour;
  float shine;
} Hit;

// A row that curves into the distance.
float4 sphere_at(int i) {
  const float radius = 0.34f + 0.05f * i;
  return (float4)((0.55f + 0.2f * i) * sin(2.3f + 1.9f * i), radius, 0.9f + 0.75f * i + 0.12f * i * i, radius);
}

float3 colour_of(int i) {
  const float turn = 0.37f + 2.4f * i;
  return 0.52f + 0.42f * cos(turn + (float3)(0.0f, 2.0943951f, 4.1887902f));
}

// The distance to a sphere along a ray, or FAR.
float meet(float4 sphere, float3 from, float3 along) {
  const float3 to = from - sphere.xyz;
  const float half_b = dot(to, along);
  const float discriminant = half_b * half_b - dot(to, to) + sphere.w * sphere.w;
  if (discriminant < 0.0f) return FAR;
  const float near = -half_b - sqrt(discriminant);
  return near > 1e-3f ? near : FAR;
}

Hit trace(float3 from, float3 along) {
  Hit hit = {FAR, (float3)(0.0f), (float3)(0.0f), 0.0f};
  if (along.y < 0.0f) {
    hit.distance = -from.y / along.y;
    const float3 at = from + hit.distance * along;
    const int square = (int)floor(at.x * 1.6f) + (int)floor(at.z * 1.6f);
    hit.normal = (float3)(0.0f, 1.0f, 0.0f);
    hit.colour = (square & 1) ? (float3)(0.86f, 0.83f, 0.76f) : (float3)(0.30f, 0.33f, 0.38f);
    hit.shine = 0.06f;
  }
  for (int i = 0; i < SPHERES; ++i) {
    const float4 sphere = sphere_at(i);
    const float distance = meet(sphere, from, along);
    if (distance >= hit.distance) continue;
    hit.distance = distance;
    hit.normal = normalize(from + distance * along - sphere.xyz);
    hit.colour = colour_of(i);
    hit.shine = 0.22f;
  }
  return hit;
}

float3 sky(float3 along) {
  const float3 plain = mix((float3)(0.93f, 0.90f, 0.84f), (float3)(0.32f, 0.52f, 0.80f), sqrt(clamp(along.y, 0.0f, 1.0f)));
  return plain + pow(max(dot(along, kSun), 0.0f), 300.0f) * (float3)(4.0f, 3.6f, 2.8f);
}

// Light of the sun and the sky; distant parts fade into the horizon.
float3 light(Hit hit, float3 from, float3 along) {
  if (hit.distance >= FAR) return sky(along);
  const float3 at = from + hit.distance * along + 2e-3f * hit.normal;
  const float sun = trace(at, kSun).distance < FAR ? 0.0f : max(dot(hit.normal, kSun), 0.0f);
  const float3 colour = hit.colour * (0.32f + 0.14f * hit.normal.y + 0.78f * sun);
  return mix(colour, sky((float3)(0.0f, 0.0f, 1.0f)), 1.0f - exp(-0.012f * hit.distance));
}

float3 colour_along(float3 from, float3 along) {
  const Hit hit = trace(from, along);
  const float3 colour = light(hit, from, along);
  if (hit.shine == 0.0f) return colour;
  const float3 mirrored = along - 2.0f * dot(along, hit.normal) * hit.normal;
  const float3 at = from + hit.distance * along + 2e-3f * hit.normal;
  return mix(colour, light(trace(at, mirrored), at, mirrored), hit.shine);
}

// Four rays for each pixel. The depth is the least of them, so that edges belong to the object in front.
kernel void render(write_only image2d_t colour, write_only image2d_t depth) {
  const int2 at = (int2)(get_global_id(0), get_global_id(1));
  const float2 size = convert_float2(get_image_dim(colour));
  float3 sum = 0.0f;
  float nearest = FAR;
  for (int i = 0; i < 4; ++i) {
    const float2 place = convert_float2(at) + (float2)(i & 1, i >> 1) * 0.5f + 0.25f;
    const float2 screen = (place - 0.5f * size) / size.y;
    const float3 along = normalize((float3)(screen.x, -screen.y - 0.3f, 1.1f));
    sum += colour_along(kEye, along);
    nearest = min(nearest, trace(kEye, along).distance * along.z);
  }
  write_imagef(colour, at, (float4)(pow(clamp(0.25f * sum, 0.0f, 1.0f), (float3)(0.85f)), 1.0f));
  write_imagef(depth, at, (float4)(1.0f - kNear / max(nearest, kNear)));
}
