; Kernels that cannot observe the division into sub-groups: the rest of a row is a separate sub-group.
; RUN: %opt -passes='upsweep-vectorise-lanes,upsweep-lower-context,upsweep-work-group-loop,verify,function(sroa,instcombine,simplifycfg)' \
; RUN:   -S %s | FileCheck %s
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

declare i64 @__ups_local_id(i32)
declare ptr @__ups_arguments()

; Lanes up to the row's end make contiguous accesses under a mask.
; CHECK-LABEL: define internal void @plane.row(
; CHECK:       [[REST:%.*]] = sub i32 %{{.*}}, %x
; CHECK:       [[SPLAT:%.*]] = shufflevector <16 x i32>
; CHECK:       [[MASK:%.*]] = icmp ugt <16 x i32> [[SPLAT]], <i32 0, i32 1, i32 2,
; CHECK:       call <16 x i32> @llvm.masked.load.v16i32.p0(ptr {{.*}}, <16 x i1> [[MASK]]
; CHECK-NOT:   gather
; CHECK:       call void @llvm.masked.store.v16i32.p0(
; CHECK:       ret void

; Any other sub-group has lanes in several rows.
; CHECK-LABEL: define internal void @plane.part(
; CHECK:       call <16 x i32> @llvm.masked.gather
define internal void @plane.item() {
  %arguments = call ptr @__ups_arguments()
  %from = load ptr, ptr %arguments, !invariant.load !0
  %x = call i64 @__ups_local_id(i32 0)
  %y = call i64 @__ups_local_id(i32 1)
  %row = mul i64 %y, 1000
  %index = add i64 %row, %x
  %here = getelementptr i32, ptr %from, i64 %index
  %value = load i32, ptr %here, align 4
  store i32 %value, ptr %here, align 4
  ret void
}

; With one dimension there is only one row.
; CHECK-LABEL: define internal void @line.row(
; CHECK-NOT:   @line.part
define internal void @line.item() {
  %arguments = call ptr @__ups_arguments()
  %from = load ptr, ptr %arguments, !invariant.load !0
  %x = call i64 @__ups_local_id(i32 0)
  %here = getelementptr i32, ptr %from, i64 %x
  store i32 1, ptr %here, align 4
  ret void
}

; Rows that fill at least half of the lanes run one by one, others together.
; CHECK-LABEL: define internal void @plane.entry(
; CHECK:       odd:
; CHECK:       [[WIDE:%.*]] = icmp ugt i32 [[SIZE:%.*]], 7
; CHECK:       br i1 [[WIDE]], label %[[ROW:.*]], label %[[PART:.*]]
; CHECK:       [[ROW]]:
; CHECK:       call void @plane.row(
; CHECK:       [[PART]]:
; CHECK:       call void @plane.part(
; CHECK-LABEL: define internal void @line.entry(
; CHECK:       odd:
; CHECK-NEXT:  call void @line.row(
!0 = !{}
