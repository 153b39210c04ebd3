// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A generic pointer, converted to every address space: LLVM 19's back end cannot cast a global pointer to local memory.
// RUN: %upsweepc -cl-std=CL3.0 --target=cuda --cpu=sm_80 %s -o - | FileCheck %s
// RUN: %upsweepc -cl-std=CL3.0 --target=cuda --cpu=sm_80 -cl-opt-disable %s -o %t.ptx

void count(global int *g, local int *l, private int *p, global int *out) {
  if (g) g[1] = 101;
  if (l) l[1] = 102;
  if (p) p[1] = 103;
  *out = (g ? 1 : 0) + (l ? 2 : 0) + (p ? 4 : 0);
}

// CHECK-LABEL: .entry of_global
// CHECK-NOT: {{isspacep|st.shared|st.local}}
// CHECK: 101;
// CHECK-NOT: {{102|103}};
kernel void of_global(global int *in, global int *out) {
  int *any = in + get_global_id(0);
  count(to_global(any), to_local(any), to_private(any), out);
}

// CHECK-LABEL: .entry of_local
// CHECK-NOT: {{isspacep|101|103}}
// CHECK: 102;
// CHECK: st.shared
kernel void of_local(local int *in, global int *out) {
  int *any = in + get_local_id(0);
  count(to_global(any), to_local(any), to_private(any), out);
  out[1] = in[1];
}

// CHECK-LABEL: .entry of_private
// CHECK-NOT: {{isspacep|101|102}}
kernel void of_private(int n, global int *out) {
  int own[4] = {n, n, n, n};
  int *any = own + (n & 1);
  count(to_global(any), to_local(any), to_private(any), out);
  out[1] = own[1 + (n & 1)];
}

constant int numbers[4] = {1, 2, 3, 4};
typedef struct {
  int a[4];
} Struct;

// A pointer to two spaces, an argument's pointer, and casts that a program should not make.
// CHECK-LABEL: .entry odd
kernel void odd(global int *in, local int *l, Struct given, int n, global int *out) {
  local int own[4];
  int *any = in;
  if (n > 2) any = l;
  if (n > 3) any = own;
  count(to_global(any), to_local(any), to_private(any), out);
  int *of_given = given.a + n;
  count(to_global(of_given), to_local(of_given), to_private(of_given), out + 1);
  for (int *p = own; n; p += 2, --n) {
    count(to_global(p), to_local(p), to_private(p), out + 2);
    if (n == 7) p = l;
  }
  local int *wrong = (local int *)(int *)in;
  if (wrong) out[3] = 1;
  global int *other = (global int *)(int *)(own + 1);
  if (n > 77) *other = 1;
  __private int *third = (__private int *)(int *)(in + 1);
  if (n > 78) *third = 1;
  out[4] = own[n] + given.a[n];
}
