// clang-format off
// Lines of the source in PTX. They change no instruction, and there is no DWARF, which would turn NVIDIA's optimiser off.
// RUN: %upsweepc -cl-std=CL3.0 --target=cuda --cpu=sm_90 --verify -gline-tables-only -o %t.lines %s
// RUN: FileCheck %s < %t.lines
// RUN: %upsweepc -cl-std=CL3.0 --target=cuda --cpu=sm_90 --verify -g -o - %s | FileCheck %s
// RUN: %upsweepc -cl-std=CL3.0 --target=cuda --cpu=sm_90 -o %t.plain %s
// RUN: grep -v -e '[.]loc\>' -e '[.]file' -e '[.]debug_loc' -e '^[$]L__tmp' -e '^[$]L__func' %t.lines > %t.stripped
// RUN: diff %t.plain %t.stripped

// CHECK:     .target sm_90{{$}}
// CHECK:     .entry add(
// CHECK:     .loc [[FILE:[0-9]+]] [[#@LINE+6]]
// CHECK:     .loc [[FILE]] [[#@LINE+9]]
// CHECK-NOT: .debug_info
// CHECK:     .file [[FILE]] "{{.*}}gpu_lines.cl"
// CHECK-NOT: .debug_info

int twice(global const int *in, size_t i) { return in[i] * 2; }

kernel void add(global const int *in, global int *out) {
  size_t i = get_global_id(0);
  out[i] = twice(in, i) + 1;
  if (out[i] == 7) printf("%d\n", out[i]);
}
