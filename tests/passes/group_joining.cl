// Kernels that permit neighbouring work-groups to run as one: the last field of a kernel's record.
// RUN: %upsweepc -cl-std=CL3.0 --cpu=x86-64-v3 --emit=llvm -o - %s | FileCheck %s
// RUN: %upsweepc --lanes=scalar -cl-std=CL3.0 --cpu=x86-64-v3 --emit=llvm -o - %s | FileCheck %s --check-prefix=SCALAR

// 2: in rows, for a kernel without loops whose lanes are contiguous.
// CHECK:       ptr @rows.entry, {{[^}]*}}, i32 2, i32 {{[01]}}, i32 0 }
// SCALAR:      ptr @rows.entry, {{[^}]*}}, i32 1, i32 {{[01]}}, i32 0 }
bool on_border(uint x, uint width) { return x == 0 || x == width - 1; }
kernel void rows(global const float *in, global float *out) {
  uint x = get_global_id(0), width = get_global_size(0), i = get_global_id(1) * width + x;
  out[i] = on_border(x, width) ? in[i] : in[i - 1] + in[i + 1] + in[i - width];
}

// 1: only in lines, since another order would evict cache lines that a tile reads again.
// CHECK-SAME:  ptr @turns.entry, {{[^}]*}}, i32 1, i32 {{[01]}}, i32 0 }
// SCALAR-SAME: ptr @turns.entry, {{[^}]*}}, i32 1, i32 {{[01]}}, i32 0 }
kernel void turns(global const float *in, global float *out) {
  out[get_global_id(0) * get_global_size(1) + get_global_id(1)] = in[get_global_linear_id()];
}

// CHECK-SAME:  ptr @loops.entry, {{[^}]*}}, i32 1, i32 {{[01]}}, i32 0 }
// SCALAR-SAME: ptr @loops.entry, {{[^}]*}}, i32 1, i32 {{[01]}}, i32 0 }
kernel void loops(global const float *in, global float *out, uint n) {
  float sum = 0;
  for (uint i = 0; i < n; ++i) sum += in[i * get_global_size(0) + get_global_id(0)];
  out[get_global_id(0)] = sum;
}

// 0: not permitted, since the kernel can observe it.
// CHECK-SAME:  ptr @asks_in_group.entry, {{[^}]*}}, i32 0, i32 {{[01]}}, i32 0 }
// SCALAR-SAME: ptr @asks_in_group.entry, {{[^}]*}}, i32 0, i32 {{[01]}}, i32 0 }
size_t place(void) { return get_group_id(0) * get_local_size(0) + get_local_id(0); }
kernel void asks_in_group(global int *out) { out[get_global_id(0)] = place(); }

// CHECK-SAME:  ptr @has_memory.entry, {{[^}]*}}, i32 0, i32 {{[01]}}, i32 0 }
// SCALAR-SAME: ptr @has_memory.entry, {{[^}]*}}, i32 0, i32 {{[01]}}, i32 0 }
kernel void has_memory(global int *out) {
  local int sum;
  sum = 0;
  atomic_add(&sum, 1);
  out[get_global_id(0)] = sum;
}

// CHECK-SAME:  ptr @is_given_memory.entry, {{[^}]*}}, i32 0, i32 {{[01]}}, i32 0 }
// SCALAR-SAME: ptr @is_given_memory.entry, {{[^}]*}}, i32 0, i32 {{[01]}}, i32 0 }
kernel void is_given_memory(global int *out, local int *memory) { out[get_global_id(0)] = memory[0]++; }

// CHECK-SAME:  ptr @meets.entry, {{[^}]*}}, i32 0, i32 {{[01]}}, i32 0 }
// SCALAR-SAME: ptr @meets.entry, {{[^}]*}}, i32 0, i32 {{[01]}}, i32 0 }
kernel void meets(global int *out) {
  out[get_global_id(0)] = 1;
  barrier(CLK_GLOBAL_MEM_FENCE);
}

// CHECK-SAME:  ptr @adds_up.entry, {{[^}]*}}, i32 0, i32 {{[01]}}, i32 0 }
// SCALAR-SAME: ptr @adds_up.entry, {{[^}]*}}, i32 0, i32 {{[01]}}, i32 0 }
kernel void adds_up(global int *out) { out[get_global_id(0)] = work_group_reduce_add(1); }

// CHECK-SAME:  ptr @waits.entry, {{[^}]*}}, i32 0, i32 {{[01]}}, i32 0 }
// SCALAR-SAME: ptr @waits.entry, {{[^}]*}}, i32 0, i32 {{[01]}}, i32 0 }
kernel void waits(global atomic_int *flag) {
  while (atomic_load_explicit(flag, memory_order_acquire, memory_scope_device) == 0) {
  }
}
