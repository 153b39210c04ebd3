// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Assertions as SYCL's compiler makes them, in divergent code and behind a barrier. SYCL's strings are generic pointers, which
// OpenCL C allows for no constant.
void __devicelib_assert_fail(const char *expression, const char *file, int line, const char *function, ulong g0, ulong g1,
                             ulong g2, ulong l0, ulong l1, ulong l2);
#define TEXT(text) ((const char *)(ulong)(text))

void check(bool holds) {
  if (!holds)
    __devicelib_assert_fail(TEXT("x < limit"), TEXT("here.cpp"), 12, TEXT("check"), get_global_id(0), get_global_id(1),
                            get_global_id(2), get_local_id(0), get_local_id(1), get_local_id(2));
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
