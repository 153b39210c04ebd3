; Uniform values are read from the work-group, at any time; local variables are places in its local memory, and printf calls
; the driver.
; RUN: %opt -passes='upsweep-lower-context,verify,function(instsimplify)' -S %s | FileCheck %s

@tile = internal global [16 x i32] undef, !upsweep.local !0
@second = internal global i64 undef, !upsweep.local !0
@format = internal constant [3 x i8] c"%d\00"

declare i64 @__ups_global_size(i32)
declare i64 @__ups_local_size(i32)
declare i64 @__ups_local_id(i32)
declare i32 @__ups_work_dim()
declare i32 @__ups_lane()
declare i32 @__ups_sub_group_id()
declare i32 @__ups_max_sub_group_size()
declare ptr @__ups_arguments()
declare i1 @__ups_is_local(ptr)
declare i1 @__ups_is_private(ptr)
declare void @__ups_sub_group_barrier(i32)
declare void @__ups_work_group_barrier(i32)
declare i32 @printf(ptr, ...)
declare void @sizes(i64, i64, i32, i32)
declare void @ids(i64, i32, i32)
declare void @spaces(i1, i1, i1)

; CHECK-LABEL: define internal void @asks_for_sizes.lane(ptr noundef align 64 dereferenceable(264) %group
; CHECK-DAG:   %[[Y:.*]] = getelementptr inbounds i8, ptr %group, i64 8{{$}}
; CHECK-DAG:   %[[GLOBAL:.*]] = load i64, ptr %[[Y]], align 8, !invariant.load
; CHECK-DAG:   %[[LOCAL:.*]] = load i64, ptr {{.*}}, align 8, !range ![[RANGE:[0-9]+]]
; CHECK:       %[[DIM:.*]] = trunc i64 {{.*}} to i32
; CHECK:       call void @sizes(i64 %[[GLOBAL]], i64 %[[LOCAL]], i32 %[[DIM]], i32 16)
define internal void @asks_for_sizes.lane(ptr %group, i32 %first, i32 %x, i32 %y, i32 %z) {
  %global = call i64 @__ups_global_size(i32 1)
  %local = call i64 @__ups_local_size(i32 0)
  %dim = call i32 @__ups_work_dim()
  %lanes = call i32 @__ups_max_sub_group_size()
  call void @sizes(i64 %global, i64 %local, i32 %dim, i32 %lanes)
  ret void
}

; One load serves all uses if it certainly runs.
; CHECK-LABEL: define internal void @asks_twice.lane(
; CHECK:       load i64
; CHECK:       br i1
; CHECK-NOT:   load i64
; CHECK:       ret void
define internal void @asks_twice.lane(ptr %group, i32 %first, i32 %x, i32 %y, i32 %z) {
  %some = icmp eq i32 %first, 0
  br i1 %some, label %then, label %end
then:
  %size = call i64 @__ups_global_size(i32 1)
  call void @sizes(i64 %size, i64 %size, i32 0, i32 0)
  br label %end
end:
  %again = call i64 @__ups_global_size(i32 1)
  call void @sizes(i64 %again, i64 %again, i32 0, i32 0)
  ret void
}

; In a unit that waits, the loads keep their places.
; CHECK-LABEL: define internal void @waits.lane(
; CHECK:       call void @__ups_work_group_barrier(i32 1)
; CHECK:       load i64
define internal void @waits.lane(ptr %group, i32 %first, i32 %x, i32 %y, i32 %z, ptr %frame) {
  call void @__ups_work_group_barrier(i32 1)
  %size = call i64 @__ups_global_size(i32 1)
  call void @sizes(i64 %size, i64 %size, i32 0, i32 0)
  ret void
}

; Scratch memory belongs to no kernel: its accesses do not alias others.
; CHECK-LABEL: define internal void @uses_scratch.full(
; CHECK:       load i32, ptr %{{.*}}, !alias.scope ![[SCOPES:[0-9]+]]
; CHECK:       store i32 %{{.*}}, ptr %{{.*}}, !noalias ![[SCOPES]]
define internal void @uses_scratch.full(ptr %group, i32 %first, i32 %x, i32 %y, i32 %z) {
  %scratch = call ptr @__ups_scratch()
  %arguments = call ptr @__ups_arguments()
  %pointer = load ptr, ptr %arguments
  %total = load i32, ptr %scratch
  store i32 %total, ptr %pointer
  ret void
}
declare ptr @__ups_scratch()

; CHECK-LABEL: define internal void @asks_for_ids.lane(
; CHECK:       %[[ID:.*]] = zext i32 %y to i64
; CHECK:       %[[LANE:.*]] = and i32 %first, 15
; CHECK:       %[[SUB_GROUP:.*]] = udiv i32 %first, 16
; CHECK:       call void @ids(i64 %[[ID]], i32 %[[LANE]], i32 %[[SUB_GROUP]])
define internal void @asks_for_ids.lane(ptr %group, i32 %first, i32 %x, i32 %y, i32 %z) {
  %id = call i64 @__ups_local_id(i32 1)
  %lane = call i32 @__ups_lane()
  %sub_group = call i32 @__ups_sub_group_id()
  call void @ids(i64 %id, i32 %lane, i32 %sub_group)
  ret void
}

; Local variables are contiguous. Fences that only order lanes vanish; barriers that wait stay.
; CHECK-LABEL: define internal void @uses_local_memory.full(
; CHECK:       %[[LOCAL:.*]] = load ptr
; CHECK:       %second = getelementptr inbounds i8, ptr %[[LOCAL]], i64 64
; CHECK:       %[[PLACE:.*]] = getelementptr [16 x i32], ptr %[[LOCAL]], i64 0, i64 3
; CHECK:       store i32 1, ptr %[[PLACE]]
; CHECK:       store i64 1, ptr %second
; CHECK-NEXT:  call void @__ups_work_group_barrier(i32 1)
; CHECK-NEXT:  ret void
define internal void @uses_local_memory.full(ptr %group, i32 %first, i32 %x, i32 %y, i32 %z) {
  store i32 1, ptr getelementptr ([16 x i32], ptr @tile, i64 0, i64 3)
  call void @__ups_sub_group_barrier(i32 1)
  store i64 1, ptr @second
  call void @__ups_work_group_barrier(i32 1)
  ret void
}

; A generic pointer is compared with the group's memory; the space of a private variable's pointer is known.
; CHECK-LABEL: define internal void @asks_for_spaces.full(
; CHECK:       icmp uge i64
; CHECK:       icmp ult i64
; CHECK:       %[[IS_LOCAL:.*]] = and i1
; CHECK:       %[[IN_FRAME:.*]] = and i1
; CHECK:       %[[ON_STACK:.*]] = and i1
; CHECK:       %[[IS_PRIVATE:.*]] = or i1 %[[IN_FRAME]], %[[ON_STACK]]
; CHECK:       call void @spaces(i1 %[[IS_LOCAL]], i1 %[[IS_PRIVATE]], i1 true)
define internal void @asks_for_spaces.full(ptr %group, i32 %first, i32 %x, i32 %y, i32 %z) {
  %own = alloca i32
  %arguments = call ptr @__ups_arguments()
  %pointer = load ptr, ptr %arguments
  %is_local = call i1 @__ups_is_local(ptr %pointer)
  %is_private = call i1 @__ups_is_private(ptr %pointer)
  %own_is_private = call i1 @__ups_is_private(ptr %own)
  call void @spaces(i1 %is_local, i1 %is_private, i1 %own_is_private)
  ret void
}

; Arguments are packed at multiples of 8 bytes.
; CHECK-LABEL: define internal void @prints.lane(
; CHECK:       %[[PACKED:.*]] = alloca [4 x i64]
; CHECK:       store i32 7, ptr %[[PACKED]], align 8
; CHECK:       %[[AT_8:.*]] = getelementptr inbounds i8, ptr %[[PACKED]], i64 8
; CHECK:       store <4 x float> zeroinitializer, ptr %[[AT_8]], align 8
; CHECK:       %[[AT_24:.*]] = getelementptr inbounds i8, ptr %[[PACKED]], i64 24
; CHECK:       store double 2.0{{.*}}, ptr %[[AT_24]], align 8
; CHECK:       %[[HOOK:.*]] = load ptr
; CHECK:       call i32 %{{.*}}(ptr %group, ptr @format, ptr %[[PACKED]])
define internal void @prints.lane(ptr %group, i32 %first, i32 %x, i32 %y, i32 %z) {
  %written = call i32 (ptr, ...) @printf(ptr @format, i32 7, <4 x float> zeroinitializer, double 2.0)
  ret void
}

; CHECK: ![[RANGE]] = !{i64 1, i64 1048577}
!0 = !{}
