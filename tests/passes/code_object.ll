; The table that describes a program's kernels to the driver; kernel_abi.h documents the fields.
; RUN: %opt -passes='upsweep-code-object,verify' -S %s | FileCheck %s

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

@counters = global [3 x i32] zeroinitializer, !upsweep.global !9, !upsweep.host !8

; The description's bytes start with the name's length and the name.
; CHECK-DAG: @[[DESCRIPTIONS:.*]] = private unnamed_addr constant [[TYPE:\[[0-9]+ x i8\]]] c"\01\00\00\00\00\00\00\00f{{.*}}reqd_work_group_size(8,4,2) vec_type_hint(uint4) intel_reqd_sub_group_size(8){{.*}}out{{.*}}tile
; CHECK-DAG: @[[KERNELS:.*]] = private {{.*}} [{ ptr, ptr, i64, i64, i32, i32, i32, i32 } { ptr @f.entry, ptr @f.entry, i64 -1, i64 0, i32 1, i32 0, i32 0, i32 0 }]
; Program-scope variables take 12 bytes.
; The host may read them by one name, and read and write them by another.
; CHECK-DAG: @[[FIRST:[0-9]+]] = private {{.*}} c"counters\00"
; CHECK-DAG: @[[SECOND:[0-9]+]] = private {{.*}} c"of the host\00"
; CHECK-DAG: @[[VARIABLES:[0-9]+]] = private {{.*}} [{ ptr, ptr, i64, i64 } { ptr @[[FIRST]], ptr @counters, i64 12, i64 1 }, { ptr, ptr, i64, i64 } { ptr @[[SECOND]], ptr @counters, i64 12, i64 3 }]
; CHECK-DAG: @upsweep.code_object = constant { i32, i32, ptr, ptr, i64, i64, ptr, i64 } { i32 {{[0-9]+}}, i32 1, ptr @[[KERNELS]], ptr @[[DESCRIPTIONS]], i64 {{[0-9]+}}, i64 12, ptr @[[VARIABLES]], i64 2 }
define void @f(ptr %out, <3 x float> %v, ptr align 4 %tile) #0 !kernel_arg_addr_space !0 !kernel_arg_base_type !1
    !kernel_arg_type !1 !kernel_arg_name !2 !kernel_arg_type_qual !3 !kernel_arg_access_qual !4 !reqd_work_group_size !5
    !vec_type_hint !6 !intel_reqd_sub_group_size !7 {
  ret void
}
define internal void @f.entry(ptr %group) {
  ret void
}

attributes #0 = { "upsweep-kernel" "upsweep-argument-info" "uniform-work-group-size"="true" }
!0 = !{i32 1, i32 0, i32 3}
!1 = !{!"int*", !"float3", !"char*"}
!2 = !{!"out", !"v", !"tile"}
!3 = !{!"const volatile", !"", !""}
!4 = !{!"none", !"none", !"none"}
!5 = !{i32 8, i32 4, i32 2}
!6 = !{<4 x i32> undef, i32 0}
!7 = !{i32 8}
!8 = !{!"counters", i32 1, !"of the host", i32 3}
!9 = !{}
