// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Section 1.2: implicit and explicit conversions, and illegal conversions.
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL EXTENSION cl_khr_fp16 : enable

//: runs
TEST {
  // Implicit, between scalars.
  char c = (char)(300 * one);
  float f = 7 * one;
  int i = 2.9f * one;
  uint u = -one;
  half h = (half)1.5f;
  double d = f / 2;
  CHECK(c == 44 && f == 7.0f && i == 2 && u == 0xffffffffu && h * 2 == 3 && d == 3.5);
  // A scalar is converted to the vector's element type on either side of an operator.
  int4 v = (int4)(1, 2, 3, 4) * (2 * one);
  float4 w = 1 + (float4)(one);
  uchar4 b = (uchar4)(250) + (uchar)10;
  CHECK(v.w == 8 && w.z == 2 && b.x == 4);
  v += 1;
  w = 3 * one;
  CHECK(v.x == 3 && w.w == 3 && all(w == 3.0f));
  // Explicit.
  float4 spread = (float4)1;
  CHECK(spread.s3 == 1 && ((bool)(one * 8)) == 1 && (int)-1.9f == -1 && (uchar)(one + 255) == 0);
  int4 yes = (int4)(one == 1);
  CHECK(((int4)(true)).y == 1 || ((int4)(true)).y == -1);
  CHECK(yes.x != 0);
}

//: runs
TEST {
  CHECK(convert_uchar_sat(300.0f * one) == 255 && convert_uchar_sat(-one) == 0 && convert_char_sat(-200 * one) == -128);
  CHECK(convert_int_rte(2.5f * one) == 2 && convert_int_rte(3.5f) == 4 && convert_int_rtz(-2.7f * one) == -2);
  CHECK(convert_int_rtp(2.1f * one) == 3 && convert_int_rtn(-2.1f * one) == -3 && convert_int(2.9f * one) == 2);
  CHECK(convert_float_rtz(16777217 * one) == 16777216.0f && convert_float_rtp(16777217 * one) == 16777218.0f);
  CHECK(convert_uint_sat(-1.0f * one) == 0 && convert_int_sat(NAN) == 0 && convert_int_sat(INFINITY) == INT_MAX);
  CHECK(all(convert_int4_sat_rte((float4)(1.5f, -2.5f, 3e20f, -3e20f)) == (int4)(2, -2, INT_MAX, INT_MIN)));
  CHECK(convert_uchar3((int3)(one + 256, 2, -1)).z == 255 && convert_float16((uchar16)(7)).sf == 7);
  CHECK(convert_long_sat(1e30 * one) == LONG_MAX && convert_ulong_sat_rtp(0.5 * one) == 1 &&
        convert_double2((int2)(one, 2)).y == 2);
  CHECK(convert_half(65536.0f * one) == INFINITY && convert_half_rtz(65535.0f * one) == HALF_MAX &&
        convert_short_sat_rtn((half)-1.5f) == -2);
}

// 1.2.1.1: the usual arithmetic conversions of scalars.
//: runs
TEST {
  char a = 100;
  char b = 100;
  ushort s = 65535;
  CHECK(a + b == 200 && sizeof(a + b) == 4 && sizeof(a + 1L) == 8 && sizeof(a * 1.0f) == 4 && sizeof(1.0f * 1.0) == 8);
  CHECK((s * one) == 65535 && (-one < 1u) == 0 && ((short)-1 < s) == 1 && (one ? -1 : 1u) > 0);
}

//: refused "vector"
kernel void f(global float4 *a, global int4 *b) { a[0] = b[0]; }
//: refused "vector"
kernel void f(global float4 *a, global int4 *b) { a[0] = (float4)b[0]; }
//: refused "vector"
kernel void f(global int4 *a, global uint4 *b) { a[0] = b[0]; }
//: refused "vector"
kernel void f(global int4 *a, global int2 *b) { a[0] = (int4)b[0]; }
//: refused "vector"
kernel void f(global int4 *a, global char4 *b) { a[0] = a[0] + b[0]; }
//: refused "from incompatible type '__global int4'"
kernel void f(global int *a, global int4 *b) { a[0] = b[0]; }
//: refused "invalid conversion between vector type 'int4'"
kernel void f(global int *a, global int4 *b) { a[0] = (int)b[0]; }
//: refused "scalar operand type has greater rank"
kernel void f(global char4 *a, int b) { a[0] = a[0] + b; }
//: refused "scalar operand type has greater rank"
kernel void f(global float4 *a, double b) { a[0] = a[0] * b; }
//: refused "call to 'convert_int4' is ambiguous"
kernel void f(global int *a) { a[0] = convert_int4(a[1]); }
//: refused "no matching function for call to 'convert_int4'"
kernel void f(global int4 *a, global int2 *b) { a[0] = convert_int4(b[0]); }
//: refused "use of undeclared identifier 'convert_int_rtq'"
kernel void f(global int *a, global int *b) { a[0] = convert_int_rtq(b[0]); }
//: refused "pointer"
kernel void f(global int *a, global float *b) { b[0] = (float)a; }
//: refused "where arithmetic or pointer type is required"
struct s {
  int i;
};
kernel void f(global int *a, struct s s) { a[0] = (int)s; }
//: refused "implicit conversions between vector types"
kernel void f(global int *a) {
  int4 v = {1, 2, 3, 4};
  float4 w = as_float4(v) + v;
}
//: refused "reference to overloaded function could not be resolved"
kernel void f(global ushort *a) { a[0] = as_ushort(mad)(a[1], a[2], a[3]); }
//: refused "as_type() converts numbers, vectors and pointers, not 'struct s'"
struct s;
kernel void f(global int *a) { a[0] = as_int(*(global struct s *)a); }
//: refused "as_type() converts numbers, vectors and pointers, not 'struct s'"
struct s;
kernel void f(global int *a) { __builtin_astype(a[0], struct s); }
//: refused "as_type() converts numbers, vectors and pointers, not"
struct s {
  int i;
};
kernel void f(global int *a, struct s b) { a[0] = as_int(b); }
//: refused "as_type() converts numbers, vectors and pointers, not '__private int[1]'"
kernel void f(global int *a) {
  int list[1] = {2};
  a[0] = as_int(list);
}
//: refused "invalid reinterpretation: sizes of 'int' and"
kernel void f(global int *a, float2 b) { a[0] = as_int(b); }
