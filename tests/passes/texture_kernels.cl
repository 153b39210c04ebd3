// Kernels that read images have three versions: without textures, with textures, and for channel orders that texture units
// lack.
// RUN: %upsweepc -cl-std=CL3.0 --target=cuda --cpu=sm_90 --verify -o - %s | FileCheck %s
constant sampler_t kLinear = CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_REPEAT | CLK_FILTER_LINEAR;

// The versions without textures come first. Images that a kernel may write, and images of buffers, have no other version.
// CHECK-LABEL: .entry two_samplers(
// CHECK-NOT:     tex.
// CHECK:       .entry by_code(
// CHECK-NOT:     tex.

// Samplers from the source and from the host are followed through functions. 32 bytes for each pair follow the 160 bytes of
// the launch.
// CHECK-LABEL: .entry two_samplers$textures(
// CHECK:         .param .align 8 .b8 two_samplers$textures_param_3[224]
// CHECK:         ld.param.u64 [[FIRST:%rd[0-9]+]], [two_samplers$textures_param_3+160];
// CHECK:         tex.2d.v4.f32.f32 {{.*}}, [[[FIRST]],
// CHECK:         ld.param.u64 [[SECOND:%rd[0-9]+]], [two_samplers$textures_param_3+192];
// CHECK:         tex.2d.v4.f32.f32 {{.*}}, [[[SECOND]],
// CHECK-NOT:     4278
// CHECK-LABEL: .entry two_samplers$orders(
// CHECK:         4278
float4 read_by(read_only image2d_t image, sampler_t s, float2 at) { return read_imagef(image, s, at); }
kernel void two_samplers(read_only image2d_t image, sampler_t s, global float4 *out) {
  const float2 at = (float2)(get_global_id(0), 0.5f);
  out[get_global_id(0)] = read_by(image, kLinear, at) + read_by(image, s, at);
}

// Reads with integer coordinates, with a sampler or without, share one pair.
// CHECK-LABEL: .entry without_filters$textures(
// CHECK:         .param .align 8 .b8 without_filters$textures_param_3[224]
// CHECK-DAG:     tex.a2d.v4.s32.s32
// CHECK-DAG:     tex.3d.v4.s32.s32
kernel void without_filters(read_only image2d_array_t a, read_only image3d_t b, global int4 *out) {
  const int4 at = (int4)(get_global_id(0), 1, 2, 0);
  out[get_global_id(0)] = as_int4(read_imageui(a, kLinear, at)) + as_int4(read_imageui(a, at)) + read_imagei(b, at);
}

// Reads by two samplers stay two.
// CHECK-NOT:   .entry by_code$
// CHECK:       .entry branches$textures(
// CHECK:         tex.2d
// CHECK:         tex.2d
// CHECK:       .entry branches$orders(
kernel void branches(read_only image1d_t image, sampler_t s, sampler_t t, global float4 *out) {
  const float at = out[get_global_id(0)].x;
  float4 colour;
  if (at > 0)
    colour = read_imagef(image, s, at);
  else
    colour = read_imagef(image, t, at);
  out[get_global_id(0)] = colour;
}

kernel void by_code(read_write image2d_t a, read_only image1d_buffer_t b, write_only image2d_t c) {
  const int2 at = (int2)(get_global_id(0), 0);
  write_imagef(c, at, read_imagef(a, at) + read_imagef(b, at.x));
}
