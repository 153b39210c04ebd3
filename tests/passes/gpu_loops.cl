// Code for GPUs where LLVM's own form of loops, branches and short integers would be slow.
// RUN: %upsweepc -cl-std=CL3.0 -cl-mad-enable --target=cuda --cpu=sm_90 -o - %s | FileCheck %s

// A loop from a local id: its counter starts at the id, and is compared after its step.
// CHECK-LABEL: .entry tile_rows(
// CHECK:         mov.u32 [[ROW:%r[0-9]+]], %tid.y;
// CHECK-NOT:     -8;
// CHECK:         add.s32 [[NEXT:%r[0-9]+]], {{%r[0-9]+}}, 8;
// CHECK:         setp.lt.u32 {{%p[0-9]+}}, [[NEXT]], 32;
// CHECK:         ret;
kernel void tile_rows(global const float *in, global float *out, uint n) {
  for (uint row = get_local_id(1); row < 32; row += 8) out[row * n] = in[row * n] + 1;
}

// The counter may wrap around behind the last step.
// CHECK-LABEL: .entry any_start(
// CHECK:         setp.lt.u32 {{%p[0-9]+}}, [[COUNTER:%r[0-9]+]], 24;
// CHECK:         ret;
kernel void any_start(global float *out, uint row) {
  for (;;) {
    out[row & 255] += 1;
    if (row >= 24) break;
    row += 8;
  }
}

// Stores that begin both branches stay in both: before the branch, the short branch's store would make every lane wait for a
// load.
// CHECK-LABEL: .entry begins_alike(
// CHECK-NOT:     ld.global
// CHECK:         bra
// CHECK-COUNT-3: ld.global.f32
// CHECK:         ret;
kernel void begins_alike(global const float *in, global float *out) {
  uint i = get_global_id(0);
  if (i == 0)
    out[i] = in[i];
  else
    out[i] = in[i] + in[i + 1];
}

// The branch at the end of unrolled steps goes back, not out.
// CHECK-LABEL: .entry steps_in_a_row(
// CHECK:         [[LOOP:\$L__BB[0-9_]+]]:
// CHECK-COUNT-4: mad.lo.s32
// CHECK:         setp.ne.s32 [[MORE:%p[0-9]+]]
// CHECK-NEXT:    @[[MORE]] bra [[LOOP]];
// CHECK:         ret;
kernel void steps_in_a_row(global int *p, int n) {
  int x = p[0];
  for (int i = 0; i < n; ++i) x = x * 3 + p[i & 7];
  p[9] = x;
}

// Each branch has its own store.
// CHECK-LABEL: .entry returns_early(
// CHECK-COUNT-2: st.global.f32
// CHECK:         ret;
kernel void returns_early(global const float *in, global float *out) {
  uint i = get_global_id(0);
  if (i == 0) {
    out[i] = in[i];
    return;
  }
  out[i] = in[i - 1] + in[i + 1];
}

// Several successive steps of a long loop.
// CHECK-LABEL: .entry many_steps(
// CHECK:         [[LOOP:\$L__BB[0-9_]+]]:
// CHECK-COUNT-256: fma.rn.f32
// CHECK-NOT:     fma.rn.f32
// CHECK:         bra{{.*}} [[LOOP]];
// CHECK:         ret;
kernel void many_steps(global float *out, float x) {
  const float c = get_local_id(0);
  for (int i = 0; i < 1024; ++i) x = x * x + c;
  out[get_global_id(0)] = x;
}

// Products of bytes are computed in 32 bits and are not packed in every step.
// CHECK-LABEL: .entry byte_products(
// CHECK:         [[LOOP:\$L__BB[0-9_]+]]:
// CHECK-NOT:     {{bfi|bfe|prmt|cvt|mul.lo.s16}}
// CHECK:         mad.lo.s32
// CHECK-NOT:     {{bfi|bfe|prmt|cvt|mul.lo.s16}}
// CHECK:         bra{{.*}} [[LOOP]];
// CHECK:         ret;
kernel void byte_products(global char4 *out, char first, int steps) {
  char4 x = (char4)(first, first + 1, first + 2, first + 3), c = (char4)get_local_id(0);
  for (int i = 0; i < steps; ++i) x = x * x + c;
  out[get_global_id(0)] = x;
}
