; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; The kernel of an enqueued block becomes a number, in the order of the module; calls of it stay. Once its function is inlined,
; the literal drops the function's address.
; RUN: %opt -passes=upsweep-number-blocks,upsweep-forget-blocks -S %s | FileCheck %s

declare i32 @enqueue(ptr, ptr)

; CHECK-LABEL: define void @f(
; CHECK: store ptr null, ptr %literal
; CHECK: call i32 @enqueue(ptr inttoptr (i64 1 to ptr), ptr %literal)
; CHECK: call i32 @enqueue(ptr inttoptr (i64 2 to ptr), ptr %literal)
; CHECK: call void @first(ptr %literal)
define void @f(ptr %literal) {
  store ptr @first, ptr %literal
  %1 = call i32 @enqueue(ptr @first_kernel, ptr %literal)
  %2 = call i32 @enqueue(ptr @second_kernel, ptr %literal)
  call void @first(ptr %literal)
  ret void
}

define internal void @first(ptr %literal) {
  ret void
}

define internal void @second(ptr %literal) {
  ret void
}

; CHECK-LABEL: define internal void @first_kernel(
; CHECK: call void @first(
define internal void @first_kernel(ptr %literal) #0 {
  call void @first(ptr %literal)
  ret void
}

define internal void @second_kernel(ptr %literal) #0 {
  call void @second(ptr %literal)
  ret void
}

attributes #0 = { "upsweep-block" }
