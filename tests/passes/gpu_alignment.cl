// Dynamic local memory has the alignment of its most aligned variable or argument.
// RUN: %upsweepc -cl-std=CL3.0 --target=cuda --cpu=sm_80 -o - %s | FileCheck %s

// CHECK-DAG: .extern .shared .align 512 .b8 upsweep_dynamic_local[];
// CHECK-DAG: .shared .align 256 .b8 few_{{[^ ]*}}declared{{[^ ]*}}[16]

typedef struct {
  char tag;
  int value __attribute__((aligned(512)));
} Apart;

kernel void few_declared(global int *out, local Apart *tile) {
  local int declared[4] __attribute__((aligned(256)));
  declared[out[0] & 3] = tile[0].value = out[1];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[0] = declared[out[2] & 3] + tile[out[3]].value;
}
