; A cycle with two entries becomes a loop with one, whose header branches on a variable. Other functions do not change.
; RUN: %opt -passes='upsweep-reducible-flow,verify' -S %s | FileCheck %s

; CHECK-LABEL: @two_entries(
; CHECK:       %[[GUARD:Guard[.a-z]*]] = phi i1
; CHECK:       br i1 %[[GUARD]], label %{{first|second}}, label %{{first|second}}
define void @two_entries(i1 %which, i1 %goes_on, ptr %out) {
entry:
  br i1 %which, label %first, label %second
first:
  store i32 1, ptr %out
  br label %second
second:
  store i32 2, ptr %out
  br i1 %goes_on, label %first, label %end
end:
  ret void
}

; CHECK-LABEL: @one_entry(
; CHECK-NOT:   phi
; CHECK:       switch i32
; CHECK:       ret void
define void @one_entry(i1 %goes_on, i32 %kind, ptr %out) {
entry:
  br label %loop
loop:
  switch i32 %kind, label %last [
    i32 0, label %first
    i32 7, label %end
  ]
first:
  store i32 1, ptr %out
  br label %last
last:
  store i32 2, ptr %out
  br i1 %goes_on, label %loop, label %end
end:
  ret void
}
