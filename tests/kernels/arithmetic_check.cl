// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels with and without undefined arithmetic, a case each. `a` and `b` are the operands of work-item 5; the others have 1
// and 1.
#define HERE get_global_id(0)

kernel void NAME(global int *out, int a, int b, float f, double d) {
  const bool is_special = HERE == 5;
  const int x = is_special ? a : 1, y = is_special ? b : 1;
  const float g = is_special ? f : 1;
  int result = 0;
#if defined(ADD)
  result = x + y;
#elif defined(SUBTRACT)
  result = x - y;
#elif defined(MULTIPLY)
  result = x * y;
#elif defined(NEGATE)
  result = -x;
#elif defined(DIVIDE)
  result = x / y;
#elif defined(REMAINDER)
  result = x % y;
#elif defined(DIVIDE_UNSIGNED)
  result = (uint)x / (uint)y;
#elif defined(DIVIDE_LONG)
  const long w = is_special ? LONG_MIN : 1, v = y;
  result = (int)(w / v);
#elif defined(DIVIDE_VECTOR)
  result = ((int4)(9, 8, x, 7) / (int4)(1, 2, y, 4)).z;
#elif defined(SHIFT)
  result = x << y;
#elif defined(SHIFT_UNSIGNED)
  result = (uint)x >> y;
#elif defined(CONVERT)
  result = (int)g;
#elif defined(CONVERT_UNSIGNED)
  result = (int)(uint)g;
#elif defined(CONVERT_CHAR)
  result = (char)g;
#elif defined(CONVERT_CALL)
  result = convert_int(g);
#elif defined(CONVERT_SATURATED)  // correct
  result = convert_int_sat(g);
#elif defined(CONVERT_DOUBLE)
  result = (int)(is_special ? d : 1);
#elif defined(ADD_UNSIGNED)  // correct
  result = (int)((uint)x + (uint)y);
#elif defined(IN_LIBRARY)    // correct: the library may wrap
  result = (int)abs(x) + (int)(mul_hi(x, y) & 1) + (int)(hadd(x, y) & 1) + (int)(rotate(x, y) & 1) + (int)(add_sat(x, y) & 1);
#elif defined(GUARDED)       // correct: the division of work-item 5 is not reached
  if (y != 0) result = x / y;
#endif
  out[HERE] = result;
}
