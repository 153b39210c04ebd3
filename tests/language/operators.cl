// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Section 1.3: every operator on every class of types.
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#define EACH_INTEGER(X) X(char) X(uchar) X(short) X(ushort) X(int) X(uint) X(long) X(ulong)
#define EACH_SIGNED(X) X(char) X(short) X(int) X(long)
#define EACH_FLOAT(X) X(half) X(float) X(double)
#define EACH_WIDTH(X, type) X(type, 2) X(type, 3) X(type, 4) X(type, 8) X(type, 16)

//: runs
// Components 0 and 1 of different operands suffice to tell operators apart.
#define INTEGER(type)                                                                                                          \
  {                                                                                                                            \
    type a = (type)(13 * one), b = (type)(5 * one), c;                                                                         \
    CHECK((type)(a + b) == 18 && (type)(a - b) == 8 && (type)(a * b) == 65 && a / b == 2 && a % b == 3);                       \
    CHECK((a & b) == 5 && (a | b) == 13 && (a ^ b) == 8 && (type)(~a) == (type) - 14 && (type)(a << 2) == 52 && a >> 2 == 3);  \
    CHECK((a < b) == 0 && (a > b) == 1 && (a <= b) == 0 && (a >= b) == 1 && (a == b) == 0 && (a != b) == 1);                   \
    CHECK((a && zero) == 0 && (a || zero) == 1 && !a == 0 && (zero ? a : b) == 5 && (type) - a == (type) - 13 && +a == 13);    \
    c = a++;                                                                                                                   \
    CHECK(c == 13 && a == 14 && ++a == 15 && a-- == 15 && --a == 13);                                                          \
    c = a, c += b, c -= 1, c *= 2, c /= 3, c %= 8, c <<= 2, c >>= 1, c |= 32, c ^= 1, c &= 45;                                 \
    CHECK(c == 37);                                                                                                            \
    CHECK(sizeof a == sizeof(type) && sizeof(a) == sizeof(type) && *&a == 13 && (b, a) == 13);                                 \
  }
TEST{EACH_INTEGER(INTEGER)}

//: runs
#define VECTOR(type, n)                                                                                                        \
  {                                                                                                                            \
    type##n a = (type)(13 * one), b = (type)(5 * one);                                                                         \
    a.s1 = 4, b.s1 = 6;                                                                                                        \
    CHECK((a + b).s0 == 18 && (a + b).s1 == 10 && (a * b).s1 == 24 && (a / b).s0 == 2 && (a % b).s0 == 3 && (a % b).s1 == 4);  \
    CHECK((a - b).s0 == 8 && (a - b).s1 == (type) - 2 && (a & b).s1 == 4 && (a | b).s1 == 6 && (a ^ b).s0 == 8);               \
    CHECK((~a).s1 == (type)~4 && (a << b).s1 == (type)(4 << 6) && (a >> (type##n)(1)).s0 == 6 && (a << (type)1).s1 == 8);      \
    CHECK((a < b).s0 == 0 && (a < b).s1 == -1 && (a > b).s0 == -1 && (a <= b).s1 == -1 && (a >= b).s1 == 0);                   \
    CHECK((a == b).s0 == 0 && (a != b).s0 == -1 && (a == a).s1 == -1 && (!a).s0 == 0 && (a && b).s1 == -1 &&                   \
          (a || b).s0 == -1);                                                                                                  \
    CHECK((-a).s0 == (type) - 13 && (+a).s1 == 4 && (a++).s0 == 13 && a.s0 == 14 && (--a).s1 == 4 && (a + (type)1).s1 == 5);   \
    CHECK((a < b ? a : b).s0 == 5 && (a < b ? a : b).s1 == 4 && (one ? a : b).s0 == 13 && sizeof(a < b) == sizeof(a));         \
    type##n c = a;                                                                                                             \
    c += b, c -= (type)1, c *= a, c ^= b, c |= (type)1, c <<= (type)1;                                                         \
    CHECK(c.s1 == (type)(((((4 + 6 - 1) * 4) ^ 6) | 1) << 1));                                                                 \
  }
#define VECTORS(type) EACH_WIDTH(VECTOR, type)
TEST{EACH_INTEGER(VECTORS)}

//: runs -cl-std=CL3.0 -Wno-float-increment
#define FLOATING(type)                                                                                                         \
  {                                                                                                                            \
    type a = (type)(6.5f * one), b = (type)2, c = a;                                                                           \
    CHECK(a + b == (type)8.5f && a - b == (type)4.5f && a * b == 13 && a / b == (type)3.25f && -a == (type) - 6.5f &&          \
          +a == a);                                                                                                            \
    CHECK((a < b) == 0 && (a > b) == 1 && (a <= a) == 1 && (a >= b) == 1 && (a == b) == 0 && (a != b) == 1);                   \
    CHECK((a && b) == 1 && (a || 0) == 1 && !a == 0 && (one ? a : b) == a && a++ == c && --a == c);                            \
    c += b, c -= 1, c *= 2, c /= 5;                                                                                            \
    CHECK(c == 3 && sizeof(a < b) == 4);                                                                                       \
    type nan = (type)0 / (type)zero;                                                                                           \
    CHECK(nan != nan && !(nan == nan) && !(nan < a) && !(nan >= a));                                                           \
  }
#define FLOATING_VECTOR(type, n)                                                                                               \
  {                                                                                                                            \
    type##n a = (type)(6.5f * one), b = (type)2;                                                                               \
    a.s1 = 1;                                                                                                                  \
    CHECK((a + b).s1 == 3 && (a - b).s0 == (type)4.5f && (a * b).s0 == 13 && (a / b).s1 == (type)0.5f && (-a).s1 == -1);       \
    CHECK((a < b).s0 == 0 && (a < b).s1 == -1 && (a == a).s0 == -1 && (a != a).s0 == 0 && (a >= b).s0 == -1);                  \
    CHECK((a < b ? a : b).s0 == 2 && (a < b ? a : b).s1 == 1 && sizeof(a < b) == sizeof(a) && (a * (type)2).s1 == 2);          \
    a /= b;                                                                                                                    \
    CHECK(a.s1 == (type)0.5f && (a += (type)1).s1 == (type)1.5f);                                                              \
  }
#define FLOATING_VECTORS(type) EACH_WIDTH(FLOATING_VECTOR, type)
TEST{EACH_FLOAT(FLOATING) EACH_FLOAT(FLOATING_VECTORS)}

//: runs
// 1.3 (shift): counts are taken modulo the bits of the left operand. Division truncates.
#define NEGATIVE(type)                                                                                                         \
  {                                                                                                                            \
    type a = (type)(-7 * one), b = (type)2;                                                                                    \
    CHECK(a / b == -3 && a % b == -1 && a >> 1 == -4 && (type)(-a) == 7);                                                      \
    type##2 v = a;                                                                                                             \
    CHECK((v / b).s1 == -3 && (v % b).s0 == -1 && (v >> (type)1).s1 == -4);                                                    \
  }
TEST {
  EACH_SIGNED(NEGATIVE)
  CHECK(one << (32 + zero) == 1 && one << (33 * one) == 2 && (1L * one) << 65 == 2 && 8u >> (34 * one) == 2);
  CHECK(((char2)(1) << (char2)((char)(9 * one))).s0 == 2 && ((short4)(1) << (short4)(17)).s3 == 2 && (char)(one << 9) == 0);
  // An operand that is not evaluated has no effect.
  int n = 0;
  CHECK((zero && ++n) == 0 && (one || ++n) == 1 && n == 0 && (one ? 5 : ++n) == 5 && n == 0 && sizeof(++n) == 4 && n == 0);
  // Both operands are evaluated for vectors.
  int2 t = (int2)(zero) && (int2)(++n);
  CHECK(n == 1 && t.x == 0);
  int array[4] = {1, 2, 3, 4}, *p = array + one;
  CHECK(*p == 2 && p[1] == 3 && p - array == 1 && *++p == 3 && *(p++) == 3 && p == &array[3] && p > array && !(p == 0) &&
        2 [array] == 3);
  struct {
    int a;
    struct {
      int4 v;
    } b;
  } s = {1, {(int4)(5)}}, *q = &s;
  CHECK(q->b.v.w == 5 && (*q).a == 1 && (&q->b)->v.xy.y == 5);
}

//: refused "invalid operands"
kernel void f(global float *a) { a[0] = a[1] % a[2]; }
//: refused "invalid operands"
kernel void f(global float4 *a) { a[0] = a[1] % a[2]; }
//: refused "invalid operands"
kernel void f(global float *a) { a[0] = a[1] & a[2]; }
//: refused "where integer is required"
kernel void f(global float4 *a) { a[0] = a[1] << a[2]; }
//: refused "invalid argument type"
kernel void f(global float *a) { a[0] = ~a[1]; }
//: refused "from incompatible type"
kernel void f(global int4 *a, global int *b) { b[0] = a[0] ? 1 : 2; }
//: refused "do not have elements of the same size"
kernel void f(global int4 *a, global short4 *b) { a[0] = b[0] ? a[1] : a[2]; }
//: refused "where floating point type is not allowed"
kernel void f(global int4 *a, global float4 *b) { a[0] = b[0] ? a[1] : a[2]; }
//: refused "statement requires expression of scalar type"
kernel void f(global int4 *a) {
  if (a[0]) a[1] = 0;
}
//: refused "cannot increment value of type"
kernel void f(global float4 *a) { a[0]++; }
//: refused "vector operands do not have the same number of elements"
kernel void f(global int4 *a) { a[0] = a[1] << (int2)(1); }
//: refused "requested shift is a vector"
kernel void f(global int *a, int2 b) { a[0] = a[1] << b; }
//: refused "expected ')'"
kernel void f(global int *a) { a[0] = sizeof(int;
}
//: refused "not assignable"
kernel void f(global int *a) { (a[0] + 1) = 2; }

//: runs -cl-std=CL1.2 | -cl-std=CL3.0
// The compiler's evaluation and a kernel's computation agree, also in initialisers.
#define A (1, 2, 0, 0)
#define B (1, 0, 3, 0)
#define LOGICAL(type, mask)                                                                                                    \
  constant mask##4 both_##type = (type##4)A && (type##4)B, either_##type = (type##4)A || (type##4)B, not_##type = !(type##4)A, \
                   scalar_##type = (type##4)A && (type)1, nested_##type = !((type##4)A || (type##4)B) || (mask##4)B;
#define COMPARISONS(type, mask)                                                                                                \
  constant mask##4 equal_##type = (type##4)A == (type##4)B, other_##type = (type##4)A != (type##4)B,                           \
                   less_##type =                                                                                               \
                       (type##4)A<(type##4)B, no_more_##type = (type##4)A <= (type##4)B, more_##type = (type##4)A>(type##4) B, \
                   no_less_##type = (type##4)A >= (type##4)B;
#define HOLDS(type, mask)                                                                                                      \
  {                                                                                                                            \
    type##4 a = (type##4)A * (type)one, b = (type##4)B * (type)one;                                                            \
    CHECK(all(both_##type == (a && b)) && all(both_##type == (mask##4)(-1, 0, 0, 0)));                                         \
    CHECK(all(either_##type == (a || b)) && all(either_##type == (mask##4)(-1, -1, -1, 0)));                                   \
    CHECK(all(not_##type == !a) && all(not_##type == (mask##4)(0, 0, -1, -1)));                                                \
    CHECK(all(scalar_##type == (mask##4)(-1, -1, 0, 0)) && all(nested_##type == (mask##4)(-1, 0, -1, -1)));                    \
    CHECK(all(equal_##type == (a == b)) && all(other_##type == (a != b)) && all(less_##type == (a < b)));                      \
    CHECK(all(no_more_##type == (a <= b)) && all(more_##type == (a > b)) && all(no_less_##type == (a >= b)));                  \
    const mask##4 here = (type##4)A && (type##4)B, list[2] = {(type##4)A || (type##4)B, here};                                 \
    CHECK(here.x == -1 && here.y == 0 && list[0].z == -1 && list[1].x == -1);                                                  \
    CHECK(((type##4)A && (type##4)B).x == -1 && ((type##4)A || (type##4)B).w == 0);                                            \
  }
#define EACH_INTEGER(X) X(char, char) X(uchar, char) X(short, short) X(ushort, short) X(int, int) X(uint, int)
#define EACH(X) EACH_INTEGER(X) X(long, long) X(ulong, long) X(half, short) X(float, int) X(double, long)
EACH(LOGICAL)
EACH(COMPARISONS)
TEST{EACH(HOLDS)}

//: runs
// Also with an operand of -0 or NaN.
constant int4 both = (float4)(-0.0f, NAN, 1.0f, NAN) && (float4)(1.0f, 1.0f, NAN, 0.0f);
constant int4 either = (float4)(-0.0f, NAN, 0.0f, -0.0f) || (float4)(0.0f, 0.0f, 1.0f, -0.0f);
TEST { CHECK(all(both == (int4)(0, -1, -1, 0)) && all(either == (int4)(0, -1, -1, 0))); }

//: runs
// Counts of shifts are taken modulo the element's bits, and sums wrap.
#define SHIFTS(type, bits)                                                                                                     \
  constant type##2 left_##type = (type##2)(5, 5) << (type##2)(bits + 1, 2),                                                    \
                   right_##type = (type##2)((type) - 3, 8) >> (type##2)(bits + 1, 2);                                          \
  constant type##2 sum_##type = (type##2)((type) ~(type)0) + (type##2)(2);
#define SHIFTED(type, bits)                                                                                                    \
  {                                                                                                                            \
    type##2 a = (type##2)(5, 5) * (type)one, b = (type##2)((type) - 3, 8) * (type)one, n = (type##2)(bits + one, 2);           \
    CHECK(all(left_##type == a << n) && left_##type.x == 10 && left_##type.y == 20);                                           \
    CHECK(all(right_##type == b >> n) && right_##type.y == 2 && sum_##type.x == 1);                                            \
  }
#define EACH(X) X(char, 8) X(uchar, 8) X(short, 16) X(ushort, 16) X(int, 32) X(uint, 32) X(long, 64) X(ulong, 64)
EACH(SHIFTS)
TEST { EACH(SHIFTED) }

//: runs -cl-std=CL1.2 | -cl-std=CL3.0
// Also where the parser needs the value.
enum { kBoth = ((int2)(1, 2) && (int2)(1, 0)).x, kEither = ((float2)(0, 2) || (float2)(0, 1)).y, kNot = (!(int2)(0, 2)).x };
constant int list[] = {[3 + ((int2)(1, 2) && (int2)(1, 1)).x] = 7, [4] = 1};
_Static_assert(((int2)(1, 2) && (int2)(1, 0)).x == -1 && ((int2)(1, 2) < (int2)(3, 3)).y == -1, "not -1");
int chosen(int x) {
  switch (x) {
  case ((long2)(1, 2) || (long2)(0)).x: return 1;
  case ((long2)(1, 2) && (long2)(0)).x: return 2;
  default: return 3;
  }
}
TEST {
  CHECK(kBoth == -1 && kEither == -1 && kNot == -1 && list[2] == 7);
  CHECK(chosen(-one) == 1 && chosen(zero) == 2 && chosen(one) == 3);
}

//: refused "initializer element is not a compile-time constant"
// A selection by a vector is not a constant expression.
constant int4 chosen = (int4)(1, -1, -2, 0) ? (int4)(1) : (int4)(2);
kernel void f(global int4 *a) { a[0] = chosen; }
//: refused "OpenCL C has no '++' for floating-point values [-Wfloat-increment; permitted by -Wno-error=float-increment]"
//: -cl-std=CL1.0 -Werror=float-increment | -cl-std=CL3.0 -Werror=float-increment
kernel void f(global float *a) { a[0]++; }
//: refused "OpenCL C has no '--' for floating-point values" -cl-std=CL3.0 -Werror=float-increment
kernel void f(global double *a) { --a[0]; }
//: refused "OpenCL C has no '++' for floating-point values" -cl-std=CL3.0 -Werror=float-increment
kernel void f(global half *a) { ++*a; }
//: refused "invalid application of 'sizeof' to a function type"
kernel void f(global int *a) { a[0] = sizeof(int(int)); }
//: refused "taking address of function is not allowed"
int g(int x) { return x; }
kernel void f(global int *a) { a[0] = sizeof(g); }
//: refused "invalid application of 'sizeof' to a void type"
kernel void f(global int *a) { a[0] = sizeof(void); }
//: refused "invalid application of 'sizeof' to an incomplete type"
struct s;
kernel void f(global int *a) { a[0] = sizeof(struct s); }
//: refused "^^ is a reserved operator" -DXOR=^^
kernel void f(global int *a) { a[0] = a[1] XOR a[2]; }
//: refused "expression is not assignable"
kernel void f(global int *a) { (a[0] ? a[1] : a[2]) = 1; }
//: refused "where floating point type is not allowed"
kernel void f(global float *a) { a[0] = a[1] ? 1 : 2; }
