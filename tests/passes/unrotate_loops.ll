; A test in front of a loop and the same test at its end become one test in a header.
; RUN: %opt -passes='upsweep-unrotate-loops,verify' -S %s | FileCheck %s

declare i64 @__ups_local_size(i32) memory(none) nounwind willreturn
declare void @__ups_work_group_barrier(i32)

; The instructions between the guard and the loop move in front of the guard; the sum behind the loop is the header's.
; CHECK-LABEL: @strided(
; CHECK:       entry:
; CHECK:         %size = call i64 @__ups_local_size(i32 0)
; CHECK-NEXT:    %step = trunc i64 %size to i32
; CHECK-NEXT:    br label %body.test
; CHECK:       body.test:
; CHECK-DAG:     %[[I:.*]] = phi i32 [ %first, %entry ], [ %next, %body ]
; CHECK-DAG:     %[[SUM:.*]] = phi float [ 0.000000e+00, %entry ], [ %sum.next, %body ]
; CHECK:         %[[MORE:.*]] = icmp ult i32 %[[I]], %n
; CHECK-NEXT:    br i1 %[[MORE]], label %body, label %end
; CHECK:       body:
; CHECK:         br label %body.test
; CHECK:       end:
; CHECK-NEXT:    %result = phi float [ %[[SUM]], %body.test ]
define float @strided(ptr %in, i32 %first, i32 %n) {
entry:
  %guard = icmp ugt i32 %n, %first
  br i1 %guard, label %before, label %end
before:
  %size = call i64 @__ups_local_size(i32 0)
  %step = trunc i64 %size to i32
  br label %body
body:
  %i = phi i32 [ %first, %before ], [ %next, %body ]
  %sum = phi float [ 0.0, %before ], [ %sum.next, %body ]
  %here = getelementptr float, ptr %in, i32 %i
  %value = load float, ptr %here
  %sum.next = fadd float %sum, %value
  %next = add i32 %i, %step
  %more = icmp ult i32 %next, %n
  br i1 %more, label %body, label %end
end:
  %result = phi float [ 0.0, %entry ], [ %sum.next, %body ]
  ret float %result
}

; The first test of i < n is n != 0, and of i < 8 with another polarity i > 7. A value behind the loop that no phi of the loop has gets one.
; CHECK-LABEL: @from_zero(
; CHECK:       body.test:
; CHECK-DAG:     %[[I:.*]] = phi i32 [ 0, %entry ], [ %next, %body ]
; CHECK-DAG:     %[[LAST:.*]] = phi i32 [ 7, %entry ], [ %value, %body ]
; CHECK:         icmp ult i32 %[[I]], %n
; CHECK:       end:
; CHECK-NEXT:    phi i32 [ %[[LAST]], %body.test ]
define i32 @from_zero(ptr %in, i32 %n) {
entry:
  %none = icmp eq i32 %n, 0
  br i1 %none, label %end, label %body
body:
  %i = phi i32 [ 0, %entry ], [ %next, %body ]
  %here = getelementptr i32, ptr %in, i32 %i
  %value = load i32, ptr %here
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %body, label %end
end:
  %result = phi i32 [ 7, %entry ], [ %value, %body ]
  ret i32 %result
}
; CHECK-LABEL: @constant_bound(
; CHECK:       body.test:
; CHECK:         %[[I:.*]] = phi i32 [ %first, %entry ], [ %next, %body ]
; CHECK:         icmp ult i32 %[[I]], 8
define void @constant_bound(ptr %in, i32 %first) {
entry:
  %none = icmp ugt i32 %first, 7
  br i1 %none, label %end, label %body
body:
  %i = phi i32 [ %first, %entry ], [ %next, %body ]
  %here = getelementptr i32, ptr %in, i32 %i
  store i32 %i, ptr %here
  %next = add i32 %i, 3
  %more = icmp ult i32 %next, 8
  br i1 %more, label %body, label %end
end:
  ret void
}

; A test of the counter's low bits.
; CHECK-LABEL: @narrow_test(
; CHECK:       body.test:
; CHECK:         %[[I:.*]] = phi i64 [ %first, %entry ], [ %next, %body ]
; CHECK:         %[[LOW:.*]] = trunc i64 %[[I]] to i32
; CHECK:         icmp ult i32 %[[LOW]], %n
define void @narrow_test(ptr %in, i64 %first, i32 %n) {
entry:
  %low = trunc i64 %first to i32
  %guard = icmp ult i32 %low, %n
  br i1 %guard, label %body, label %end
body:
  %i = phi i64 [ %first, %entry ], [ %next, %body ]
  %here = getelementptr i8, ptr %in, i64 %i
  store i8 1, ptr %here
  %next = add i64 %i, 3
  %low.next = trunc i64 %next to i32
  %more = icmp ult i32 %low.next, %n
  br i1 %more, label %body, label %end
end:
  ret void
}

; Nested loops, in both of which work-items meet.
; CHECK-LABEL: @nested(
; CHECK:       outer.test:
; CHECK:         icmp slt i32 %{{.*}}, %n
; CHECK:       inner.test:
; CHECK:         icmp slt i32 %{{.*}}, %m
define void @nested(i32 %first, i32 %n, i32 %m) {
entry:
  %guard = icmp slt i32 %first, %n
  br i1 %guard, label %outer, label %end
outer:
  %i = phi i32 [ %first, %entry ], [ %i.next, %outer.end ]
  %inner.guard = icmp sgt i32 %m, %i
  br i1 %inner.guard, label %inner, label %outer.end
inner:
  %k = phi i32 [ %i, %outer ], [ %k.next, %inner ]
  call void @__ups_work_group_barrier(i32 1)
  %k.next = add i32 %k, 1
  %inner.more = icmp slt i32 %k.next, %m
  br i1 %inner.more, label %inner, label %outer.end
outer.end:
  call void @__ups_work_group_barrier(i32 1)
  %i.next = add i32 %i, 1
  %more = icmp slt i32 %i.next, %n
  br i1 %more, label %outer, label %end
end:
  ret void
}

; Other tests, loads in front of the loop, and tests of memory stay.
; CHECK-LABEL: @other_bound(
; CHECK-NOT:   .test
; CHECK-LABEL: @loaded_before(
; CHECK-NOT:   .test
; CHECK-LABEL: @polls(
; CHECK-NOT:   .test
define void @other_bound(ptr %in, i32 %first, i32 %n, i32 %m) {
entry:
  %guard = icmp ult i32 %first, %m
  br i1 %guard, label %body, label %end
body:
  %i = phi i32 [ %first, %entry ], [ %next, %body ]
  store i32 %i, ptr %in
  %next = add i32 %i, 3
  %more = icmp ult i32 %next, %n
  br i1 %more, label %body, label %end
end:
  ret void
}
define void @loaded_before(ptr %in, i32 %first, i32 %n) {
entry:
  %guard = icmp ult i32 %first, %n
  br i1 %guard, label %before, label %end
before:
  %step = load i32, ptr %in
  br label %body
body:
  %i = phi i32 [ %first, %before ], [ %next, %body ]
  store i32 %i, ptr %in
  %next = add i32 %i, %step
  %more = icmp ult i32 %next, %n
  br i1 %more, label %body, label %end
end:
  ret void
}
define void @polls(ptr %flag) {
entry:
  %first = load i32, ptr %flag
  %guard = icmp eq i32 %first, 0
  br i1 %guard, label %body, label %end
body:
  %now = load i32, ptr %flag
  %more = icmp eq i32 %now, 0
  br i1 %more, label %body, label %end
end:
  ret void
}
