; Blocks are divided into parts from the end on, and short blocks are unchanged. Here they are divided from 4 instructions on,
; into parts of 2, one of them a branch.
; RUN: %opt -upsweep-long-functions-divisor=1000 -passes='upsweep-cut-long-blocks,verify' -S %s | FileCheck %s

; CHECK-LABEL: @long(
; CHECK:       entry:
; CHECK-NEXT:    %slot = alloca i32
; CHECK-NEXT:    %v0 = add i32 %a, 1
; CHECK-NEXT:    %v1 = mul i32 %v0, %a
; CHECK-NEXT:    br label %[[SECOND:.*]]
; CHECK:       [[SECOND]]:
; CHECK-NEXT:    %v2 = add i32 %v1, 3
; CHECK-NEXT:    br label %[[THIRD:.*]]
; CHECK:       [[THIRD]]:
; CHECK-NEXT:    store i32 %v2, ptr %slot
; CHECK-NEXT:    br label %[[FOURTH:.*]]
; CHECK:       [[FOURTH]]:
; CHECK-NEXT:    %v3 = load i32, ptr %slot
; CHECK-NEXT:    ret i32 %v3
define i32 @long(i32 %a) {
entry:
  %slot = alloca i32
  %v0 = add i32 %a, 1
  %v1 = mul i32 %v0, %a
  %v2 = add i32 %v1, 3
  store i32 %v2, ptr %slot
  %v3 = load i32, ptr %slot
  ret i32 %v3
}

; Variables and phis stay at the beginning of their block, even if it gets longer.
; CHECK-LABEL: @variables(
; CHECK-NEXT:  entry:
; CHECK-NEXT:    %a = alloca i32
; CHECK-NEXT:    %b = alloca i32
; CHECK-NEXT:    %c = alloca i32
; CHECK-NEXT:    %d = alloca i32
; CHECK-NEXT:    br label %[[NEXT:.*]]
; CHECK:       [[NEXT]]:
; CHECK-NEXT:    call void @use(ptr %a, ptr %b, ptr %c, ptr %d)
; CHECK-NEXT:    br label
define void @variables() {
entry:
  %a = alloca i32
  %b = alloca i32
  %c = alloca i32
  %d = alloca i32
  call void @use(ptr %a, ptr %b, ptr %c, ptr %d)
  call void @use(ptr %a, ptr %b, ptr %c, ptr %d)
  ret void
}
declare void @use(ptr, ptr, ptr, ptr)

; CHECK-LABEL: @short(
; CHECK-NOT:   br
; CHECK:       }
define i32 @short(i32 %a) {
  %v0 = add i32 %a, 1
  %v1 = mul i32 %v0, %a
  ret i32 %v1
}
