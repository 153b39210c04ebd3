; A join of two branches that branch again: its phis differ from lane to lane, although each incoming value is uniform among
; the lanes that bring it.
; RUN: %opt -passes='upsweep-vectorise-lanes<no-rows>,function(instcombine,simplifycfg)' -S %s | FileCheck %s

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

declare i64 @__ups_local_id(i32)
declare ptr @__ups_arguments()

; CHECK-LABEL: define internal void @f.full(
; CHECK:       call void @llvm.masked.scatter.v16i32.v16p0(<16 x i32> %{{[0-9]+}},
; CHECK:       ret void
define internal void @f.item() {
entry:
  %arguments = call ptr @__ups_arguments()
  %bins = load ptr, ptr %arguments, !invariant.load !0
  %out.address = getelementptr i8, ptr %arguments, i64 8
  %out = load ptr, ptr %out.address, !invariant.load !0
  %id = call i64 @__ups_local_id(i32 0)
  %low = icmp ult i64 %id, 7
  br i1 %low, label %up, label %down

down:
  %even = trunc i64 %id to i1
  br i1 %even, label %down.more, label %down.end

up:
  %first = icmp eq i64 %id, 0
  br i1 %first, label %up.end, label %up.more

up.more:
  %0 = atomicrmw umax ptr %bins, i32 1 monotonic
  br label %up.end

up.end:
  %1 = atomicrmw umax ptr %bins, i32 23 monotonic
  br label %join

down.more:
  %2 = atomicrmw umax ptr %bins, i32 5 monotonic
  br label %down.end

down.end:
  %high = icmp eq i64 %id, 9
  br i1 %high, label %down.last, label %down.done

down.last:
  %3 = atomicrmw add ptr %bins, i32 3 monotonic
  br label %down.done

down.done:
  br label %join

join:
  %value = phi i32 [ 19, %up.end ], [ 33, %down.done ]
  %place = mul i64 %id, 7
  %at = getelementptr i32, ptr %out, i64 %place
  store i32 %value, ptr %at
  ret void
}

!0 = !{}
