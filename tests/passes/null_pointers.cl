// Null pointers to local memory: sm_80 and newer have no variable at address 0, so that it can stand for null. Before, a variable
// may be there: an address is not compared with 0.
// RUN: %upsweepc -cl-std=CL3.0 --target=cuda --cpu=sm_80 -o - %s | FileCheck %s --check-prefix=NULL
// RUN: %upsweepc -cl-std=CL3.0 --target=cuda --cpu=sm_75 -o - %s | FileCheck %s --check-prefix=ZERO

// NULL:       .entry keeps(
// NULL:       setp.{{eq|ne}}.s64
// ZERO:       .entry keeps(
// ZERO-NOT:   setp
kernel void keeps(global int *out, local int *tile) {
  int *anywhere = tile;
  out[get_global_id(0)] = *(volatile int *)anywhere;
}

// Functions that take pairs of bytes are inlined for every GPU: LLVM takes such parameters for pairs of shorts.
// NULL-NOT:   .func
// ZERO-NOT:   .func
__attribute__((noinline)) char2 twice(char2 x) { return x + x; }
kernel void pairs(global char2 *out) { out[get_global_id(0)] = twice(out[get_global_id(0)]); }
