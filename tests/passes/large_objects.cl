// A 32-bit index may wrap between two lanes if a memory object is large enough. The size depends on the elements. Smaller
// objects get contiguous accesses without a test, and indices that cannot wrap need no other code.
// RUN: %upsweepc -cl-std=CL3.0 --cpu=x86-64-v3 --emit=llvm -o - %s | FileCheck %s

// 2^32 and 2^34 bytes, less 64 MiB.
// CHECK:      { ptr @bytes.entry, ptr @bytes.large, i64 4227858432, i64 0
// CHECK-SAME: { ptr @words.entry, ptr @words.large, i64 17112760320, i64 0
// CHECK-SAME: { ptr @wide_index.entry, ptr @wide_index.entry, i64 -1, i64 0
// CHECK-SAME: { ptr @local_index.entry, ptr @local_index.entry, i64 -1, i64 0
// CHECK-SAME: { ptr @behind_barrier.entry, ptr @behind_barrier.large, i64 4227858432, i64 {{[1-9]}}

// CHECK-LABEL: define internal void @bytes.lane(
// CHECK:       store i8
// CHECK-LABEL: define internal void @bytes.entry(
// CHECK:       store <8 x i8>
// CHECK-LABEL: define internal void @bytes.large(
// CHECK:       call void @bytes.lane(
// CHECK:       {{^}}}
kernel void bytes(global uchar *out) {
  uint i = get_global_id(0) - 8;
  out[i] = (uchar)i;
}

// CHECK-LABEL: define internal void @words.entry(
// CHECK:       {{^}}unit:
// CHECK:       load <8 x float>
// CHECK-NOT:   br
// CHECK:       store <8 x float>
// CHECK-NOT:   load
// CHECK:       br i1 %{{.*}}, label %unit{{$}}
kernel void words(global const float *in, global float *out) {
  int i = get_global_id(0);
  out[i] = in[i];
}

kernel void wide_index(global uchar *out) {
  size_t i = get_global_id(0);
  out[i] = 1;
}

kernel void local_index(global uchar *out) {
  int i = get_local_id(0);
  out[i] = 1;
}

kernel void behind_barrier(global uchar *out) {
  uint i = get_global_id(0) - 8;
  out[i] = 1;
  barrier(CLK_GLOBAL_MEM_FENCE);
  out[i]++;
}
