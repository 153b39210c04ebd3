; A 64-bit phi whose users need only the low 32 bits becomes a 32-bit phi, together with its additions.
; RUN: %opt -passes='upsweep-narrow-phis,verify,dce' -S %s | FileCheck %s

; CHECK-LABEL: @stride_loop(
; CHECK:       %[[FIRST:.*]] = trunc i64 %first to i32
; CHECK:       %[[I:.*]] = phi i32 [ %[[FIRST]], %entry ], [ %[[NEXT:.*]], %body ]
; CHECK-NOT:   phi i64
; CHECK:       icmp ult i32 %[[I]], %count
; CHECK:       zext i32 %[[I]] to i64
; CHECK:       %[[STEP:.*]] = trunc i64 %step to i32
; CHECK:       %[[NEXT]] = add i32 %[[I]], %[[STEP]]
; CHECK:       ret void
define void @stride_loop(ptr %to, i64 %first, i64 %step, i32 %count) {
entry:
  br label %header
header:
  %wide = phi i64 [ %first, %entry ], [ %next, %body ]
  %i = trunc i64 %wide to i32
  %more = icmp ult i32 %i, %count
  br i1 %more, label %body, label %end
body:
  %index = and i64 %wide, 4294967295
  %here = getelementptr float, ptr %to, i64 %index
  store float 1.0, ptr %here
  %next = add i64 %index, %step
  br label %header
end:
  ret void
}

; A single user of all bits prevents it.
; CHECK-LABEL: @needs_all(
; CHECK:       phi i64
; CHECK-NOT:   phi i32
; CHECK:       ret i64
define i64 @needs_all(i64 %first, i64 %step, i32 %count) {
entry:
  br label %header
header:
  %wide = phi i64 [ %first, %entry ], [ %next, %header ]
  %i = trunc i64 %wide to i32
  %next = add i64 %wide, %step
  %more = icmp ult i32 %i, %count
  br i1 %more, label %header, label %end
end:
  ret i64 %wide
}
