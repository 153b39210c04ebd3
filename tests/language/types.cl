// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Section 1.1: data types, their sizes and alignment, literals.
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL EXTENSION cl_khr_fp16 : enable

//: runs -cl-std=CL1.0 | -cl-std=CL1.1 | -cl-std=CL1.2 | -cl-std=CL2.0 | -cl-std=CL3.0
TEST {
  CHECK(sizeof(char) == 1 && sizeof(uchar) == 1 && sizeof(short) == 2 && sizeof(ushort) == 2);
  CHECK(sizeof(int) == 4 && sizeof(uint) == 4 && sizeof(long) == 8 && sizeof(ulong) == 8);
  CHECK(sizeof(float) == 4 && sizeof(double) == 8 && sizeof(half) == 2 && sizeof(bool) == 1);
  CHECK(sizeof(size_t) == 8 && sizeof(ptrdiff_t) == 8 && sizeof(intptr_t) == 8 && sizeof(uintptr_t) == 8);
  CHECK(sizeof(global int *) == 8 && sizeof(local int *) == 8 && sizeof(constant int *) == 8 && sizeof(private int *) == 8);
  CHECK((unsigned char)-1 == 255 && (unsigned short)-1 == 65535 && (unsigned)-1 == 4294967295u);
  CHECK((char)(127 + one) == -128 && (bool)2 == 1 && (bool)0.5f == 1);
}

//: runs
#define SIZES(type, bytes)                                                                                                     \
  CHECK(sizeof(type##2) == 2 * bytes && sizeof(type##3) == 4 * bytes && sizeof(type##4) == 4 * bytes);                         \
  CHECK(sizeof(type##8) == 8 * bytes && sizeof(type##16) == 16 * bytes);                                                       \
  CHECK(__alignof__(type##2) == 2 * bytes && __alignof__(type##3) == 4 * bytes && __alignof__(type##4) == 4 * bytes);          \
  CHECK(__alignof__(type##8) == 8 * bytes && __alignof__(type##16) == 16 * bytes);                                             \
  CHECK(vec_step(type) == 1 && vec_step(type##2) == 2 && vec_step(type##3) == 4 && vec_step(type##16) == 16)
TEST {
  SIZES(char, 1);
  SIZES(uchar, 1);
  SIZES(short, 2);
  SIZES(ushort, 2);
  SIZES(half, 2);
  SIZES(int, 4);
  SIZES(uint, 4);
  SIZES(float, 4);
  SIZES(long, 8);
  SIZES(ulong, 8);
  SIZES(double, 8);
}

//: runs
// 1.1.5: each variable is aligned to its size, in every address space.
#define AT(space, type) CHECK(((ulong) & space##_##type & (sizeof(type) - 1)) == 0)
TEST {
  char filler = (char)one;
  float3 private_float3 = one;
  double16 private_double16 = one;
  short8 private_short8 = (short8)(short)one;
  local char local_filler;
  local long4 local_long4;
  local uchar3 local_uchar3;
  local_filler = filler;
  local_long4 = one;
  local_uchar3 = 1;
  AT(private, float3);
  AT(private, double16);
  AT(private, short8);
  AT(local, long4);
  AT(local, uchar3);
  CHECK(private_float3.z + private_double16.sf + private_short8.s7 + local_long4.w + local_uchar3.z + local_filler == 6);
}

//: runs
struct plain {
  char tag;
  float3 place;
  short end;
};
struct __attribute__((packed)) tight {
  char tag;
  int4 place;
  short end;
};
struct members {
  char tag;
  int place __attribute__((packed));
  long wide;
};
struct __attribute__((aligned(64))) wide {
  int a;
};
struct inner {
  char a;
  double2 b;
};
struct outer {
  char c;
  struct inner list[2];
};
union shared {
  int i;
  float f;
  uchar4 bytes;
  double3 d;
};
struct bits {
  int array[3];
  char3 c;
};
struct aligned_member {
  char a;
  int b __attribute__((aligned(16)));
};
#define OFFSET(type, member) ((ulong) & ((private struct type *)0)->member)
TEST {
  CHECK(sizeof(struct plain) == 48 && OFFSET(plain, place) == 16 && OFFSET(plain, end) == 32);
  CHECK(sizeof(struct tight) == 19 && OFFSET(tight, place) == 1 && OFFSET(tight, end) == 17);
  CHECK(OFFSET(members, place) == 1 && OFFSET(members, wide) == 8);
  CHECK(sizeof(struct wide) == 64 && __alignof__(struct wide) == 64);
  CHECK(sizeof(struct outer) == 16 + 2 * 32 && OFFSET(outer, list[1].b) == 16 + 32 + 16);
  CHECK(sizeof(union shared) == 32 && sizeof(struct bits) == 16 && OFFSET(aligned_member, b) == 16);
  struct tight t = {1, (int4)(2, 3, 4, one + 4), 6};
  struct tight copy = t;
  CHECK(copy.tag == 1 && copy.place.w == 5 && copy.end == 6);
  union shared u;
  u.f = 1.0f * one;
  CHECK(u.i == 0x3f800000 && u.bytes.w == 0x3f);
  struct outer list[2] = {{.c = 1}, {.list = {[1].b = (double2)(3, 4)}}};
  CHECK(list[one].list[1].b.y == 4 && list[0].c == 1 && list[zero].list[0].b.x == 0);
}

//: runs
// 1.1.4: as_type() keeps the bits.
TEST {
  CHECK(as_int(1.0f * one) == 0x3f800000 && as_float(0x40490fdb) > 3.14159f);
  CHECK(as_uint(-one) == 0xffffffffu && as_long(1.0 * one) == 0x3ff0000000000000L);
  CHECK(as_char4(0x04030201 * one).z == 3 && as_int((char4)(1, 2, 3, (char)(one + 3))) == 0x04030201);
  CHECK(as_short2(0x00020001).y == 2 && as_ulong((uint2)(one, 2)) == 0x200000001ul);
  float4 f = (float4)(1, 2, 3, one);
  CHECK(all(as_float4(as_int4(f)) == f) && as_int3(f).z == as_int(3.0f) && as_int4(f.xyz).y == as_int(2.0f));
  CHECK(as_half((ushort)0x3c00) == (half)one && as_ushort((half)(2 * one)) == 0x4000 &&
        as_double(0x4000000000000000ul * one) == 2);
}

//: refused "size"
kernel void f(global int *a, float3 v) { a[0] = as_int8(v).s0; }
//: refused "size"
kernel void f(global int *a, char c) { a[0] = as_int(c); }

//: runs
TEST {
  CHECK(0x1F == 31 && 017 == 15 && 10u / 3u == 3u && 1L << 40 == 1099511627776L && 0xffffffffffffffffUL == ~0ul);
  CHECK(sizeof(1) == 4 && sizeof(1L) == 8 && sizeof(1.0f) == 4 && sizeof(1.0) == 8 && sizeof('a') == 4 &&
        sizeof(4294967296) == 8);
  CHECK(1.0e3f == 1000 && 0x1p-2f == 0.25f && .5f == 1 / 2.0f && 1e-3 * 1000 == 1.0);
  CHECK(1.0h == (half)1 && sizeof(1.0h) == 2);
  CHECK('A' == 65 && '\n' == 10 && '\x41' == 'A' && '\101' == 'A' && '\0' == 0);
  constant char *text = "a\tb"
                        "c";
  CHECK(text[1] == '\t' && text[3] == 'c' && text[4] == 0);
  // The scalar is repeated. Vectors and scalars may be mixed if the number of components matches.
  float4 f = (float4)(one);
  int8 i = (int8)((int2)(1, 2), 3, (int4)(4, 5, 6, 7), 8);
  int3 t = (int3)((int2)(one, 2), 3);
  CHECK(f.w == 1 && i.s1 == 2 && i.s2 == 3 && i.s6 == 7 && i.s7 == 8 && t.z == 3);
  uchar16 u = (uchar16)((uchar8)(1), (uchar4)(2), (uchar2)(3), 4, 5);
  CHECK(u.s7 == 1 && u.s8 == 2 && u.sc == 3 && u.se == 4 && u.sf == 5);
}

//: refused "too few elements"
kernel void f(global int4 *a) { a[0] = (int4)(1, 2, 3); }
//: refused "excess elements"
kernel void f(global int4 *a) { a[0] = (int4)(1, 2, 3, 4, 5); }
//: refused "too many elements"
kernel void f(global int4 *a) { a[0] = (int4)((int3)(1), (int2)(2)); }

//: runs
TEST {
  CHECK(INT_MAX == 2147483647 && INT_MIN == -INT_MAX - 1 && UINT_MAX == ~0u && CHAR_BIT == 8 && SCHAR_MIN == -128);
  CHECK(CHAR_MAX == 127 && USHRT_MAX == 65535 && SHRT_MIN == -32768 && LONG_MAX == 0x7fffffffffffffffL && ULONG_MAX == ~0ul);
  CHECK(FLT_DIG == 6 && FLT_MANT_DIG == 24 && FLT_MAX_EXP == 128 && FLT_RADIX == 2 && FLT_EPSILON == 0x1p-23f);
  CHECK(FLT_MAX == 0x1.fffffep127f && FLT_MIN == 0x1p-126f && DBL_MANT_DIG == 53 && DBL_MAX_EXP == 1024);
  CHECK(HALF_DIG == 3 && HALF_MANT_DIG == 11 && HALF_MAX == 65504.0h && HALF_EPSILON == 0x1p-10h);
  CHECK(isinf(INFINITY) && isnan(NAN) && HUGE_VALF == INFINITY && isinf(HUGE_VAL) && MAXFLOAT == FLT_MAX);
  CHECK(M_PI_F > 3.14159f && M_PI > 3.14159265358 && M_E_F > 2.718f && M_SQRT2_F > 1.414f && M_PI_H >= 3.14h);
}

// 1.1.1: names that are reserved.
//: refused "use of undeclared identifier 'complex'"
kernel void f(global int *a) { complex float z; }
//: refused "use of undeclared identifier 'float32'"
kernel void f(global int *a) { float32 z; }
//: refused "use of undeclared identifier 'quad'"
kernel void f(global int *a) { quad z; }
//: refused "OpenCL C has no complex numbers [-Wcomplex; permitted by -Wno-error=complex]" -cl-std=CL1.0 | -cl-std=CL3.0
kernel void f(global int *a) { float _Complex z; }
//: refused "OpenCL C has no complex numbers"
kernel void f(global int *a) { a[0] = sizeof(1.0fi); }
//: refused "imaginary types are not supported"
kernel void f(global int *a) { float _Imaginary z; }
//: refused "OpenCL C reserves 'long long' for 128 bits; 'long' has 64 [-Wlong-long; permitted by
//: -Wno-error=long-long]" -cl-std=CL1.0 | -cl-std=CL1.2 | -cl-std=CL2.0 | -cl-std=CL3.0
kernel void f(global int *a) { long long x; }
//: refused "reserves 'long long'"
typedef unsigned long long u64;
kernel void f(global int *a) {}
//: refused "reserves 'long long'"
kernel void f(global int *a) { a[0] = sizeof(long long int); }
//: refused "reserves 'long long'"
#define U64 unsigned long long
kernel void f(global U64 *a) {}
//: refused "reserves the type 'long double' [-Wlong-double; permitted by -Wno-error=long-double]"
kernel void f(global float *a) { a[0] = (long double)a[1]; }
//: refused "'long type-name' is invalid"
kernel void f(global int *a) { ulong long x; }
//: runs
// The suffixes are those of C99, and no types.
TEST { CHECK(1ll << 40 * one == 1l << 40 && 0xfedcba9876543210ull == 0xfedcba9876543210ul && (ulong)-1ll == ULONG_MAX); }
//: refused "OpenCL C reserves the name " -cl-std=CL3.0 -DNAME=bool2 -Werror=reserved-names |
//: -cl-std=CL3.0 -DNAME=bool16 -Werror=reserved-names | -cl-std=CL3.0 -DNAME=quad -Werror=reserved-names |
//: -cl-std=CL3.0 -DNAME=quad4 -Werror=reserved-names | -cl-std=CL3.0 -DNAME=float5 -Werror=reserved-names |
//: -cl-std=CL3.0 -DNAME=float32 -Werror=reserved-names | -cl-std=CL3.0 -DNAME=int64 -Werror=reserved-names |
//: -cl-std=CL3.0 -DNAME=uint1 -Werror=reserved-names | -cl-std=CL3.0 -DNAME=char32 -Werror=reserved-names |
//: -cl-std=CL3.0 -DNAME=double9 -Werror=reserved-names | -cl-std=CL3.0 -DNAME=float4x4 -Werror=reserved-names |
//: -cl-std=CL3.0 -DNAME=float3x2 -Werror=reserved-names | -cl-std=CL3.0 -DNAME=double2x8 -Werror=reserved-names
typedef struct {
  int x;
} NAME;
kernel void f(global int *a) {}
//: refused "OpenCL C reserves the name 'bool4' [-Wreserved-names; permitted by -Wno-error=reserved-names]"
//: -cl-std=CL1.0 -Werror=reserved-names | -cl-std=CL3.0 -Werror=reserved-names
typedef int4 bool4;
kernel void f(global int *a) {}
// 1.1.9: keywords.
//: refused "OpenCL C reserves the name" -cl-std=CL3.0 -DNAME=uniform -Werror=reserved-names |
//: -cl-std=CL3.0 -DNAME=float4 -Werror=reserved-names | -cl-std=CL3.0 -DNAME=uchar16 -Werror=reserved-names |
//: -cl-std=CL3.0 -DNAME=quad -Werror=reserved-names | -cl-std=CL3.0 -DNAME=float2x2 -Werror=reserved-names |
//: -cl-std=CL3.0 -DNAME=event_t -Werror=reserved-names | -cl-std=CL3.0 -DNAME=cl_mem_fence_flags -Werror=reserved-names
kernel void f(global int *a) { int NAME = 1; }
//: refused "OpenCL C reserves the name" -DNAME=uniform -Werror=reserved-names | -DNAME=int5 -Werror=reserved-names
struct s {
  int NAME;
};
kernel void f(global int *a) {}
//: refused "OpenCL C reserves the name" -DNAME=uniform -Werror=reserved-names | -DNAME=quad8 -Werror=reserved-names
int g(int NAME) { return NAME; }
kernel void f(global int *a) {}
//: refused "expected identifier" -cl-std=CL3.0 -DNAME=global | -cl-std=CL3.0 -DNAME=__global | -cl-std=CL3.0 -DNAME=local |
//: -cl-std=CL3.0 -DNAME=constant | -cl-std=CL3.0 -DNAME=private | -cl-std=CL3.0 -DNAME=generic | -cl-std=CL3.0 -DNAME=__generic
//: | -cl-std=CL3.0 -DNAME=kernel | -cl-std=CL3.0 -DNAME=__kernel | -cl-std=CL3.0 -DNAME=read_only | -cl-std=CL3.0
//: -DNAME=__write_only | -cl-std=CL3.0 -DNAME=read_write | -cl-std=CL3.0 -DNAME=restrict | -cl-std=CL3.0 -DNAME=inline |
//: -cl-std=CL3.0 -DNAME=signed
kernel void f(global int *a) { int NAME = 1; }
//: refused "cannot combine with previous 'int'" -cl-std=CL3.0 -DNAME=half | -cl-std=CL3.0 -DNAME=image2d_t | -cl-std=CL3.0
//: -DNAME=image3d_t | -cl-std=CL3.0 -DNAME=image1d_buffer_t | -cl-std=CL3.0 -DNAME=image2d_array_t | -cl-std=CL2.0 -DNAME=pipe
kernel void f(global int *a) { int NAME = 1; }
//: builds
// Similar names that are not reserved.
typedef struct {
  float x4, float4_, float04, floatx2, quads, uniforms, complex, imaginary;
} float_4;
kernel void f(global float_4 *a, int float4xy, int long_long) { a->complex = 1; }
