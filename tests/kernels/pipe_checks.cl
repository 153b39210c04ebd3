// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels of initialisation_test.cpp: packets of a reservation, of which one may be left out.
#ifndef NAME_OF
#define NAME_OF(name) name
#endif

kernel void NAME_OF(write_packets)(global int *out, write_only pipe int p, int written) {
  reserve_id_t id = reserve_write_pipe(p, 4);
  for (int i = 0; i < written; ++i) write_pipe(p, id, i, &i);
  commit_write_pipe(p, id);
}

kernel void NAME_OF(read_packets)(global int *out, read_only pipe int p, int written) {
  int value;
  for (int i = 0; i < 4; ++i)
    if (read_pipe(p, &value) == 0 && value > 2) out[0] = value;
}
