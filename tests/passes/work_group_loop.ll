; The loop over the units of a work-group, with further rounds for units that wait.
; RUN: %opt -passes='upsweep-split-at-waits,upsweep-work-group-loop,verify,function(sroa,simplifycfg,instcombine)' -S %s \
; RUN:   | FileCheck %s --check-prefixes=CHECK,WAITS
; RUN: %opt -passes='upsweep-work-group-loop,verify,function(sroa,simplifycfg,instcombine)' -S %s \
; RUN:   | FileCheck %s --check-prefixes=CHECK,ONCE

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
declare void @__ups_work_group_barrier(i32)
declare void @use(i32)

; A sub-group is full if it lies in a single row: full sub-groups of a row run in a loop. The rest of a row starts a sub-group
; that extends into the next row, or rows, or beyond the last work-item.
; CHECK-LABEL: define internal void @f.entry(ptr noundef align 64 dereferenceable(264) %group)
; CHECK:       row:
; CHECK:       br i1 {{.*}}, label %rest, label %unit
; CHECK:       {{^}}unit:
; WAITS:       call void @f.full(ptr nonnull %group, i32 %{{.*}}, i32 %[[X:.*]], i32 %{{.*}}, i32 %{{.*}}, ptr %frame)
; WAITS:       %[[STATE:.*]] = load i32, ptr
; WAITS:       or i32 %{{.*}}, %[[STATE]]
; ONCE:        call void @f.full(ptr nonnull %group, i32 %{{.*}}, i32 %[[X:.*]], i32 %{{.*}}, i32 %{{.*}})
; CHECK:       %[[NEXT:.*]] = add nuw i32 %[[X]], 32
; CHECK:       %[[OVER:.*]] = icmp ugt i32 %[[NEXT]],
; CHECK:       br i1 %[[OVER]], label %rest, label %unit
; CHECK:       rest:
; CHECK:       odd:
; CHECK:       call void @f.part(ptr nonnull %group
; CHECK:       wrap:
; CHECK:       sub nuw i32

; Rounds go on until no unit waits any more; those at a barrier are resumed in the order of their ids.
; WAITS:       check:
; WAITS:       icmp eq i32 %{{.*}}, 0
; WAITS:       br i1 %{{.*}}, label %exit, label %pass
; WAITS:       resume:
; WAITS:       %[[RESUME:.*]] = load ptr, ptr %[[FRAME:.*]], align
; WAITS:       call fastcc void %[[RESUME]](ptr
; ONCE-NOT:    resume
define internal void @f.full(ptr %group, i32 %first, i32 %x, i32 %y, i32 %z) {
  call void @__ups_work_group_barrier(i32 1)
  call void @use(i32 %first)
  ret void
}
define internal void @f.part(ptr %group, i32 %first, i32 %x, i32 %y, i32 %z) {
  call void @use(i32 %first)
  ret void
}
