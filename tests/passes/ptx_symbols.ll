; Names that PTX forbids get other names; a name that another symbol has gets a number.
; RUN: %opt -passes=upsweep-ptx-symbols -S %s | FileCheck %s
target triple = "nvptx64-nvidia-cuda"

; CHECK-DAG: @a_value = internal addrspace(1) global i32 1
@"a value" = internal addrspace(1) global i32 1
; CHECK-DAG: @plain = internal addrspace(1) global i32 2
@plain = internal addrspace(1) global i32 2

; CHECK-DAG: define ptx_kernel void @caf__(
define ptx_kernel void @"caf\C3\A9"(ptr addrspace(1) %p) {
; CHECK-DAG: call void @_internal_1()
  call void @".internal.1"()
  %v = load i32, ptr addrspace(1) @"a value"
  store i32 %v, ptr addrspace(1) %p
  ret void
}
; CHECK-DAG: define ptx_kernel void @"caf__$edges"(
define ptx_kernel void @"caf\C3\A9$edges"(ptr addrspace(1) %p) {
  ret void
}
; CHECK-DAG: define ptx_kernel void @caf__{{[0-9]+}}(
define ptx_kernel void @"caf\C3\A8"() {
  ret void
}
; CHECK-DAG: define ptx_kernel void @symbol__(
define ptx_kernel void @_() {
  ret void
}
; CHECK-DAG: define ptx_kernel void @symbol_WARP_SZ(
define ptx_kernel void @WARP_SZ() {
  ret void
}
; CHECK-DAG: define ptx_kernel void @symbol_1st_kernel(
define ptx_kernel void @"1st kernel"() {
  ret void
}
; CHECK-DAG: define ptx_kernel void @a_b(
define ptx_kernel void @a.b() {
  ret void
}

; PTX's own words are names.
; CHECK-DAG: define ptx_kernel void @add(
define ptx_kernel void @add() {
  ret void
}
; CHECK-DAG: define ptx_kernel void @"a$b"(
define ptx_kernel void @"a$b"() {
  ret void
}
; CHECK-DAG: define ptx_kernel void @_Z1f(
define ptx_kernel void @_Z1f() {
  ret void
}

define internal void @".internal.1"() noinline {
  ret void
}
declare void @llvm.trap()
