// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sections 1.1.7 and 1.4: the components of vectors in every spelling, and operations component by component.

//: runs
TEST {
  int4 v = (int4)(10, 20, 30, 40 * one);
  CHECK(v.x == 10 && v.y == 20 && v.z == 30 && v.w == 40 && v.s0 == 10 && v.S3 == 40);
  CHECK(all(v.wzyx == (int4)(40, 30, 20, 10)) && all(v.xxyy == (int4)(10, 10, 20, 20)) && all(v.s32 == (int2)(40, 30)));
  CHECK(all(v.lo == v.xy) && all(v.hi == v.zw) && all(v.even == v.xz) && all(v.odd == v.yw) && v.hi.lo == 30 && v.odd.hi == 40);
  CHECK(v.xyz.z == 30 && v.zyx.zy.x == 10 && v.xyzw.s12.y == 30);
  int3 t = (int3)(1, 2, 3 * one);
  CHECK(t.lo.y == 2 && t.hi.x == 3 && t.even.x == 1 && t.even.y == 3 && t.odd.x == 2 && t.zzz.y == 3);
  int16 w = (int16)(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15 * one);
  CHECK(w.sa == 10 && w.sA == 10 && w.sF == 15 && w.sf == 15 && w.Sc == 12 && all(w.s0f1e == (int4)(0, 15, 1, 14)));
  CHECK(w.even.s7 == 14 && w.odd.hi.lo.y == 11 && w.hi.s0 == 8 && all(w.sFEDCba98 == (int8)(15, 14, 13, 12, 11, 10, 9, 8)));
  CHECK(w.lo.hi.even.y == 6 && w.xyzw.w == 3 && w.s3 == w.w);
}

//: runs -cl-std=CL3.0 -Wno-float-increment
TEST {
  float4 p = (float4)(0), q;
  p.xw = (float2)(5, 6 * one);
  CHECK(p.x == 5 && p.y == 0 && p.w == 6);
  p.wx = (float2)(7, 8);
  CHECK(p.x == 8 && p.w == 7);
  p.xyz = (float3)(3, 5, 9);
  p.lo += 1;
  p.even *= (float2)(2);
  p.hi.y -= 1;
  CHECK(all(p == (float4)(8, 6, 18, 6)));
  q = p.wzyx.s0123;
  q.s12 = q.s21;
  CHECK(all(q == (float4)(6, 6, 18, 8)));
  q.odd = q.even;
  CHECK(all(q == (float4)(6, 6, 18, 18)));
  // A vector that is its own source.
  q = (float4)(1, 2, 3, 4 * one);
  q.xyzw = q.wxyz;
  CHECK(all(q == (float4)(4, 1, 2, 3)));
  q.s0++;
  --q.y;
  CHECK(q.x == 5 && q.y == 0);
  // Like an array.
  q[one] = 11;
  CHECK(q.y == 11 && q[2 * one] == 2 && (&q)[0].y == 11);
}

//: runs
TEST {
  // Through pointers, in structs, in arrays, in every address space.
  struct {
    char tag;
    uchar8 list[2];
  } s = {1, {(uchar8)(2), (uchar8)(3)}};
  s.list[one].s35 = (uchar2)(9, 8);
  CHECK(s.list[1].s3 == 9 && s.list[1].s5 == 8 && s.list[1].s4 == 3 && s.list[0].s3 == 2);
  local short4 here[2];
  local short4 *there = here + one;
  there->zw = (short2)(5, 6);
  there->xy = there->wz;
  CHECK(here[1].x == 6 && there->y == 5 && (*there).hi.y == 6);
  local float *f = (local float *)here;
  local float3 *three = (local float3 *)(local void *)here;
  vstore3((float3)(1, 2, one * 3), 0, f);
  CHECK(f[2] == 3 && three->z == 3 && vload2(1, f).x == 3);
}

//: refused "illegal vector component name"
kernel void f(global int4 *a) { a[0].q = 1; }
//: refused "vector component access exceeds type"
kernel void f(global int2 *a) { a[0].z = 1; }
//: refused "vector component access exceeds type"
kernel void f(global int8 *a) { a[0].s8 = 1; }
//: refused "illegal vector component name 's'"
kernel void f(global int4 *a) { a[0].xs1 = 1; }
//: refused "illegal vector component name 'z'"
kernel void f(global int16 *a) { a[0].s0z = 1; }
//: refused "vector is not assignable (contains duplicate components)"
kernel void f(global int4 *a) { a[0].xx = (int2)(1); }
//: refused "vector component access has invalid length 5"
kernel void f(global int8 *a) { a[0].s01234 = a[1].s01234; }
//: refused "address of vector element requested"
kernel void f(global int4 *a) { global int2 *p = &a[0].xy; }
//: refused "address of vector element requested"
kernel void f(global int4 *a) { global int *p = &a[0].x; }
//: refused "is not a structure or union"
kernel void f(global int *a) { a[0] = a[1].x; }
//: refused "from incompatible type '__global int2'"
kernel void f(global int4 *a) { a[0].xyz = a[1].xy; }
//: refused "use of undeclared identifier 'int5'"
kernel void f(global int *a) { int5 v; }
//: refused "use of undeclared identifier 'bool4'"
kernel void f(global int *a) { bool4 v; }
// A vector literal is not an l-value.
//: warned "a vector literal is not an l-value"
kernel void f(global int2 *a) { (int2)(1, 2) = a[0]; }
//: warned "a vector literal is not an l-value"
kernel void f(global int *a) { ((int2)(1, 2)).y += a[0]; }
//: warned "a vector literal is not an l-value"
kernel void f(global int *a) { ++(int2)(1, 2); }
//: refused "cannot take the address of an rvalue"
kernel void f(global int *a) { int2 *p = &(int2)(1, 2); }
//: runs
// A compound literal of C99 is an l-value.
TEST {
  int2 *p = &(int2){1, 2};
  ((int2){1, 2}).x = 3;
  CHECK(p->y == 2 * one);
}
