// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// C++ for OpenCL 1.0 and 2021.

//: runs -cl-std=CLC++ | -cl-std=CLC++1.0 | -cl-std=CLC++2021
namespace shapes {
struct square {
  int side;
  square(int s) : side(s) {}
  int area() const { return side * side; }
  int area() const __global { return -side; }
  square operator+(const square &other) const { return square(side + other.side); }
};
template <typename T, int N>
struct list {
  T items[N];
  T sum() const {
    T total = 0;
    for (T each : items) total += each;
    return total;
  }
};
class base {
public:
  int id() { return 1; }
};
class derived : public base {
public:
  int id() { return base::id() + 1; }
};
}  // namespace shapes
template <typename T>
T larger(T a, T b) {
  return a > b ? a : b;
}
template <>
float larger(float a, float b) {
  return -1;
}
int twice(int x) { return 2 * x; }
float twice(float x) { return 3 * x; }
constexpr int kConstant = 5;
enum class color : uchar { red, green };
TEST {
  shapes::square a(3 * one), b = a + shapes::square(1);
  shapes::list<int, 3> list;
  list.items[0] = 1, list.items[1] = 2, list.items[2] = one;
  auto lambda = [&](int x) { return x + b.side; };
  int &reference = list.items[0];
  reference = 7;
  CHECK(a.area() == 9 && b.area() == 16 && list.sum() == 10 && lambda(1) == 5);
  CHECK(larger(2, 3) == 3 && larger(1.0f, 2.0f) == -1 && twice(2) == 4 && twice(1.0f) == 3 && kConstant == 5);
  CHECK(shapes::derived().id() == 2 && static_cast<uchar>(color::green) == 1 && sizeof(color) == 1);
  float4 v = (float4)(1, 2, 3, 4.0f * one);
  auto w = v.wzyx;
  CHECK(w.x == 4 && static_cast<int>(w.w) == 1 && reinterpret_cast<int4 &>(v).x == 0x3f800000 && nullptr == (int *)0);
  __local int shared;
  int *p = &shared;
  *p = 3;
  CHECK(shared == 3 && addrspace_cast<__local int *>(p) == &shared);
}

//: refused "cannot use 'throw' with exceptions disabled" -cl-std=CLC++2021
kernel void f(global int *a) { throw 1; }
//: refused "virtual functions are not supported" -cl-std=CLC++2021
struct s {
  virtual int g() { return 1; }
};
kernel void f(global int *a) {}
//: refused "'default new' is not supported" -cl-std=CLC++2021
kernel void f(global int *a) { int *p = new int; }
//: refused "'dynamic_cast' is not supported" -cl-std=CLC++2021
kernel void f(global int *a) { dynamic_cast<int *>(a); }
//: refused "kernel functions cannot be used in a template declaration" -cl-std=CLC++2021
template <typename T>
kernel void f(global T *a) {}
//: refused "does not support the 'thread_local' storage class specifier" -cl-std=CLC++2021
kernel void f(global int &a) { thread_local int x; }
//: refused "'vector' file not found" -cl-std=CLC++2021
#include <vector>

//: runs -cl-std=CLC++1.0 | -cl-std=CLC++2021
// Logical operators of constant vectors, also in dependent expressions.
constexpr constant int4 both = (int4)(1, 2, 0, 4) && (int4)(1, 1, 1, 0);
constant int4 next = both + 1;
template <int n>
struct number {
  enum { value = n };
};
static_assert(((int4)(1, 2, 0, 4) && (int4)(1)).y == -1);
template <typename T>
constexpr T either(T x, T y) {
  return x || y;
}
constant int4 from_template = either<int4>((int4)(1, 0, 0, 4), (int4)(1, 1, 0, 0));
struct Masks {
  int4 all() const {
    const int4 mask = (int4)(1) && (int4)(2);
    return mask;
  }
};
TEST {
  CHECK(both.x == -1 && both.y == -1 && both.z == 0 && both.w == 0 && next.x == 0 && next.z == 1);
  CHECK(from_template.x == -1 && from_template.y == -1 && from_template.z == 0 && Masks().all().w == -1);
  auto here = [](int number) {
    const int4 mask = (int4)(0) || (int4)(3);
    return mask.x + number;
  };
  int array[2 + ((short2)(1) || (short2)(0)).y];
  CHECK(sizeof(array) == 4 && number<((int2)(1) && (int2)(1)).x>::value == -1);
  CHECK(here(one) == 0 && either<int4>((int4)(one), (int4)(zero)).y == -1);
}

//: runs -cl-std=CLC++1.0 | -cl-std=CLC++2021
// as_type() in templates.
template <typename T>
T bits(float x) {
  return __builtin_astype(x, T);
}
template <typename T>
int number(T x) {
  return as_int(x);
}
TEST { CHECK(bits<int>(1.0f * one) == 0x3f800000 && bits<uchar4>(1.0f).w == 0x3f && number(1.0f * one) == 0x3f800000); }
//: refused "pointers, not 'pair'" -cl-std=CLC++2021
struct pair {
  short a, b;
};
template <typename T>
int number(T x) {
  return as_int(x);
}
kernel void f(global int *a, pair b) { a[0] = number(b); }

//: runs -cl-std=CLC++1.0 | -cl-std=CLC++2021
TEST { CHECK(printf("") == 0 && printf("%s", "") == 0); }
// Features of C++17 that C++ for OpenCL excludes, and restrictions that it inherits from OpenCL C.
//: refused "references to functions are not allowed" -cl-std=CLC++2021
int g(int x) { return x; }
kernel void f(global int *a) { int (&r)(int) = g; }
//: refused "taking address of function is not allowed" -cl-std=CLC++2021
struct s {
  int g() { return 1; }
};
kernel void f(global int *a) { auto p = &s::g; }
//: refused "pointers to functions are not allowed" -cl-std=CLC++2021
kernel void f(global int *a) {
  int (*p)(int) = [](int x) { return x; };
}
//: refused "'default delete' is not supported" -cl-std=CLC++2021
kernel void f(global int *a) {
  int *p = nullptr;
  delete p;
}
//: refused "cannot use 'try' with exceptions disabled" -cl-std=CLC++2021
kernel void f(global int *a) {
  try {
  } catch (int) {
  }
}
//: refused "'typeid' is not supported" -cl-std=CLC++2021
kernel void f(global int *a) { auto &t = typeid(a); }
//: refused "conflicting types for 'f'" -cl-std=CLC++2021
kernel void f(global int *a) {}
kernel void f(global float *a) {}
//: refused "kernel functions cannot be class members" -cl-std=CLC++2021
struct s {
  kernel void f(global int *a) {}
};
//: refused "kernel parameter" -cl-std=CLC++2021
struct s {
  int x;
  s(const s &other) : x(other.x) {}
};
kernel void f(s x) {}
//: refused "kernel parameter" -cl-std=CLC++2021
struct base {
  int x;
};
struct s : base {
  int y;
};
kernel void f(global s *a) {}
//: refused "bit-fields are not supported" -cl-std=CLC++2021
struct s {
  int x : 2;
};
//: refused "array size is not a constant expression" -cl-std=CLC++2021
kernel void f(global int *a) { int list[a[0]]; }
//: refused "variadic arguments are not allowed" -cl-std=CLC++2021
void g(int x, ...);
//: refused "does not support the 'register' storage class specifier" -cl-std=CLC++2021
kernel void f(global int *a) { register int x = 1; }
//: refused "no flexible array members" -cl-std=CLC++1.0 -Werror=restrictions |
//: -cl-std=CLC++2021 -Werror=restrictions
struct s {
  int count;
  int items[];
};
//: refused "recursion is not supported: 'deep::factorial' calls itself" -cl-std=CLC++1.0 | -cl-std=CLC++2021
namespace deep {
int factorial(int n) { return n < 2 ? 1 : n * factorial(n - 1); }
}  // namespace deep
kernel void f(global int *a) { a[0] = deep::factorial(a[1]); }
//: refused "recursion is not supported: 'chain::chain' calls itself" -cl-std=CLC++2021
struct chain {
  int x;
  chain(int n) : x(n) {
    if (n > 0) x += chain(n - 1).x;
  }
};
kernel void f(global int *a) { a[0] = chain(a[1]).x; }
//: refused "recursion is not supported" -cl-std=CLC++2021
kernel void f(global int *a) {
  auto factorial = [](auto self, int n) -> int { return n < 2 ? 1 : n * self(self, n - 1); };
  a[0] = factorial(factorial, a[1]);
}

//: runs -cl-std=CLC++1.0 | -cl-std=CLC++2021
// Code that must build: calls of other instances, constant evaluation, and features of C++17.
constexpr int factorial(int n) { return n < 2 ? 1 : n * factorial(n - 1); }
static_assert(factorial(4) == 24);
template <int n>
int sum() {
  return n + sum<n - 1>();
}
template <>
int sum<0>() {
  return 0;
}
template <typename... T>
int count(T... x) {
  return sizeof...(x);
}
#define LAST(first, ...) __VA_ARGS__
typedef int uniform;
TEST {
  constexpr int value = factorial(5);
  float x = one;
  unsigned long long y = LAST(0, 3);
  CHECK(value == 120 && sum<4>() == 10 && count(one, 2) == 2 && ++x == 2 && y == 3 && __func__[one] == 'e');
}

//: runs -cl-std=CLC++2021
struct square {
  int side;
  square(int s) : side(s) {}
};
struct table {
  int values[8];
  table() {
    for (int i = 0; i < 8; ++i) values[i] = i * i;
  }
};
__global square before(3);
__global int after = before.side + 1;
__global table squares;
TEST { CHECK(before.side == 3 && after == 4 && squares.values[7 * one] == 49); }
//: refused "the initial value of 's' is not known at compile time" -cl-std=CLC++2021
int id() { return get_global_id(0); }
__global int s = id();
kernel void f(global int *a) { a[0] = s; }
//: refused "'c': a program-scope object with a destructor is not supported" -cl-std=CLC++2021
struct closing {
  int value;
  ~closing() { value = 0; }
};
__global closing c;
kernel void f(global int *a) { a[0] = c.value; }
