; Functions that use their work-item are inlined into the kernels' items; other functions may stay calls.
; RUN: split-file %s %t
; RUN: %opt -passes='upsweep-inline-context,verify' -S %t/calls.ll | FileCheck %s
; RUN: not %opt -passes='upsweep-inline-context' -S %t/recursion.ll 2>&1 | FileCheck %s --check-prefix=RECURSION
; RECURSION: error: function 'descend' is recursive, which OpenCL C does not allow

;--- calls.ll
@tile = internal global [16 x i32] undef, !upsweep.local !0
declare i64 @__ups_local_id(i32)
declare i32 @printf(ptr, ...)
declare void @takes(i32)

; CHECK-LABEL: define internal void @f.item()
; CHECK-NOT:   call void @outer
; CHECK:       call i64 @__ups_local_id(i32 0)
; CHECK-NOT:   call i32 @stores_locally
; CHECK:       store i32 5, ptr @tile
; CHECK-NOT:   call i32 @prints
; CHECK:       call i32 (ptr, ...) @printf(
; CHECK-NOT:   call i32 @counts
; CHECK:       atomicrmw add
; CHECK:       call i32 @far_away(
; CHECK-NOT:   call i32 @close_by(
; CHECK:       mul i32
; CHECK:       ret void
define internal void @f.item() {
  call void @outer()
  ret void
}

; Callers get the context as well, noinline or not.
define internal void @outer() noinline {
  %id = call i32 @middle()
  call void @stores_locally()
  call void @prints()
  call void @counts(ptr null)
  %a = call i32 @far_away(i32 %id)
  %b = call i32 @close_by(i32 %a)
  call void @takes(i32 %b)
  ret void
}
define internal i32 @middle() noinline {
  %id = call i64 @__ups_local_id(i32 0)
  %short = trunc i64 %id to i32
  ret i32 %short
}
define internal void @stores_locally() noinline {
  store i32 5, ptr getelementptr ([16 x i32], ptr @tile, i64 0, i64 0)
  ret void
}
define internal void @prints() noinline {
  %written = call i32 (ptr, ...) @printf(ptr null)
  ret void
}
; An atomic operation may be in a loop that must yield.
define internal void @counts(ptr %place) noinline {
  %old = atomicrmw add ptr %place, i32 1 seq_cst
  ret void
}
; CHECK:       define internal i32 @far_away(
define internal i32 @far_away(i32 %x) noinline {
  %y = xor i32 %x, 3
  ret i32 %y
}
define internal i32 @close_by(i32 %x) {
  %y = mul i32 %x, 3
  ret i32 %y
}
!0 = !{}

;--- recursion.ll
declare i64 @__ups_local_id(i32)
define internal void @f.item() {
  %depth = call i64 @descend(i64 3)
  ret void
}
define internal i64 @descend(i64 %n) {
  %id = call i64 @__ups_local_id(i32 0)
  %less = sub i64 %n, %id
  %depth = call i64 @descend(i64 %less)
  ret i64 %depth
}
