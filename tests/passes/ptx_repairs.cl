// Code that NVIDIA's assembler would compile wrongly (src/compiler/code/ptx_repairs.h, src/passes/gpu/nvptx_repairs.h).
// RUN: %upsweepc -cl-std=CL3.0 --target=cuda --cpu=sm_90 -o - %s | FileCheck %s
// RUN: %upsweepc -cl-std=CL3.0 -cl-opt-disable --target=cuda --cpu=sm_90 -o - %s | FileCheck %s --check-prefix=NONE

// NONE-NOT: {{(neg|abs|min|max)\.[su]16 }}

// CHECK-LABEL: .entry negates(
// CHECK:         mul.lo.s16 {{%rs[0-9]+}}, {{%rs[0-9]+}}, -1;
kernel void negates(global int *out, global const short *in) { out[0] = (short)-in[0]; }

// CHECK-LABEL: .entry magnitude(
// CHECK:         { .reg .b32 %wide_a, %wide_b; cvt.s32.s16 %wide_a, {{%rs[0-9]+}}; abs.s32 %wide_a, %wide_a; cvt.u16.u32
kernel void magnitude(global int *out, global const short *in) { out[0] = (short)abs(in[0]); }

// CHECK-LABEL: .entry saturates(
// CHECK:         cvt.s32.s16 %wide_a, {{%rs[0-9]+}}; min.s32 %wide_a, %wide_a, 127; cvt.u16.u32 [[LEAST:%rs[0-9]+]],
// CHECK:         cvt.s32.s16 %wide_a, [[LEAST]]; max.s32 %wide_a, %wide_a, -128; cvt.u16.u32
kernel void saturates(global char *out, global const char *in) { out[0] = add_sat(in[0], in[1]); }

// CHECK-LABEL: .entry greatest(
// CHECK:         cvt.u32.u16 %wide_a, {{%rs[0-9]+}}; cvt.u32.u16 %wide_b, {{%rs[0-9]+}}; max.u32 %wide_a, %wide_a, %wide_b;
kernel void greatest(global ushort *out, global const ushort *in) { out[0] = max(in[0], in[1]); }

// Constants keep their values, although LLVM writes them with a sign.
// CHECK-LABEL: .entry least_of_constant(
// CHECK:         min.u32 %wide_a, %wide_a, 65532;
kernel void least_of_constant(global ushort *out, global const ushort *in) { out[0] = min(in[0], (ushort)65532); }

// CHECK-LABEL: .entry counts_down(
// CHECK:         .pragma "nounroll";
// CHECK:         setp.lt.u32
kernel void counts_down(global uint *out, uint limit) {
  uint v = out[0], before;
  do before = v;
  while (--v < limit);
  out[0] = before;
}

// CHECK-LABEL: .entry truth(
// CHECK:         selp.f32 {{%f[0-9]+}}, 0fBF800000, 0f00000000,
kernel void truth(global float *out, global const int *in) { out[0] = convert_float(-(in[0] < in[1])); }

// CHECK-LABEL: .entry negative_truth(
// CHECK:         selp.b32 %bits, 0xBF800000, 0x80000000, {{%p[0-9]+}}; mov.b32 {{%f[0-9]+}}, %bits;
// CHECK:         selp.b32 %bits, 0x80000000, 0xBF800000, {{%p[0-9]+}}; mov.b32 {{%f[0-9]+}}, %bits;
// CHECK:         selp.f32 {{%f[0-9]+}}, 0f3F800000, 0f80000000,
kernel void negative_truth(global float *out, global const int *in) {
  out[0] = in[0] == 0 ? -1.0f : -0.0f;
  out[1] = in[1] == 0 ? -0.0f : -1.0f;
  out[2] = in[2] == 0 ? 1.0f : -0.0f;
}

// CHECK-LABEL: .entry less_than_high_word(
// CHECK:         mul.hi.u32 [[WORD:%r[0-9]+]],
// CHECK:         cvt.u64.u32 [[HIGH:%rd[0-9]+]], [[WORD]];
// CHECK:         not.b64 %minus, [[LESS:%rd[0-9]+]]; add.s64 %minus, %minus, 1; add.s64 {{%rd[0-9]+}}, [[HIGH]], %minus;
kernel void less_than_high_word(global long *out, global const uint *in) { out[0] = (long)mul_hi(in[0], in[1]) - in[2]; }

// CHECK-LABEL: .entry sums_of_halves(
// CHECK-NOT:     {{(add|min|max)\.[su]16x2}}
// CHECK:         ret;
kernel void sums_of_halves(global short *out, global const short *in, global uchar *bytes) {
  vstore2(hadd((uchar2)(7, bytes[0]), (uchar2)(85)), 0, bytes);
  vstore3(vload3(0, in) + (short)1, 0, out);
  vstore4(add_sat(vload4(1, in), (short)9), 1, out);
  vstore2(max(vload2(4, in), (short)0) == (short)0, 4, out);
}

// The assembler calls a routine for any other division.
// CHECK-LABEL: .entry divides(
// CHECK-NOT:     {{(div|rem)\.[su](8|16|64)}}
// CHECK:         ret;
// NONE-NOT: {{(div|rem)\.[su](8|16|64)}}
kernel void divides(global long *longs, global ulong2 *pairs, global short *shorts, global uchar *bytes) {
  longs[0] = longs[1] / longs[2];
  longs[3] = longs[4] % longs[5];
  pairs[0] = pairs[1] / pairs[2];
  shorts[0] = shorts[1] / shorts[2];
  bytes[0] = bytes[1] % bytes[2];
}
