; A function that has a cycle with two entries becomes structured: its loop has one entry, whose block branches on a variable, and
; one exit. Other functions do not change.
; RUN: %opt -passes='upsweep-reducible-flow,verify' -S %s | FileCheck %s

; CHECK-LABEL: @two_entries(
; CHECK-SAME:  #[[HAD:[0-9]+]] {
; CHECK:       %[[GUARD:Guard[.a-z]*]] = phi i1
; CHECK:       br i1 %[[GUARD]], label %{{first|second|Flow}}, label %{{first|second|Flow}}
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
; CHECK-SAME:  ptr %out) {
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

; CHECK: attributes #[[HAD]] = { "upsweep-had-irreducible-flow" }
