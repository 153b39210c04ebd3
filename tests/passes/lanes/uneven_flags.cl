// Flags of a barrier that differ between work-items are an error of the program; the compiler takes the flags of one lane.
// clang-format off
// RUN: %upsweepc -cl-std=CL3.0 --cpu=x86-64-v3 -o /dev/null %s
// RUN: %upsweepc -cl-std=CL3.0 --cpu=x86-64-v3 --check=all -o /dev/null %s
kernel void uneven(local int *p, global int *out) {
  volatile uint flags = get_local_id(0) == 0 ? 0 : CLK_LOCAL_MEM_FENCE;
  p[get_local_id(0)] = 1;
  barrier(flags);
  out[get_global_id(0)] = p[get_local_id(0) ^ 1];
}
