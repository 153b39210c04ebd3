; Units that wait become coroutines: a function that runs to the first wait, and a function, named by the frame, that
; continues.
; RUN: %opt -passes='upsweep-split-at-waits,verify,function(instsimplify,sroa,simplifycfg)' -S %s | FileCheck %s

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
declare void @__ups_work_group_barrier(i32)
declare void @__ups_yield()
declare void @__ups_await_lanes(i32)
declare ptr @__ups_unit_record()
declare void @use(i32)
declare i32 @get()

; The value that lives across the barrier is in the frame, behind the record. The state (1: at a barrier) is in the record.
; CHECK-LABEL: define {{.*}}void @waits.full(ptr %group, i32 %first, i32 %x, i32 %y, i32 %z, ptr %frame)
; CHECK:       call void @__ups_frame(i64 48, i64 8)
; CHECK:       store ptr @waits.full.resume, ptr
; CHECK:       %[[RECORD:.*]] = getelementptr inbounds %waits.full.Frame, ptr %frame, i32 0, i32 2
; CHECK:       %[[KEPT:.*]] = call i32 @get()
; CHECK:       %[[SPILL:.*]] = getelementptr inbounds %waits.full.Frame, ptr %frame, i32 0, i32 3
; CHECK:       store i32 %[[KEPT]], ptr %[[SPILL]]
; CHECK:       store i32 1, ptr %[[RECORD]]
define internal void @waits.full(ptr %group, i32 %first, i32 %x, i32 %y, i32 %z) {
  %kept = call i32 @get()
  call void @__ups_work_group_barrier(i32 1)
  call void @use(i32 %kept)
  ret void
}

; A pointer to one of several private variables is computed again after the wait, from any number of values. The frame keeps
; these values, not the pointer, since it need not contain a variable that only the pointer reaches.
; CHECK-LABEL: define {{.*}}void @chooses.full(
; CHECK-NOT:   store ptr {{%element|%chosen}}
; CHECK:       ret void
define internal void @chooses.full(ptr %group, i32 %first, i32 %x, i32 %y, i32 %z) {
  %even = alloca [8 x i32]
  %odd = alloca [8 x i32]
  %a = call i32 @get()
  %b = call i32 @get()
  %c = call i32 @get()
  %is_odd = icmp slt i32 %a, %b
  %chosen = select i1 %is_odd, ptr %even, ptr %odd
  %element = getelementptr i32, ptr %chosen, i32 %c
  call void @__ups_work_group_barrier(i32 1)
  store i32 5, ptr %element
  ret void
}

; A unit that never waits, next to one that does, reports immediately that it is done.
; CHECK-LABEL: define {{.*}}void @waits.part(ptr %group, i32 %first, i32 %x, i32 %y, i32 %z, ptr %frame)
; CHECK:       call void @use(i32 %first)
; CHECK:       %[[STATE:.*]] = getelementptr inbounds i8, ptr %frame, i64 16
; CHECK:       store i32 0, ptr %[[STATE]]
; CHECK-NEXT:  ret void
define internal void @waits.part(ptr %group, i32 %first, i32 %x, i32 %y, i32 %z) {
  call void @use(i32 %first)
  ret void
}

; Yields have state 2, sub-group operations the number of their site; the unit's record is the one in the frame.
; CHECK-LABEL: define {{.*}}void @yields.lane(
; CHECK:       store i32 2, ptr
define internal void @yields.lane(ptr %group, i32 %first, i32 %x, i32 %y, i32 %z) {
  call void @__ups_yield()
  %record = call ptr @__ups_unit_record()
  %operand = getelementptr inbounds { i32, i64, i64 }, ptr %record, i32 0, i32 1
  store i32 5, ptr %operand
  call void @__ups_await_lanes(i32 8)
  ret void
}

; CHECK-LABEL: define internal fastcc void @waits.full.resume(
; CHECK:       %[[KEPT:.*]] = load i32, ptr
; CHECK:       call void @use(i32 %[[KEPT]])
; CHECK:       store i32 0, ptr

; CHECK-LABEL: define internal fastcc void @chooses.full.resume(
; CHECK:       %[[PLACE:.*]] = getelementptr i32, ptr %{{.*}}, i32 %
; CHECK:       store i32 5, ptr %[[PLACE]]

; CHECK-LABEL: define internal fastcc void @yields.lane.resume(
; CHECK:       store i32 5, ptr
; CHECK:       store i32 8, ptr
