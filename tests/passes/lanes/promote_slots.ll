; Slots become values: phis where different values meet, none if one store dominates.
; RUN: %opt -passes='upsweep-promote-slots,verify' -S %s | FileCheck %s

; CHECK-LABEL: @branch(
; CHECK-NOT:   alloca
; CHECK:       join:
; CHECK-NEXT:  %[[SLOT:.*]] = phi i32 [ %a, %then ], [ 7, %entry ]
; CHECK-NEXT:  ret i32 %[[SLOT]]
define i32 @branch(i1 %c, i32 %a) {
entry:
  %slot = alloca i32
  store i32 7, ptr %slot
  br i1 %c, label %then, label %join
then:
  store i32 %a, ptr %slot
  br label %join
join:
  %value = load i32, ptr %slot
  ret i32 %value
}

; CHECK-LABEL: @only_store(
; CHECK-NOT:   phi
; CHECK:       ret i32 %a
define i32 @only_store(i1 %c, i32 %a) {
entry:
  %slot = alloca i32
  store i32 %a, ptr %slot
  br i1 %c, label %then, label %join
then:
  br label %join
join:
  %value = load i32, ptr %slot
  ret i32 %value
}

; A value continues from round to round; the inner loop, which does not change it, has no phi for it.
; CHECK-LABEL: @loops(
; CHECK:       outer:
; CHECK-NEXT:  %[[SUM:.*]] = phi i32 [ 0, %entry ], [ %[[NEXT:.*]], %latch ]
; CHECK:       inner:
; CHECK-NOT:   phi i32
; CHECK:       latch:
; CHECK-NEXT:  %[[NEXT]] = add i32 %[[SUM]], %a
; CHECK:       end:
; CHECK-NEXT:  ret i32 %[[NEXT]]
define i32 @loops(i32 %a) {
entry:
  %sum = alloca i32
  store i32 0, ptr %sum
  br label %outer
outer:
  br label %inner
inner:
  %again = call i1 @condition()
  br i1 %again, label %inner, label %latch
latch:
  %old = load i32, ptr %sum
  %new = add i32 %old, %a
  store i32 %new, ptr %sum
  %more = call i1 @condition()
  br i1 %more, label %outer, label %end
end:
  %last = load i32, ptr %sum
  ret i32 %last
}
declare i1 @condition()

; An unreachable access disappears with its slot.
; CHECK-LABEL: @unreachable(
; CHECK-NOT:   load
; CHECK:       ret i32 3
define i32 @unreachable() {
entry:
  %slot = alloca i32
  store i32 3, ptr %slot
  %value = load i32, ptr %slot
  ret i32 %value
dead:
  %other = load i32, ptr %slot
  ret i32 %other
}
