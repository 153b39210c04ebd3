// Code for a required work-group size. A single work-item needs no masks and no lanes, and LLVM vectorises its loops.
// RUN: %upsweepc -cl-std=CL3.0 --cpu=x86-64-v3 --emit=llvm -o - %s | FileCheck %s
// RUN: %upsweepc -cl-std=CL3.0 --cpu=x86-64-v4 --emit=llvm -o - %s | FileCheck %s
// RUN: %upsweepc -cl-std=CL3.0 --cpu=x86-64-v4 -cl-opt-disable --emit=llvm -o - %s | FileCheck %s --check-prefix=PLAIN
// RUN: %upsweepc -cl-std=CL3.0 --cpu=x86-64-v3 -cl-uniform-work-group-size --emit=llvm -o - %s | \
// RUN:   FileCheck %s --check-prefix=UNIFORM
#define SIZED(x, y) kernel __attribute__((reqd_work_group_size(x, y, 1))) void

// CHECK-LABEL: define internal void @histogram.entry(
// CHECK-NOT:   {{masked|<[0-9]+ x i1>|<[0-9]+ x ptr>}}
// CHECK:       call void @llvm.memset
// CHECK-NOT:   {{masked|<[0-9]+ x i1>|<[0-9]+ x ptr>}}
// CHECK:       {{^}}}
// PLAIN-LABEL: define internal void @histogram.entry(
// PLAIN-NOT:   {{masked|<[0-9]+ x }}
// PLAIN:       {{^}}}
SIZED(1, 1) histogram(global const uchar *in, global uint *out, ulong n) {
  local uint table[256];
  for (uint b = get_local_id(0); b < 256; b += get_local_size(0)) table[b] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (ulong i = get_group_id(0) * n + get_local_id(0); i < n; i += get_local_size(0)) atomic_inc(&table[in[i]]);
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint b = get_local_id(0); b < 256; b += get_local_size(0)) atomic_add(&out[b], table[b]);
}

// The collective is its operand.
// CHECK-LABEL: define internal void @sum.entry(
// CHECK-NOT:   {{masked|<[0-9]+ x i1>|<[0-9]+ x ptr>}}
// CHECK:       add <{{8|16}} x i32>
// CHECK-NOT:   {{masked|<[0-9]+ x i1>|<[0-9]+ x ptr>}}
// CHECK:       {{^}}}
SIZED(1, 1) sum(global const uint *in, global uint *out, uint n) {
  const size_t begin = get_group_id(0) * (size_t)n;
  uint total = 0;
  for (uint i = get_local_id(0); i < n; i += get_local_size(0)) total += in[begin + i];
  total = work_group_reduce_add(total);
  if (get_local_linear_id() == 0) out[get_group_id(0)] = total;
}

// Work-groups of one work-item become lanes.
// CHECK-LABEL: define internal void @joined.entry(
// CHECK:       fmul <{{8|16}} x float>
SIZED(1, 1) joined(global float *x) { x[get_global_id(0)] *= 2; }

// As many lanes as work-items. All lanes are active, and the sub-group's size is a constant.
// UNIFORM-LABEL: define internal void @of_four.entry(
// UNIFORM-NOT:   {{masked|<8 x i32>|br i1}}
// UNIFORM:       store i32 4,
// UNIFORM:       {{^}}}
SIZED(4, 1) of_four(global int *out) {
  local int values[4];
  const int item = (int)get_local_id(0);
  values[item] = out[get_group_id(0) * 4 + item];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_group_id(0) * 4 + item] = values[3 - item] * 3;
  if (item < 4) out[get_num_groups(0) * 4] = (int)get_local_size(0);
}
