// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Constructs that OpenCL C forbids and other drivers' compilers accept. They have their meaning, and a warning
// (docs/decisions/restrictions.md).

//: warned "OpenCL C before 3.0 has no variadic macros [-Wvariadic-macros]" -cl-std=CL1.0 | -cl-std=CL1.1 | -cl-std=CL1.2 |
//: -cl-std=CL2.0 | -cl-std=CL1.2 -Werror
#define LAST(first, ...) __VA_ARGS__
kernel void f(global int *a) { a[0] = LAST(1, 2); }
//: warned "no variadic macros" -cl-std=CL1.2 | -cl-std=CL2.0
#define LAST(first, rest...) rest
kernel void f(global int *a) { a[0] = LAST(1, 2); }
//: warned "no variadic macros" -cl-std=CL1.2 -DLAST(first,...)=__VA_ARGS__
kernel void f(global int *a) { a[0] = LAST(1, 2); }
//: builds -cl-std=CL1.2 -Wno-variadic-macros -Werror
#define PRINT(format, ...) printf(format, ##__VA_ARGS__)
kernel void f(global int *a) {
  PRINT("a");
  PRINT("%d", a[0]);
}
//: runs -cl-std=CL1.2 | -cl-std=CL3.0
#define PAIR(x...) ((float2)(x))
#define COUNT_(a, b, c, n, ...) n
#define COUNT(...) COUNT_(__VA_ARGS__, 3, 2, 1)
TEST { CHECK(PAIR(1, 2).y == 2 * one && COUNT(a, b) == 2 && COUNT(a) == 1); }

//: warned "OpenCL C has no '++' for floating-point values [-Wfloat-increment]" -cl-std=CL1.0 | -cl-std=CL3.0
kernel void f(global float *a) { a[0]++; }
//: warned "OpenCL C has no '--' for floating-point values" -cl-std=CL1.2 | -cl-std=CL3.0
kernel void f(global double *a) { --a[0]; }
//: refused "cannot increment value of type" -cl-std=CL1.2 | -cl-std=CL3.0 -Wno-restrictions
// No compiler implements this for vectors of floats.
kernel void f(global float4 *a) { a[0]++; }
//: builds -cl-std=CLC++2021 -Werror
kernel void f(global float *a) { a[0]++; }
//: runs -cl-std=CL1.0 | -cl-std=CL1.2 | -cl-std=CL3.0 | -cl-std=CL1.2 -cl-opt-disable
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
TEST {
  float x = 1.5f * one, y = x++, z = ++x;
  double d = 0.25 * one, e = d--, f = --d;
  half h = (half)0.5f * one, i = h++;
  CHECK(x == 3.5f && y == 1.5f && z == 3.5f && d == -1.75 && e == 0.25 && f == -1.75 && h == 1.5f && i == 0.5f);
  float list[2] = {1, 2}, *p = list;
  float w = (*p++)++;
  CHECK(w == 1 && list[0] == 2 && *p == 2);
}

//: warned "OpenCL C has no flexible array members [-Wflexible-array-members]" -cl-std=CL1.0 | -cl-std=CL3.0
struct list {
  int count;
  int items[];
};
kernel void f(global struct list *a) { a->items[0] = a->count; }
//: warned "OpenCL C has no flexible array members" -cl-std=CL1.2 | -cl-std=CL3.0
union list {
  int count;
  int items[];
};
kernel void f(global union list *a) { a->items[0] = 1; }
//: runs -cl-std=CL3.0 | -cl-std=CLC++2021
struct list {
  int count;
  int items[];
};
global int numbers[] = {3, 4, 5, 6};
TEST {
  global struct list *all = (global struct list *)numbers;
  int sum = 0;
  for (int i = 0; i < all->count; ++i) sum += all->items[i];
  CHECK(sum == 15 * one && sizeof(struct list) == 4);
}

//: warned "OpenCL C before 1.2 has no '__func__' [-Wpredefined-identifiers]" -cl-std=CL1.0 | -cl-std=CL1.1
kernel void f(global int *a) { a[0] = __func__[0] + sizeof(__FUNCTION__); }
//: runs -cl-std=CL1.0 | -cl-std=CL1.1
TEST { CHECK(__func__[one] == 'e' && sizeof(__FUNCTION__) == 5); }

//: warned "OpenCL C reserves the name 'bool4' [-Wreserved-names]"
typedef int4 bool4;
kernel void f(global bool4 *a) { a[0] = 1; }
//: warned "OpenCL C reserves the name 'uniform'"
kernel void f(global int *a, int uniform) { a[0] = uniform; }
//: runs -cl-std=CL1.2 | -cl-std=CL3.0
typedef struct {
  float4 columns[4];
} float4x4;
TEST {
  float4x4 quad = {{(float4)(one), (float4)(2)}};
  CHECK(quad.columns[one].w == 2);
}

//: refused "[-Wvariadic-macros; permitted by -Wno-error=variadic-macros]" -cl-std=CL1.2 -Werror=variadic-macros |
//: -cl-std=CL1.2 -Werror=restrictions | -cl-std=CL2.0 -Wno-restrictions -Werror=restrictions
// Each is an error again on request, for programs that must build everywhere.
#define LAST(first, ...) __VA_ARGS__
kernel void f(global int *a) {}
//: warned "[-Wvariadic-macros]" -cl-std=CL1.2 -Werror=variadic-macros -Wvariadic-macros |
//: -cl-std=CL1.2 -Wno-restrictions -Wrestrictions
#define LAST(first, ...) __VA_ARGS__
kernel void f(global int *a) {}
//: refused "OpenCL C has no '++'" -Werror=restrictions
kernel void f(global float *a) { a[0]++; }
//: refused "OpenCL C has no flexible array members" -Werror=restrictions | -Werror=flexible-array-members
struct list {
  int count;
  int items[];
};
kernel void f(global struct list *a) { a->items[0] = 1; }
//: refused "OpenCL C has no flexible array members" -cl-std=CLC++2021 -Werror=restrictions
union list {
  int count;
  int items[];
};
kernel void f(global union list *a) { a->items[0] = 1; }
//: refused "OpenCL C before 1.2 has no '__func__'" -cl-std=CL1.0 -Werror=restrictions | -cl-std=CL1.1 -Werror=restrictions
kernel void f(global int *a) { a[0] = __func__[0]; }
//: refused "OpenCL C before 1.2 has no '__FUNCTION__'" -cl-std=CL1.0 -Werror=restrictions
kernel void f(global int *a) { a[0] = sizeof(__FUNCTION__); }
//: refused "OpenCL C reserves the name 'bool4'" -Werror=restrictions | -Werror=reserved-names
typedef int4 bool4;
kernel void f(global bool4 *a) { a[0] = 1; }
//: refused "a parameter cannot be a function" -Werror=restrictions
int g(int h(int));
kernel void f(global int *a) {}
//: refused "event_t is only for variables" -Werror=restrictions
struct s {
  event_t e[2];
};
kernel void f(global int *a) {}
//: refused "event_t is only for variables" -cl-std=CL1.2 -Werror=restrictions
kernel void f(global event_t *e) {}
//: refused "a vector literal is not an l-value" -Werror=restrictions
kernel void f(global int2 *a) { (int2)(1, 2) = a[0]; }
//: refused "local and constant variables must be in" -Werror=restrictions
kernel void f(global int *a) {
  if (a[0]) {
    local int x;
    x = 1;
  }
}
//: refused "'atom_add'" -Werror=restrictions
kernel void f(volatile global long *a) { atomic_add(a, 1L); }

//: warned "local and constant variables must be in the outermost scope of a kernel: 'x' [-Winner-scope]" -cl-std=CL1.0 |
//: -cl-std=CL1.2 | -cl-std=CL2.0 | -cl-std=CL3.0 | -cl-std=CLC++2021
kernel void f(global int *a) {
  for (int i = 0; i < 4; ++i) {
    local int x[4];
    x[i] = a[i];
    a[i] = x[i] + 1;
  }
}
//: warned "'x'" -cl-std=CL1.2 | -cl-std=CL3.0
typedef local int local_int;
kernel void f(global int *a) {
  {
    local_int x;
    x = a[0];
    a[1] = x;
  }
}
//: builds -cl-std=CL1.2 -Werror | -cl-std=CL3.0 -Werror
// A pointer to local memory is not a local variable.
kernel void f(global int *a, local int *b) {
  if (a[0]) {
    local int *p = b;
    global int *q = a;
    *q = *p;
  }
}
//: refused "'__local' variable cannot have an initializer" -cl-std=CL1.2 | -cl-std=CL3.0
kernel void f(global int *a) {
  if (a[0]) {
    local int x = 1;
    a[0] = x;
  }
}
//: refused "non-kernel function variable cannot be declared in local address space" -cl-std=CL1.2 | -cl-std=CL3.0
// A function that is not a kernel has no local variables, in any scope.
int g(int i) {
  if (i) {
    local int x;
    x = i;
    return x;
  }
  return i;
}
kernel void f(global int *a) { a[0] = g(a[0]); }
//: refused "redefinition of 'i'" -cl-std=CLC++2021
kernel void f(global int *a) {
  for (int i = 0; i < 4; ++i) {
    int i = 0;
    a[i] = 1;
  }
}
//: refused "redefinition of 'x'" -cl-std=CL1.2 | -cl-std=CL3.0
kernel void f(global int *a) {
  if (a[0]) {
    local int x;
    local int x;
  }
}
//: runs -cl-std=CL1.2 | -cl-std=CL3.0 | -cl-std=CLC++2021 | -cl-std=CL1.2 -cl-opt-disable
// Each declaration makes one variable, which keeps its value across the rounds of a loop.
#define SWAP(a, b)                                                                                                             \
  do {                                                                                                                         \
    local int swapped;                                                                                                         \
    swapped = a;                                                                                                               \
    a = b;                                                                                                                     \
    b = swapped;                                                                                                               \
  } while (0)
TEST {
  int sum = 0, a = one, b = 7, c = 9;
  for (int i = 0; i < 4; ++i) {
    local int kept;
    if (i == 0) kept = 5 * one;
    ++kept;
    sum += kept;
    {
      local int kept;
      kept = 100;
      sum += kept;
    }
  }
  CHECK(sum == 6 + 7 + 8 + 9 + 400);
  SWAP(a, b);
  SWAP(b, c);
  CHECK(a == 7 && b == 9 && c == 1);
  switch (one) {
    local int inside;
  case 1:
    inside = 3;
    for (;;) {
      if (inside++ > 5) break;
      continue;
    }
    CHECK(inside == 7);
  }
  while (one) {
    local int x;
    x = 1;
    if (x == one) break;
  }
  if (one) {
    constant int table[] = {2, 3, 5};
    CHECK(table[one] == 3);
  }
}

//: warned "the 64-bit function of cl_khr_int64_base_atomics is named 'atom_cmpxchg' [-Watomic-names]" -cl-std=CL1.0 |
//: -cl-std=CL1.2 | -cl-std=CL2.0 | -cl-std=CL3.0 | -cl-std=CLC++2021
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
kernel void f(volatile global ulong *p) { atomic_cmpxchg(p, 0UL, 1UL); }
//: runs -cl-std=CL1.2 | -cl-std=CL3.0 | -cl-std=CLC++2021
TEST {
  local long x;
  local ulong y;
  x = -5;
  y = ~0ul;
  CHECK(atomic_add(&x, 7L * one) == -5 && x == 2 && atomic_sub(&x, 1L << 40) == 2 && x == 2 - (1L << 40));
  CHECK(atomic_xchg(&x, 3) == 2 - (1L << 40) && atomic_inc(&x) == 3 && atomic_dec(&x) == 4 && x == 3);
  CHECK(atomic_cmpxchg(&x, 3L, 1L << 33) == 3 && x == 1L << 33 && atomic_cmpxchg(&x, 3L, 4L) == 1L << 33 && x == 1L << 33);
  CHECK(atomic_min(&x, -1L << 40) == 1L << 33 && x == -1L << 40 && atomic_max(&x, 1L << 40) == -1L << 40 && x == 1L << 40);
  CHECK(atomic_and(&y, 0xff00ff00ff00ff00ul) == ~0ul && y == 0xff00ff00ff00ff00ul && atomic_or(&y, 1ul << 40) != 0);
  CHECK(y == 0xff01ff00ff00ff00ul - (1ul << 48) + (1ul << 40) || y == (0xff00ff00ff00ff00ul | 1ul << 40));
  CHECK(atomic_xor(&y, y) == (0xff00ff00ff00ff00ul | 1ul << 40) && y == 0 && atomic_max(&y, ~0ul) == 0 && y == ~0ul);
  // Functions of 32 bits are unchanged.
  local uint z;
  z = 5;
  CHECK(atomic_add(&z, 1) == 5 && atomic_max(&z, 9u) == 6 && z == 9);
}
//: runs -cl-std=CL1.2
// A program's own function takes precedence.
long atomic_add(volatile local long *p, long x) {
  *p = 100 + x;
  return 1;
}
TEST {
  local long x;
  x = 1;
  CHECK(atomic_add(&x, 2L) == one && x == 102);
}
//: runs -cl-std=CLC++2021
template <typename T>
T add(local T *p, T x) {
  return atomic_add(p, x);
}
TEST {
  local long x;
  x = 1L << 40;
  CHECK(add(&x, 2L * one) == 1L << 40 && x == (1L << 40) + 2);
}
//: refused "call to 'atomic_add' is ambiguous" -cl-std=CL1.2 -cl-ext=-cl_khr_int64_base_atomics
kernel void f(volatile global long *p) { atomic_add(p, 1L); }

//: warned "OpenCL extension 'cl_nv_pragma_unroll' unknown or does not require pragma - ignoring" -cl-std=CL1.2 | -cl-std=CL3.0
#pragma OPENCL EXTENSION cl_nv_pragma_unroll : enable
kernel void f(global int *a) {
#pragma unroll 4
  for (int i = 0; i < 16; ++i) a[i] = i;
}
//: warned "OpenCL extension 'cl_nv_compiler_options' unknown or does not require pragma - ignoring" -cl-std=CL1.2 |
//: -cl-std=CL3.0
#pragma OPENCL EXTENSION cl_nv_compiler_options : enable
#pragma OPENCL EXTENSION cl_nv_device_attribute_query : enable
#pragma OPENCL EXTENSION cl_nv_d3d9_sharing : enable
#pragma OPENCL EXTENSION cl_amd_printf : enable
#pragma OPENCL EXTENSION cl_no_such_extension : require
kernel void f(global int *a) { a[0] = 1; }

//: runs -cl-std=CL1.0 | -cl-std=CL1.2 | -cl-std=CL2.0 | -cl-std=CL3.0 | -cl-std=CLC++2021
#ifndef cl_amd_media_ops
#error
#endif
#pragma OPENCL EXTENSION cl_amd_media_ops : enable
#pragma OPENCL EXTENSION cl_amd_media_ops2 : enable
TEST {
  uint x = 0x12345678u * (uint)one;
  CHECK(amd_bitalign(x, x, 8u) == 0x78123456u && amd_bfe(x, 8u, 8u) == 0x56u && amd_max3(1, 2, 3) == 3);
  CHECK(amd_bytealign((uint2)(x, 1), (uint2)(0), (uint2)(1)).x == 0x78000000u && amd_median3(1.f, 3.f, 2.f) == 2.f);
}
//: runs -cl-std=CL1.2 | -cl-std=CL3.0
// A program may reuse the names of extensions' functions.
uint amd_bitalign(uint x, uint y, uint z) { return x + y + z; }
static uint bit_reverse(uint x) { return x + 1; }
TEST { CHECK(amd_bitalign(1, 2, 3) == 6 * one && bit_reverse(1) == 2); }
//: refused "use of undeclared identifier 'amd_bitalign'" -cl-std=CL1.2 -cl-ext=-cl_amd_media_ops
kernel void f(global uint *a) { a[0] = amd_bitalign(a[0], a[1], a[2]); }

//: runs -cl-std=CL1.2 | -cl-std=CL2.0 | -cl-std=CL3.0 | -cl-std=CLC++2021
#if !defined(cl_khr_integer_dot_product) || !defined(__opencl_c_integer_dot_product_input_4x8bit) ||                           \
    !defined(__opencl_c_integer_dot_product_input_4x8bit_packed) || !defined(cl_khr_extended_bit_ops)
#error
#endif
TEST {
  CHECK(dot((char4)(-1, 2, 3, 4), (uchar4)(255)) == 8 * 255 * one && dot_4x8packed_ss_int(0xffu, 0x7fu) == -127);
  CHECK(dot_acc_sat((uchar4)(255), (uchar4)(255), 0xffffffffu) == 0xffffffffu && bit_reverse(one) == (int)0x80000000);
  // Bit fields of width 0, also as the last member, in constants.
  CHECK(bitfield_insert(5u, 7u, 32u, 0u) == 5u && bitfield_extract_signed((char)-1, 8, 0) == 0);
  CHECK(all(bitfield_insert((ushort2)(5, 6), (ushort2)(7), 16u, 0u) == (ushort2)(5, 6)));
}
//: refused "no matching function for call to 'dot'" -cl-std=CL1.2 -cl-ext=-cl_khr_integer_dot_product
kernel void f(global int *a) { a[0] = dot((char4)(1), (char4)(1)); }

//: warned "event_t is only for variables and parameters in private memory [-Wevent-types]" -cl-std=CL1.2 | -cl-std=CL3.0
void g(local event_t *e) {}
kernel void f(global int *a) {}
//: warned "event_t is only for variables" -cl-std=CL1.2 | -cl-std=CL3.0
kernel void f(global event_t *e) {}
//: warned "event_t is only for variables" -cl-std=CL1.2 | -cl-std=CL3.0
struct s {
  event_t e[2];
};
kernel void f(global int *a) {}
//: warned "event_t is only for variables"
union u {
  event_t e[2];
  int x;
};
kernel void f(global int *a) { a[0] = sizeof(union u); }
//: runs -cl-std=CL1.2 | -cl-std=CL3.0
TEST {
  struct {
    event_t e[2];
  } s;
  local int from[4], to[4];
  for (int i = 0; i < 4; ++i) from[i] = i + one;
  global int *a = out;
  s.e[1] = async_work_group_copy(to, (global const int *)a, 1, 0);
  wait_group_events(1, &s.e[1]);
  CHECK(to[0] == 0);
}

//: warned "a parameter cannot be a function [-Wfunction-parameters]" -cl-std=CL1.2 | -cl-std=CL3.0 |
//: -cl-std=CLC++2021
int g(int h(int));
kernel void f(global int *a) {}
//: builds -cl-std=CL1.2 | -cl-std=CL3.0
int g(int h(int)) { return h(1); }
static int i(int h(int)) { return h(2); }
kernel void f(global int *a) { a[0] = 1; }

//: warned "a vector literal is not an l-value: the operation modifies a temporary [-Wliteral-assignment]" -cl-std=CL1.2 |
//: -cl-std=CL3.0
kernel void f(global int *a) {
  int x = a[0], y = a[1];
  (int2)(x, y) = (int2)(1, 2);
}
//: runs -cl-std=CL1.2 | -cl-std=CL3.0
TEST {
  int x = 7 * one, y = 8;
  (int2)(x, y) = (int2)(1, 2);
  (int2)(x, y).x = 3;
  ++(int2)(x, y);
  CHECK(x == 7 && y == 8);
}
