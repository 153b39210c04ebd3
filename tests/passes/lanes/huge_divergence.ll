; The divergence analysis for functions of many blocks, here for all functions. Phis at the joins of divergent branches, and
; values that leave divergent loops, are vectors; values of uniform control flow are scalars. The second run uses LLVM's
; analysis, with the same result.
; RUN: %opt -upsweep-long-functions-divisor=1000 -passes='upsweep-vectorise-lanes<no-rows>' -S %s | FileCheck %s
; RUN: %opt -passes='upsweep-vectorise-lanes<no-rows>' -S %s | FileCheck %s

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

declare i64 @__ups_local_id(i32)
declare ptr @__ups_arguments()

; CHECK-LABEL: define internal void @join.full(
; CHECK:       store <16 x i32> %{{.*}}, ptr
; CHECK:       ret void
define internal void @join.item() {
entry:
  %to = call ptr @__ups_arguments()
  %id = call i64 @__ups_local_id(i32 0)
  %here = getelementptr i32, ptr %to, i64 %id
  %own = load i32, ptr %here, align 4
  %odd = trunc i32 %own to i1
  br i1 %odd, label %then, label %join
then:
  fence seq_cst
  br label %join
join:
  %value = phi i32 [ 7, %then ], [ 9, %entry ]
  %place = getelementptr i32, ptr %here, i64 64
  store i32 %value, ptr %place, align 4
  ret void
}

; CHECK-LABEL: define internal void @uniform_join.full(
; CHECK:       phi i32 [ 7, %{{.*}} ], [ 9, %{{.*}} ]
; CHECK:       ret void
define internal void @uniform_join.item() {
entry:
  %to = call ptr @__ups_arguments()
  %id = call i64 @__ups_local_id(i32 0)
  %here = getelementptr i32, ptr %to, i64 %id
  %n = load i32, ptr %to, align 4, !invariant.load !0
  %odd = trunc i32 %n to i1
  br i1 %odd, label %then, label %join
then:
  fence seq_cst
  br label %join
join:
  %value = phi i32 [ 7, %then ], [ 9, %entry ]
  store i32 %value, ptr %here, align 4
  ret void
}

; The counter is uniform in the loop, and differs from lane to lane behind it.
; CHECK-LABEL: define internal void @left_loop.full(
; CHECK:       store <16 x i32> %{{.*}}, ptr
; CHECK:       ret void
define internal void @left_loop.item() {
entry:
  %to = call ptr @__ups_arguments()
  %id = call i64 @__ups_local_id(i32 0)
  %here = getelementptr i32, ptr %to, i64 %id
  %own = load i32, ptr %here, align 4
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %next, %loop ]
  %next = add i32 %k, 1
  fence seq_cst
  %more = icmp ult i32 %next, %own
  br i1 %more, label %loop, label %end
end:
  store i32 %next, ptr %here, align 4
  ret void
}

!0 = !{}
