; Marked gathers and scatters become vector accesses if lanes are contiguous. Addresses that differ by uniform values share a
; test, where their common part is defined; others are unchanged.
; RUN: %opt -passes='upsweep-likely-rows,verify' -S %s | FileCheck %s

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

; CHECK-LABEL: define void @shared(
; CHECK:       %places = zext
; CHECK-NEXT:  %[[KNOWN:.*]] = freeze <4 x i64> %places
; CHECK:       %in_row = icmp eq <4 x i64> %[[KNOWN]],
; CHECK-NOT:   freeze
; CHECK:       br i1 %row
; CHECK:       load <4 x float>, ptr
; CHECK:       call <4 x float> @llvm.masked.gather
; CHECK:       add <4 x i64> %splat, %[[KNOWN]]
; CHECK-NOT:   icmp eq <4 x i64>
; CHECK:       %[[IDLE:.*]] = xor <4 x i1> %mask,
; CHECK:       or <4 x i1> %in_row, %[[IDLE]]
; CHECK:       br i1 %row
; CHECK:       call void @llvm.masked.store
; CHECK:       call void @llvm.masked.scatter
; CHECK:       ret void
define void @shared(ptr %in, ptr %out, <4 x i32> %index, i64 %row_of_all, <4 x i1> %mask) {
  %places = zext <4 x i32> %index to <4 x i64>
  %from = getelementptr float, ptr %in, <4 x i64> %places
  %data = call <4 x float> @llvm.masked.gather.v4f32.v4p0(<4 x ptr> %from, i32 4, <4 x i1> <i1 true, i1 true, i1 true, i1 true>, <4 x float> poison), !upsweep.likely_row !0
  %insert = insertelement <4 x i64> poison, i64 %row_of_all, i64 0
  %splat = shufflevector <4 x i64> %insert, <4 x i64> poison, <4 x i32> zeroinitializer
  %moved = add nsw <4 x i64> %splat, %places
  %bytes = shl <4 x i64> %moved, <i64 2, i64 2, i64 2, i64 2>
  %to = getelementptr i8, ptr %out, <4 x i64> %bytes
  call void @llvm.masked.scatter.v4f32.v4p0(<4 x float> %data, <4 x ptr> %to, i32 4, <4 x i1> %mask), !upsweep.likely_row !0
  ret void
}

; A 32-bit index is extended last: the test is on the addresses.
; CHECK-LABEL: define <4 x i16> @narrow_index(
; CHECK:       freeze <4 x i64> %places
define <4 x i16> @narrow_index(ptr %in, <4 x i32> %index) {
  %next = add <4 x i32> %index, <i32 1, i32 1, i32 1, i32 1>
  %places = zext <4 x i32> %next to <4 x i64>
  %from = getelementptr i16, ptr %in, <4 x i64> %places
  %data = call <4 x i16> @llvm.masked.gather.v4i16.v4p0(<4 x ptr> %from, i32 2, <4 x i1> <i1 true, i1 true, i1 true, i1 true>, <4 x i16> poison), !upsweep.likely_row !0
  ret <4 x i16> %data
}

; CHECK-LABEL: define <4 x float> @constants(
; CHECK-NOT:   br i1
; CHECK:       ret <4 x float>
@table = internal constant [8 x float] zeroinitializer
define <4 x float> @constants() {
  %data = call <4 x float> @llvm.masked.gather.v4f32.v4p0(<4 x ptr> getelementptr (float, ptr @table, <4 x i64> <i64 0, i64 1, i64 2, i64 3>), i32 4, <4 x i1> <i1 true, i1 true, i1 true, i1 true>, <4 x float> poison), !upsweep.likely_row !0
  ret <4 x float> %data
}

; CHECK-LABEL: define <4 x float> @unmarked(
; CHECK-NOT:   br i1
; CHECK:       ret <4 x float>
define <4 x float> @unmarked(ptr %in, <4 x i64> %places) {
  %from = getelementptr float, ptr %in, <4 x i64> %places
  %data = call <4 x float> @llvm.masked.gather.v4f32.v4p0(<4 x ptr> %from, i32 4, <4 x i1> <i1 true, i1 true, i1 true, i1 true>, <4 x float> poison)
  ret <4 x float> %data
}

!0 = !{}
