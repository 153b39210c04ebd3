; Kernels get an item that takes its arguments from the argument block; by-value structs are copied if they are written.
; RUN: %opt -passes='upsweep-kernel-arguments,verify' -S %s | FileCheck %s --check-prefixes=CHECK,ITEM
; RUN: %opt -passes='upsweep-kernel-arguments,upsweep-inline-context,function(upsweep-copy-arguments),verify' -S %s \
; RUN:   | FileCheck %s --check-prefixes=CHECK,COPY

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
%settings = type { [4 x i32], double }

; Each argument is aligned to its own alignment; local memory is an offset into the work-group's.
; CHECK-LABEL: define internal void @reads.item()
; CHECK-NOT:   alloca
; CHECK:       %[[BLOCK:.*]] = call dereferenceable(64) ptr @__ups_arguments()
; CHECK:       %[[OUT:.*]] = getelementptr inbounds i8, ptr %[[BLOCK]], i64 0
; CHECK:       %out = load ptr, ptr %[[OUT]], align 8, !invariant.load
; CHECK:       %[[N:.*]] = getelementptr inbounds i8, ptr %[[BLOCK]], i64 8
; CHECK:       %n = load i32, ptr %[[N]], align 4, !invariant.load
; CHECK:       %[[TILE:.*]] = getelementptr inbounds i8, ptr %[[BLOCK]], i64 16
; CHECK:       %tile = load i64, ptr %[[TILE]]
; CHECK:       %[[LOCAL:.*]] = call ptr @__ups_local()
; CHECK:       %[[PLACE:.*]] = getelementptr inbounds i8, ptr %[[LOCAL]], i64 %tile
; CHECK:       %fixed = getelementptr inbounds i8, ptr %[[BLOCK]], i64 24
; CHECK:       %[[V:.*]] = getelementptr inbounds i8, ptr %[[BLOCK]], i64 48
; CHECK:       %v = load <4 x float>, ptr %[[V]], align 16
; ITEM:        call void @reads(ptr %out, i32 %n, ptr %[[PLACE]], ptr align 8 %fixed, <4 x float> %v)
; COPY-NOT:    memcpy
; COPY:        load i32, ptr %fixed
; CHECK:       ret void
define void @reads(ptr %out, i32 %n, ptr %tile, ptr byval(%settings) align 8 %fixed, <4 x float> %v) #0
    !kernel_arg_addr_space !0 !kernel_arg_base_type !1 {
  %weight = load i32, ptr %fixed
  store i32 %weight, ptr %out
  store i32 %n, ptr %tile
  ret void
}

; CHECK-LABEL: define internal void @writes.item()
; COPY:        %[[COPY:.*]] = alloca [24 x i8], align 128
; CHECK:       %own = getelementptr inbounds i8
; COPY:        call void @llvm.memcpy.p0.p0.i64(ptr align 128 %[[COPY]], ptr align 1 %own, i64 24, i1 false)
; COPY:        store i32 1, ptr %[[COPY]]
define void @writes(ptr byval(%settings) align 8 %own) #0 !kernel_arg_addr_space !2 !kernel_arg_base_type !3 {
  store i32 1, ptr %own
  ret void
}

; The same if its address escapes.
; CHECK-LABEL: define internal void @gives_away.item()
; COPY:        %[[COPY:.*]] = alloca [24 x i8], align 128
; COPY:        call void @use(ptr %[[COPY]])
declare void @use(ptr)
define void @gives_away(ptr byval(%settings) align 8 %own) #0 !kernel_arg_addr_space !2 !kernel_arg_base_type !3 {
  call void @use(ptr %own)
  ret void
}

attributes #0 = { "upsweep-kernel" }
!0 = !{i32 1, i32 0, i32 3, i32 0, i32 0}
!1 = !{!"int*", !"int", !"int*", !"settings", !"float4"}
!2 = !{i32 0}
!3 = !{!"settings"}
