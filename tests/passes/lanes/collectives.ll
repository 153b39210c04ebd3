; Sub-group functions are shuffles in log2(lanes) steps, never a loop over lanes.
; RUN: %opt -passes='upsweep-vectorise-lanes<no-rows>,function(instcombine,simplifycfg)' -S %s | FileCheck %s

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

declare i64 @__ups_local_id(i32)
declare i32 @__ups_lane()
declare ptr @__ups_arguments()
declare i32 @__ups_sg_scan_inclusive_add_i32(i32)
declare float @__ups_sg_reduce_fmax_f32(float)
declare i64 @__ups_sg_ballot(i32)
declare i32 @__ups_sg_shuffle_i32(i32, i32)

; CHECK-LABEL: define internal void @scan.full(
; CHECK-COUNT-4: add <16 x i32>
; CHECK-NOT:   add <16 x i32>
; CHECK:       store <16 x i32>
; CHECK:       ret void
define internal void @scan.item() {
  %arguments = call ptr @__ups_arguments()
  %from = load ptr, ptr %arguments, !invariant.load !0
  %id = call i64 @__ups_local_id(i32 0)
  %here = getelementptr i32, ptr %from, i64 %id
  %value = load i32, ptr %here, align 4
  %sum = call i32 @__ups_sg_scan_inclusive_add_i32(i32 %value)
  store i32 %sum, ptr %here, align 4
  ret void
}

; Inactive lanes take part with the operation's identity.
; CHECK-LABEL: define internal void @reduce.part(
; CHECK:       select <16 x i1> {{.*}} float 0xFFF0000000000000
; CHECK-COUNT-4: call <16 x float> @llvm.maxnum.v16f32
; CHECK:       extractelement <16 x float> {{.*}}, i64 0
define internal void @reduce.item() {
  %arguments = call ptr @__ups_arguments()
  %from = load ptr, ptr %arguments, !invariant.load !0
  %id = call i64 @__ups_local_id(i32 0)
  %here = getelementptr float, ptr %from, i64 %id
  %value = load float, ptr %here, align 4
  %most = call float @__ups_sg_reduce_fmax_f32(float %value)
  store float %most, ptr %from, align 4
  ret void
}

; A ballot is the mask. A shuffle by a constant pattern is one instruction, another shuffle is a permutation of registers.
; CHECK-LABEL: define internal void @exchange.full(
; CHECK:       bitcast <16 x i1> {{.*}} to i16
; CHECK:       shufflevector <16 x i32> [[VALUE:%.*]], <16 x i32> poison, <16 x i32> <i32 1, i32 0, i32 3, i32 2,
; CHECK:       call <16 x i32> @llvm.x86.avx512.permvar.si.512(<16 x i32> [[VALUE]]
define internal void @exchange.item() #0 {
  %arguments = call ptr @__ups_arguments()
  %from = load ptr, ptr %arguments, !invariant.load !0
  %id = call i64 @__ups_local_id(i32 0)
  %here = getelementptr i32, ptr %from, i64 %id
  %value = load i32, ptr %here, align 4
  %set = call i64 @__ups_sg_ballot(i32 %value)
  store i64 %set, ptr %from, align 8
  %lane = call i32 @__ups_lane()
  %partner = xor i32 %lane, 1
  %other = call i32 @__ups_sg_shuffle_i32(i32 %value, i32 %partner)
  %third = call i32 @__ups_sg_shuffle_i32(i32 %value, i32 %value)
  %sum = add i32 %other, %third
  store i32 %sum, ptr %here, align 4
  ret void
}

; A counter to which all lanes add is accessed once; a scan gives each lane its old value.
; CHECK-LABEL: define internal void @count.full(
; CHECK-COUNT-1: atomicrmw add
; CHECK-NOT:   atomicrmw
; CHECK:       ret void
define internal void @count.item() {
  %arguments = call ptr @__ups_arguments()
  %from = load ptr, ptr %arguments, !invariant.load !0
  %id = call i64 @__ups_local_id(i32 0)
  %here = getelementptr i32, ptr %from, i64 %id
  %value = load i32, ptr %here, align 4
  %old = atomicrmw add ptr %from, i32 %value monotonic
  %far = getelementptr i32, ptr %here, i64 64
  store i32 %old, ptr %far, align 4
  ret void
}

; The same for a place that all lanes exchange: the last lane's value is stored, and each lane gets the value of the lane
; below.
; CHECK-LABEL: define internal void @swap.full(
; CHECK:       [[LAST:%.*]] = extractelement <16 x i32> [[VALUE:%.*]], i64 15
; CHECK:       [[BEFORE:%.*]] = atomicrmw xchg ptr {{.*}}, i32 [[LAST]] seq_cst
; CHECK-NOT:   atomicrmw
; CHECK:       ret void
define internal void @swap.item() {
  %arguments = call ptr @__ups_arguments()
  %from = load ptr, ptr %arguments, !invariant.load !0
  %id = call i64 @__ups_local_id(i32 0)
  %here = getelementptr i32, ptr %from, i64 %id
  %value = load i32, ptr %here, align 4
  %old = atomicrmw xchg ptr %from, i32 %value seq_cst
  %far = getelementptr i32, ptr %here, i64 64
  store i32 %old, ptr %far, align 4
  ret void
}

!0 = !{}

attributes #0 = { "target-features"="+avx512f" }
