// The loops of pipe functions do not wait for other work-items, although they read memory until it changes. Kernels with them
// are no coroutines, unlike kernels that poll.
// RUN: %upsweepc -cl-std=CL3.0 --emit=asm -o - %s | FileCheck %s --implicit-check-not=.resume

// CHECK: reserves.entry:
kernel void reserves(write_only pipe int out, read_only pipe int in, global int *got) {
  const reserve_id_t one = reserve_write_pipe(out, 3), all = sub_group_reserve_read_pipe(in, get_sub_group_size());
  if (is_valid_reserve_id(one)) commit_write_pipe(out, one);
  if (is_valid_reserve_id(all)) sub_group_commit_read_pipe(in, all);
  write_pipe(out, got);
  read_pipe(in, got);
}
