// clang-format off
// Remarks of -Rupsweep. Each kernel causes a remark; its twin `plain_...` differs in little and does not cause it.
// RUN: %upsweepc -cl-std=CL3.0 -Rupsweep --cpu=x86-64-v4 %s -o %t.so 2> %t.log
// RUN: FileCheck %s < %t.log
// RUN: %upsweepc -cl-std=CL3.0 --cpu=x86-64-v4 %s -o %t.so 2>&1 | FileCheck %s --check-prefix=OFF --allow-empty
// OFF-NOT: remark
#define ID get_global_id(0)

kernel void row(global int *a, global int *b) {
  // CHECK: {{.*}}remarks.cl:[[@LINE+2]]:9: remark: row store of 4 bytes a work-item: one vector of neighbours [-Rupsweep]
  // CHECK-NEXT: {{.*}}remarks.cl:[[@LINE+1]]:11: remark: row load of 4 bytes a work-item: one vector of neighbours [-Rupsweep]
  a[ID] = b[ID] + 1;
}

kernel void strided(global int *a, global int *b) {
  // CHECK-NEXT: {{.*}}remarks.cl:[[@LINE+2]]:9: remark: row store
  // CHECK-NEXT: {{.*}}remarks.cl:[[@LINE+1]]:11: remark: strided load of 4 bytes a work-item: neighbouring work-items are 12 bytes apart [-Rupsweep]
  a[ID] = b[3 * ID];
}

kernel void gather(global int *a, global int *b, global int *c) {
  // CHECK-NEXT: {{.*}}remarks.cl:[[@LINE+1]]:15: remark: row load
  int index = c[ID] & 1023;
  // CHECK-NEXT: {{.*}}remarks.cl:[[@LINE+2]]:9: remark: row store
  // CHECK-NEXT: {{.*}}remarks.cl:[[@LINE+1]]:11: remark: gather of 4 bytes a work-item: the addresses of neighbouring work-items have no known distance
  a[ID] = b[index];
}

kernel void plain_gather(global int *a, global int *b, global int *c) {
  // CHECK-NEXT: {{.*}}remarks.cl:[[@LINE+1]]:15: remark: uniform load
  int index = c[0] & 1023;
  // CHECK-NEXT: {{.*}}remarks.cl:[[@LINE+2]]:9: remark: row store
  // CHECK-NEXT: {{.*}}remarks.cl:[[@LINE+1]]:11: remark: uniform load of 4 bytes: one for the whole sub-group
  a[ID] = b[index];
}

kernel void branch(global int *a) {
  // CHECK-NEXT: {{.*}}remarks.cl:[[@LINE+2]]:7: remark: divergent branch: a sub-group whose work-items disagree runs both sides, under masks
  // CHECK-NEXT: {{.*}}remarks.cl:[[@LINE+1]]:7: remark: row load
  if (a[ID] > 3)
    // CHECK-NEXT: {{.*}}remarks.cl:[[@LINE+1]]:{{[0-9]+}}: remark: row store of 4 bytes a work-item: one vector of neighbours, masked
    a[ID] = a[ID] * a[ID] / 7;
}

kernel void plain_branch(global int *a, int n) {
  if (n > 3)
    // CHECK-NEXT: {{.*}}remarks.cl:[[@LINE+2]]:11: remark: row store of 4 bytes a work-item: one vector of neighbours [-Rupsweep]
    // CHECK-NEXT: {{.*}}remarks.cl:[[@LINE+1]]:13: remark: row load
    a[ID] = a[ID] / 7;
}

// CHECK-NEXT: {{.*}}remarks.cl:[[@LINE+1]]:1: remark: barriers: values that live across them take a frame of {{[0-9]+}} bytes for 16 work-items [-Rupsweep]
kernel void waits(global int *a, local int *l) {
  // CHECK-NEXT: {{.*}}remarks.cl:[[@LINE+1]]:11: remark: row load
  int x = a[ID] * 3;
  // CHECK-NEXT: {{.*}}remarks.cl:[[@LINE+1]]:{{[0-9]+}}: remark: row store
  l[get_local_id(0)] = x;
  barrier(CLK_LOCAL_MEM_FENCE);
  // CHECK-NEXT: {{.*}}remarks.cl:[[@LINE+2]]:9: remark: row store
  // CHECK-NEXT: {{.*}}remarks.cl:[[@LINE+1]]:11: remark: {{gather|load}} of 4 bytes a work-item
  a[ID] = l[get_local_size(0) - 1 - get_local_id(0)] + x;
}

kernel void atomics(global int *a, global int *b) {
  // CHECK-NEXT: {{.*}}remarks.cl:[[@LINE+2]]:3: remark: atomic: it runs for one work-item after another
  // CHECK-NEXT: {{.*}}remarks.cl:[[@LINE+1]]:17: remark: row load
  atomic_inc(&a[b[ID] & 15]);
}

__attribute__((noinline)) int far(int x, global int *a) {
  for (int i = 0; i < x; ++i) x ^= a[i];
  return x;
}
kernel void calls(global int *a) {
  // CHECK-NEXT: {{.*}}remarks.cl:[[@LINE+3]]:9: remark: row store
  // CHECK-NEXT: {{.*}}remarks.cl:[[@LINE+2]]:11: remark: call of a function that is not inlined: it runs for one work-item after another
  // CHECK-NEXT: {{.*}}remarks.cl:[[@LINE+1]]:15: remark: row load
  a[ID] = far(a[ID], a);
}

kernel void leaves(global int *a, global int *b) {
  int x = a[ID], i = 0;
  // The loop is left in its middle: stores on both sides keep the compiler from moving the test.
  for (;; ++i) {
    b[ID] = i;
    if (x < i * i) break;
    a[ID] = x - i;
  }
}
// CHECK-NOT: divergent branch
// CHECK: remark: divergent loop: it runs until the last work-item of the sub-group leaves it, under a mask
// CHECK-NOT: divergent branch
