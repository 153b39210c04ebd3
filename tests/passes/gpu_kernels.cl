// Records of printf, and local memory beyond PTX's limit for static variables.
// RUN: %upsweepc -cl-std=CL3.0 --target=cuda --cpu=sm_80 -o - %s | FileCheck %s

// The memory of many variables is one symbol, with local arguments behind it.
// CHECK-DAG: .extern .shared .align 128 .b8 upsweep_dynamic_local[];
// CHECK-DAG: .global .align 1 .b8 [[FORMAT:[^ ]*]][10] = {37, 100, 32, 37, 118, 50, 102, 32, 120};

// A record is 32 bytes: its size, the format, an int and two floats at multiples of 8.
// CHECK-LABEL: .entry prints(
// CHECK:         mov.u64 [[SIZE:%rd[0-9]+]], 32;
// CHECK:         atom.relaxed.gpu.global.add.u64 {{%rd[0-9]+}}, [{{%rd[0-9]+}}], [[SIZE]];
// CHECK:         st.global.u64 {{\[}}[[ROOM:%rd[0-9]+]]], [[SIZE]];
// CHECK:         mov.u64 [[ADDRESS:%rd[0-9]+]], [[FORMAT]];
// CHECK:         st.global.u64 {{\[}}[[ROOM]]+8], [[ADDRESS]];
// CHECK:         st.global.u32 {{\[}}[[ROOM]]+16],
// CHECK:         st.global.v2.f32 {{\[}}[[ROOM]]+24],
// CHECK:         ret;
kernel void prints(global float2 *in) { printf("%d %v2f x", (int)get_global_size(0), in[0]); }

// CHECK-LABEL: .entry few_locals(
// CHECK-NOT:     upsweep_dynamic_local
// CHECK:         ret;
kernel void few_locals(global int *out) {
  local int a[4096], b[4096];
  a[get_local_id(0)] = b[get_local_id(0)] = out[0];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[0] = a[out[1]] + b[out[1]];
}

// CHECK-LABEL: .entry many_locals(
// CHECK-NOT:     .shared .align
// CHECK:         upsweep_dynamic_local
// CHECK:         ret;
kernel void many_locals(global int *out) {
  local int a[8192], b[8192];
  a[get_local_id(0)] = b[get_local_id(0)] = out[0];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[0] = a[out[1]] + b[out[1]];
}

// The sign of a NaN after abs is unknown.
// CHECK-LABEL: .entry bits_of_magnitude(
// CHECK:         and.b64 {{%rd[0-9]+}}, {{%rd[0-9]+}}, 9223372036854775807;
// CHECK-NOT:     and.b
// CHECK:         abs.f64
// CHECK-NOT:     and.b
// CHECK:         ret;
kernel void bits_of_magnitude(global double *in, global long *bits, global double *magnitude) {
  bits[0] = as_long(fabs(in[0])) * 3;
  magnitude[0] = fabs(in[1]) + 1;
}

// Loads of many numbers with a conversion, and of 16 bytes at any address.
// CHECK-LABEL: .entry conversions(
// CHECK-COUNT-16: cvt.f32.f16
// CHECK-COUNT-8: cvt.f64.f32
// CHECK:         ret;
kernel void conversions(global half *from, global float8 *in, global float16 *out, global double8 *wide) {
  out[0] = vloada_half16(0, from);
  wide[0] = convert_double8(in[0]);
}
// CHECK-LABEL: .entry unaligned(
// CHECK-NOT:     ld.global.v
// CHECK-COUNT-16: ld.global.u8
// CHECK-NOT:     ld.global.v
// CHECK:         ret;
kernel void unaligned(global char *from, global char16 *out) { out[0] = vload16(0, from + 1); }

// Vectors of 16-bit numbers are compared element by element.
// CHECK-LABEL: .entry comparisons(
// CHECK-COUNT-2: setp.lt.s16
// CHECK-COUNT-2: setp.{{n?}}eq{{u?}}.f16
// CHECK:         ret;
kernel void comparisons(global short2 *a, global half2 *b, global short2 *out) {
  out[0] = a[0] < a[1];
  out[1] = isequal(b[0], b[1]);
}

// A null pointer stays null.
// CHECK-LABEL: .entry null_pointers(
// CHECK:         cvta.shared.u64 [[GENERIC:%rd[0-9]+]], [[LOCAL:%rd[0-9]+]];
// CHECK:         setp.eq.s64 [[IS_NULL:%p[0-9]+]], [[LOCAL]], 0;
// CHECK:         selp.b64 {{%rd[0-9]+}}, 0, [[GENERIC]], [[IS_NULL]];
// CHECK:         ret;
typedef struct {
  local int *from;
  int *to;
} Pointers;
kernel void null_pointers(global Pointers *pointers) { pointers[1].to = pointers[0].from; }

// LLVM treats parameters that are pairs of bytes as pairs of shorts.
// CHECK-NOT:   swap_pair
// CHECK-LABEL: .entry pairs_of_bytes(
// CHECK-NEXT:    .param .u16 pairs_of_bytes_param_0,
// CHECK:         ret;
__attribute__((noinline)) char2 swap_pair(char2 a) { return a.yx; }
kernel void pairs_of_bytes(char2 a, global char2 *r) { r[get_global_id(0)] = swap_pair(a + r[get_global_id(0)]); }

// CHECK-LABEL: .entry inline_ptx(
// CHECK:         ex2.approx.f32 [[X:%f[0-9]+]], [[X]];
// CHECK:         mov.u32 {{%r[0-9]+}}, %laneid;
// CHECK:         ret;
kernel void inline_ptx(global float *r) {
  float x = r[0];
  uint lane;
  asm volatile("ex2.approx.f32 %0, %0;" : "+f"(x) : : "memory");
  __asm__("mov.u32 %0, %%laneid;" : "=r"(lane));
  r[1] = x + lane;
}
