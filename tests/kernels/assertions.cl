// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Assertions as SYCL's compiler makes them, in divergent code and behind a barrier.
void __devicelib_assert_fail(constant char *expression, constant char *file, int line, constant char *function, ulong g0,
                             ulong g1, ulong g2, ulong l0, ulong l1, ulong l2);

void check(bool holds) {
  if (!holds)
    __devicelib_assert_fail("x < limit", "here.cpp", 12, "check", get_global_id(0), get_global_id(1), get_global_id(2),
                            get_local_id(0), get_local_id(1), get_local_id(2));
}

kernel void assertions(global int *out, int limit) {
  local int last;
  const int x = get_global_id(1) * get_global_size(0) + get_global_id(0);
  check(x < limit);
  if (get_local_id(0) == 0) last = x;
  barrier(CLK_LOCAL_MEM_FENCE);
  check(last <= x);
  out[x] = 2 * x;
}
