// The loops of pipes' functions wait for nobody, though they look at memory until it changes: kernels with them are
// no coroutines, as those that poll are.
// RUN: %upsweepc -cl-std=CL3.0 --emit=asm -o - %s | FileCheck %s --implicit-check-not=.resume

// CHECK: reserves.entry:
kernel void reserves(write_only pipe int out, read_only pipe int in, global int *got) {
  const reserve_id_t one = reserve_write_pipe(out, 3), all = sub_group_reserve_read_pipe(in, get_sub_group_size());
  if (is_valid_reserve_id(one)) commit_write_pipe(out, one);
  if (is_valid_reserve_id(all)) sub_group_commit_read_pipe(in, all);
  write_pipe(out, got);
  read_pipe(in, got);
}
