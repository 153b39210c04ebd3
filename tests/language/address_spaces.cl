// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Section 1.5: address spaces, and the rules of the generic one.

//: runs -cl-std=CL1.0 | -cl-std=CL1.2 | -cl-std=CL2.0 | -cl-std=CL3.0
constant int table[3] = {1, 2, 3};
__constant float scale = 2.0f;
int sum(constant int *p) { return p[0] + p[2]; }
int through(private int *p, local int *l, global int *g) { return *p + *l + (g[0] == 0); }
TEST {
  local int shared;
  __local int list[2];
  __private int mine = 5 * one;
  shared = 6;
  list[one] = 7;
  CHECK(sum(table) == 4 && scale == 2.0f && through(&mine, &shared, out) == 12 && list[1] == 7);
  constant int *p = &table[one];
  CHECK(p[1] == 3);
}

//: runs -cl-std=CL2.0 | -cl-std=CL3.0
global int counter = 40;
global int *global where = &counter;
int add(int *p, int amount) { return *p += amount; }
int kind(int *p) { return to_global(p) ? 1 : to_local(p) ? 2 : to_private(p) ? 3 : 0; }
TEST {
  local int shared;
  int mine = 1 * one;
  shared = 2;
  CHECK(add(&mine, 1) == 2 && add(&shared, 1) == 3 && add(&counter, one) >= 41 && *where == counter);
  int *either = one ? &mine : (int *)&shared;
  CHECK(*either == 2 && kind(either) == 3 && kind(&shared) == 2 && kind(where) == 1 && kind(out) == 1);
  either = zero ? &mine : (int *)&shared;
  CHECK(to_local(either) == &shared && to_private(either) == 0 && to_global(either) == 0 && *either == 3);
  CHECK(get_fence(&shared) == CLK_LOCAL_MEM_FENCE && get_fence(out) == CLK_GLOBAL_MEM_FENCE);
  int *nothing = 0;
  CHECK(nothing == 0 && !nothing && either != nothing);
  // Explicit conversions back, and pointers to pointers.
  local int *again = (local int *)either;
  int **deep = &either;
  CHECK(*again == 3 && **deep == 3);
  struct {
    int *p;
    int n;
  } s = {&mine, 1};
  *s.p = 9;
  CHECK(mine == 9);
}

//: builds -cl-std=CL2.0 | -cl-std=CL3.0
// A program's variables have static lifetime, in the global address space unless they are constant.
int implicit = 1;
static int hidden[4] = {1, 2};
global float4 vector = (float4)(1, 2, 3, 4);
int *pointer = &implicit;
kernel void f(global int *a) {
  static global int within = 3;
  static int too = 4;
  a[0] = within++ + hidden[1] + *pointer + too + (int)vector.w;
}

//: runs
// A null pointer is null in any address space.
TEST {
  local int variable;
  local int *l = zero ? &variable : 0;
  global int *g = zero ? out : 0;
  __private int *p = zero ? &one : 0;
  int *any = l;
  CHECK(any == 0 && !any && to_local(any) == 0 && (local int *)any == 0);
  any = g;
  CHECK(any == 0 && any == l);
  any = p;
  CHECK(any == 0 && any == g);
  l = one ? &variable : 0;
  any = l;
  CHECK(any != 0 && any != g && to_local(any) == l && (local int *)any == l && to_global(any) == 0);
}

//: refused "must reside in constant address space" -cl-std=CL1.2
int implicit = 1;
kernel void f(global int *a) { a[0] = implicit; }
//: refused "must reside in constant address space" -cl-std=CL1.2
global int counter = 1;
kernel void f(global int *a) { a[0] = counter; }
//: refused "must reside in" -cl-std=CL3.0
local int shared;
kernel void f(global int *a) { a[0] = shared; }
//: refused "must reside in" -cl-std=CL3.0
private
int mine;
kernel void f(global int *a) { a[0] = mine; }
//: refused "changes address space"
kernel void f(global int *a, local int *b) { global int *p = b; }
//: refused "changes address space"
kernel void f(constant int *a) { int *p = a; }
//: refused "changes address space"
int g(int *p) { return *p; }
kernel void f(constant int *a, global int *b) { b[0] = g(a); }
//: refused "changes address space"
kernel void f(global int *a) {
  int x;
  local int *p = &x;
}
//: refused "changes address space"
kernel void f(global int *a) {
  int *p = a;
  local int *q = p;
}
//: refused "changes address space"
kernel void f(global int *a, local int *b) { local int *p = (local int *)a; }
//: refused "changes address space"
kernel void f(constant int *a) { int *p = (int *)a; }
//: refused "changes address space" -cl-std=CL1.2
int g(int *p) { return *p; }
kernel void f(global int *a) { a[0] = g(a); }
//: refused "must reside in" -cl-std=CL1.2
kernel void f(global int **a) {}
//: refused "kernel parameter cannot be declared as a pointer to a pointer" -cl-std=CL1.2
kernel void f(global int *global *a) {}
//: refused "must reside in"
kernel void f(int *a) {}
//: refused "must reside in"
kernel void f(private int *a) {}
//: refused "read-only"
constant int c = 1;
kernel void f(global int *a) { c = 2; }
//: refused "read-only variable is not assignable"
kernel void f(constant int *a) { a[0] = 2; }
//: refused "variable in constant address space must be initialized"
constant int c;
kernel void f(global int *a) { a[0] = c; }
//: refused "initializer element is not a compile-time constant"
kernel void f(global int *a, int x) {
  constant int c = x;
  a[0] = c;
}
//: refused "'__local' variable cannot have an initializer"
kernel void f(global int *a) {
  local int l = 1;
  a[0] = l;
}
//: refused "local and constant variables must be in the outermost scope of a kernel: 'l'" -cl-std=CL3.0 -Werror=inner-scope
kernel void f(global int *a) {
  if (a[0]) {
    local int l;
    l = 1;
    a[0] = l;
  }
}
//: refused "non-kernel function variable cannot be declared in local address space"
void g(void) { local int l; }
kernel void f(global int *a) { g(); }
//: refused "function scope variable cannot be declared in global address space"
kernel void f(global int *a) { global int x; }
//: refused "multiple address spaces specified for type"
kernel void f(global int *a) { global local int *p; }
//: refused "field may not be qualified with an address space"
struct s {
  global int x;
};
kernel void f(global int *a) {}
//: refused "return type cannot be qualified with address space"
global int g(void) { return 1; }
kernel void f(global int *a) {}
//: refused "comparison"
kernel void f(global int *a, local int *b) { a[0] = a == b; }
//: refused "which are pointers to non-overlapping address spaces"
kernel void f(global int *a, constant int *b) { int *p = a[0] ? a : b; }
//: refused "automatic variable qualified with an invalid address space"
#define generic __generic
kernel void f(global int *a) { generic int x = 1; }
