; Instructions of a level, and look-ups in short constant tables: one instruction for each register.
; RUN: %opt -passes='upsweep-vectorise-lanes<no-rows>,function(instcombine<no-verify-fixpoint>,simplifycfg)' -S %s | FileCheck %s

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

declare i64 @__ups_local_id(i32)
declare i32 @__ups_lane()
declare ptr @__ups_arguments()
declare double @__ups_scale_f64(double, double)

@table = internal constant [16 x double] [double 0.0, double 1.0, double 2.0, double 3.0, double 4.0, double 5.0, double 6.0, double 7.0, double 8.0, double 9.0, double 10.0, double 11.0, double 12.0, double 13.0, double 14.0, double 15.0]
@long = internal constant [17 x double] zeroinitializer

; CHECK-LABEL: define internal void @look_up.full(
; CHECK-COUNT-2: call <8 x double> @llvm.x86.avx512.vpermi2var.pd.512(
; CHECK:         call <16 x double> @llvm.masked.gather
; CHECK-COUNT-2: call <8 x double> @llvm.x86.avx512.mask.scalef.pd.512(
; CHECK:         ret void
define internal void @look_up.item() #0 {
  %arguments = call ptr @__ups_arguments()
  %from = load ptr, ptr %arguments, !invariant.load !0
  %id = call i64 @__ups_local_id(i32 0)
  %here = getelementptr double, ptr %from, i64 %id
  %bits = load i64, ptr %here, align 8
  %index = and i64 %bits, 15
  %place = getelementptr inbounds [16 x double], ptr @table, i64 0, i64 %index
  %value = load double, ptr %place, align 8
  %far = getelementptr inbounds [17 x double], ptr @long, i64 0, i64 %index
  %other = load double, ptr %far, align 8
  %scaled = call double @__ups_scale_f64(double %value, double %other)
  store double %scaled, ptr %here, align 8
  ret void
}

; An id without the lane's number is the same in all lanes, and so is its remainder.
; CHECK-LABEL: define internal void @remainder.full(
; CHECK-NOT:     <16 x i64>
; CHECK:         urem i64
; CHECK-NOT:     <16 x i64>
; CHECK:         load <16 x i32>
; CHECK:         ret void
define internal void @remainder.item() {
  %arguments = call ptr @__ups_arguments()
  %from = load ptr, ptr %arguments, !invariant.load !0
  %length.address = getelementptr i8, ptr %arguments, i64 8
  %length = load i64, ptr %length.address, !invariant.load !0
  %divisor = or i64 %length, 1
  %id = call i64 @__ups_local_id(i32 0)
  %lane = call i32 @__ups_lane()
  %number = zext i32 %lane to i64
  %base = sub i64 %id, %number
  %column = urem i64 %base, %divisor
  %index = add i64 %column, %number
  %place = getelementptr i32, ptr %from, i64 %index
  %value = load i32, ptr %place, align 4
  %here = getelementptr i32, ptr %from, i64 %id
  store i32 %value, ptr %here, align 4
  ret void
}

attributes #0 = { "target-features"="+avx2,+avx512f,+avx512vl,+avx512dq,+fma" }
!0 = !{}
