// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sections 1.7 and 1.13.16: pipes.

//: builds -cl-std=CL2.0 | -cl-std=CL3.0
typedef struct {
  float4 colour;
  char kind;
} shape;
int pass(read_only pipe shape p, shape *s) { return read_pipe(p, s); }
kernel void f(read_only pipe shape p, __write_only pipe float4 q, pipe int r, global int *o, local int *l) {
  shape s;
  if (pass(p, &s) == 0) write_pipe(q, &s.colour);
  reserve_id_t id = work_group_reserve_read_pipe(r, 4), other = CLK_NULL_RESERVE_ID;
  if (is_valid_reserve_id(id) && !is_valid_reserve_id(other)) read_pipe(r, id, 2, o);
  work_group_commit_read_pipe(r, id);
  other = reserve_write_pipe(q, 1);
  commit_write_pipe(q, other);
  read_pipe(r, l);
  o[0] = get_pipe_num_packets(q) + get_pipe_max_packets(p);
}
// Arrays decay to pointers to their first elements here, too.
typedef int row_t[4];
typedef struct {
  int packets[3];
} box_t;
kernel void g(read_only pipe int p, write_only pipe int q, local int *o, global box_t *boxes) {
  local int shared[4];
  int own[4];
  row_t rows[2];
  const int ready[1] = {7};
  read_pipe(p, own);
  read_pipe(p, rows[1]);
  read_pipe(p, shared);
  read_pipe(p, boxes->packets);
  read_pipe(p, (own));
  write_pipe(q, ready);
  reserve_id_t id = reserve_write_pipe(q, 1);
  write_pipe(q, id, 0, own);
  commit_write_pipe(q, id);
  o[0] = own[0] + rows[1][0];
}
//: builds -cl-std=CLC++2021
template <typename T, int N>
int one(read_only pipe int p) {
  T packets[N];
  return read_pipe(p, packets) == 0 ? packets[0] : 0;
}
kernel void f(read_only pipe int p, global int *o) { o[0] = one<int, 2>(p); }
//: builds -cl-std=CL1.0 | -cl-std=CL1.2
kernel void f(global int *pipe) { pipe[0] = 1; }
kernel void g(global int *a, int pipe) { a[0] = pipe; }
//: builds -cl-std=CL3.0
#ifndef __opencl_c_pipes
#error "no pipes"
#endif

//: refused "access qualifier 'read_write' can not be used for 'read_only pipe int'"
kernel void f(read_write pipe int p) {}
//: refused "invalid pipe access modifier"
kernel void f(read_only pipe int p, global int *o) { write_pipe(p, o); }
//: refused "invalid pipe access modifier"
kernel void f(write_only pipe int p, global int *o) { read_pipe(p, o); }
//: refused "invalid argument type to function 'read_pipe'"
kernel void f(read_only pipe int p, global float *o) { read_pipe(p, o); }
//: refused "invalid argument type to function 'read_pipe'"
kernel void f(read_only pipe int p) {
  float wrong[2];
  read_pipe(p, wrong);
}
//: refused "invalid argument type to function 'read_pipe'"
kernel void f(read_only pipe int p) {
  int rows[2][2];
  read_pipe(p, rows);
}
//: refused "type '__private read_only pipe int' can only be used as a function parameter in OpenCL"
kernel void f() { read_only pipe int p; }
//: refused "pipe"
struct s {
  read_only pipe int p;
};
//: refused "pipe"
global pipe int p;
//: refused "pipe"
kernel void f(read_only pipe int *p) {}
// Clang turns an array parameter into a pipe of arrays, which does no harm.
//: refused "pipe"
pipe int f(void);
//: refused "invalid operands"
kernel void f(read_only pipe int p, global int *o) { o[0] = p + 1; }
