; Scalar code: a unit is a single work-item. At a sub-group operation it stores its operands in its record and waits.
; RUN: %opt -passes='upsweep-split-lanes,verify' -S %s | FileCheck %s
; RUN: %opt -passes='upsweep-split-lanes,upsweep-sub-group-runner,verify' -S %s | FileCheck %s --check-prefix=RUNNER

declare i64 @__ups_local_id(i32)
declare i32 @__ups_sg_scan_inclusive_add_i32(i32)
declare i32 @__ups_sg_shuffle_i32(i32, i32)
declare i64 @__ups_sg_ballot(i32)
declare ptr @__ups_arguments()
declare void @use(i32)

; Without sub-group operations only the signature changes.
; CHECK-LABEL: define internal void @plain.lane(ptr %group, i32 %first, i32 %x, i32 %y, i32 %z) {
; CHECK-NEXT:  call void @use(i32 5)
; CHECK-NEXT:  ret void
; RUNNER-NOT:  @plain.sub_group
define internal void @plain.item() {
  call void @use(i32 5)
  ret void
}

; A site's number is its place in the order of control flow, times 8.
; CHECK-LABEL: define internal void @two_sites.lane(
; CHECK:       %[[X:.*]] = trunc i64
; CHECK:       %[[RECORD:.*]] = call ptr @__ups_unit_record()
; CHECK:       %[[OPERAND:.*]] = getelementptr {{.*}}{ i32, i64, i64 }, ptr %[[RECORD]], i32 0, i32 1
; CHECK:       store i32 %[[X]], ptr %[[OPERAND]], align 8
; CHECK-NEXT:  call void @__ups_await_lanes(i32 8)
; CHECK:       %[[SUM:.*]] = load i32, ptr {{.*}}, align 8
; CHECK:       store i32 %[[SUM]], ptr
; CHECK:       %[[SECOND:.*]] = getelementptr {{.*}}{ i32, i64, i64 }, ptr {{.*}}, i32 0, i32 2
; CHECK:       store i32 3, ptr %[[SECOND]], align 8
; CHECK-NEXT:  call void @__ups_await_lanes(i32 16)
; CHECK:       %[[OTHER:.*]] = load i32, ptr
; CHECK:       call void @use(i32 %[[OTHER]])
define internal void @two_sites.item() {
  %id = call i64 @__ups_local_id(i32 0)
  %x = trunc i64 %id to i32
  %sum = call i32 @__ups_sg_scan_inclusive_add_i32(i32 %x)
  %other = call i32 @__ups_sg_shuffle_i32(i32 %sum, i32 3)
  call void @use(i32 %other)
  ret void
}

; Lanes that skip a site in a loop wait at its end, so that no lane is a round ahead of others.
; CHECK-LABEL: define internal void @skipped_in_a_loop.lane(
; CHECK:       then:
; CHECK:       call void @__ups_await_lanes(i32 8)
; CHECK:       latch:
; CHECK:       call void @__ups_await_lanes(i32 16)
; CHECK-NEXT:  br i1
define internal void @skipped_in_a_loop.item() {
entry:
  %arguments = call ptr @__ups_arguments()
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %c = load i1, ptr %arguments
  br i1 %c, label %then, label %latch
then:
  %bits = call i64 @__ups_sg_ballot(i32 1)
  br label %latch
latch:
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, 4
  br i1 %more, label %loop, label %end
end:
  ret void
}

; If all lanes take every round, they need not wait.
; CHECK-LABEL: define internal void @met_in_every_round.lane(
; CHECK:       call void @__ups_await_lanes(i32 8)
; CHECK-NOT:   call void @__ups_await_lanes
; CHECK:       ret void
define internal void @met_in_every_round.item() {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %bits = call i64 @__ups_sg_ballot(i32 %i)
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, 4
  br i1 %more, label %loop, label %end
end:
  ret void
}

; The runner of a sub-group does the operation of the earliest site at which lanes wait.
; RUNNER-LABEL: define internal i32 @two_sites.sub_group(
; RUNNER:       lane:
; RUNNER:       %[[EARLIEST:.*]] = call i32 @llvm.umin.i32(
; RUNNER:       call void @[[SCAN:__ups_sg_scan_inclusive_add_i32.lanes16]](ptr %0, i32 %1, i64 %3, i32 %site)
; RUNNER:       call void @[[SHUFFLE:__ups_sg_shuffle_i32.lanes16]](ptr %0, i32 %1, i64 %3, i32 %site)

; Lanes that are not there, or wait elsewhere, take part in a scan with the identity.
; RUNNER:       define internal void @[[SCAN]](
; RUNNER:       %[[ACTIVE:.*]] = and <16 x i1>
; RUNNER:       %[[VALUES:.*]] = call <16 x i32> @llvm.masked.gather.v16i32.v16p0({{.*}}<16 x i1> %[[ACTIVE]], <16 x i32> zeroinitializer)
; RUNNER-COUNT-4: add <16 x i32>
; RUNNER:       call void @llvm.masked.scatter.v16i32.v16p0(
; RUNNER:       define internal void @[[SHUFFLE]](
