; Plans of control flow that break their rules make no code for lanes, in no build: the kernel stays an item, for scalar code. The
; option breaks the plans, since no kernel is known whose plans are wrong.
; RUN: %opt -upsweep-broken-control -passes=upsweep-vectorise-lanes -S %s | FileCheck %s --check-prefix=BROKEN
; RUN: %opt -passes=upsweep-vectorise-lanes -S %s | FileCheck %s

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

declare i64 @__ups_local_id(i32)
declare ptr @__ups_arguments()

; BROKEN-NOT: .full
; BROKEN-NOT: .row
; BROKEN-NOT: .part
; BROKEN:     define internal void @choice.item(
; BROKEN-NOT: .full
; BROKEN-NOT: .row
; BROKEN-NOT: .part

; CHECK-NOT: @choice.item
; CHECK:     define internal void @choice.full(
; CHECK-NOT: @choice.item
define internal void @choice.item() {
entry:
  %to = call ptr @__ups_arguments()
  %id = call i64 @__ups_local_id(i32 0)
  %here = getelementptr i32, ptr %to, i64 %id
  %own = load i32, ptr %here, align 4
  %odd = trunc i32 %own to i1
  br i1 %odd, label %then, label %join
then:
  store i32 7, ptr %here, align 4
  br label %join
join:
  ret void
}
