; The table by which the driver knows a program's kernels: kernel_abi.h says what the fields are.
; RUN: %opt -passes='upsweep-code-object,verify' -S %s | FileCheck %s

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

@counters = global [3 x i32] zeroinitializer, !upsweep.global !9

; Name, type name, kind, address, access and type qualifiers, offset, size, alignment.
; CHECK-DAG: @[[OUT:.*]] = private unnamed_addr constant [4 x i8] c"out\00"
; CHECK-DAG: @[[V:.*]] = private unnamed_addr constant [2 x i8] c"v\00"
; CHECK-DAG: @[[TILE:.*]] = private unnamed_addr constant [5 x i8] c"tile\00"
; CHECK-DAG: @[[NAME:.*]] = private unnamed_addr constant [2 x i8] c"f\00"
; CHECK-DAG: c"reqd_work_group_size(8,4,2) vec_type_hint(uint4) intel_reqd_sub_group_size(8)\00"
; CHECK-DAG: @[[ARGUMENTS:.*]] = private {{.*}} { ptr @[[OUT]], ptr @{{.*}}, i32 1, i32 4507, i32 4515, i32 5, i32 0, i32 8, i32 8, i32 0 }, {{.*}} { ptr @[[V]], ptr @{{.*}}, i32 0, i32 4510, i32 4515, i32 0, i32 16, i32 16, i32 16, i32 0 }, {{.*}} { ptr @[[TILE]], ptr @{{.*}}, i32 3, i32 4508, i32 4515, i32 0, i32 32, i32 8, i32 16, i32 0 }

; Name, attributes, entry, arguments and their bytes; memory; sizes; flags. Program-scope variables take 12 bytes.
; CHECK-DAG: @[[KERNELS:.*]] = private {{.*}} { ptr @[[NAME]], ptr @{{.*}}, ptr @f.entry, ptr @[[ARGUMENTS]], i32 3, i32 40, i64 0, i64 0, i64 0, i64 0, i32 1, i32 16, [3 x i32] [i32 8, i32 4, i32 2], [3 x i32] zeroinitializer, i32 8, i32 1, i32 1, i32 0, i32 0 }
; CHECK-DAG: @upsweep_code_object = constant { i32, i32, ptr, i64 } { i32 5, i32 1, ptr @[[KERNELS]], i64 12 }
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
!9 = !{}
