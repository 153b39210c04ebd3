; Branches and loops of a sub-group.
; RUN: %opt -passes='upsweep-vectorise-lanes<no-rows>,function(instcombine<no-verify-fixpoint>,simplifycfg)' -S %s | FileCheck %s

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

declare i64 @__ups_local_id(i32)
declare ptr @__ups_arguments()

; A loop that all lanes leave together keeps its scalar counter and branch, also under a divergent guard.
; CHECK-LABEL: define internal void @uniform_loop.full(
; CHECK:       br i1 {{.*}}, label %end, label %[[LOOP:.*]]
; CHECK:       [[LOOP]]:
; CHECK:       phi i64
; CHECK-NOT:   llvm.vector.reduce
; CHECK:       [[DONE:%.*]] = icmp eq i64
; CHECK-NEXT:  br i1 [[DONE]]
define internal void @uniform_loop.item() {
entry:
  %arguments = call ptr @__ups_arguments()
  %from = load ptr, ptr %arguments, !invariant.load !0
  %n = load i64, ptr %from, align 8
  %id = call i64 @__ups_local_id(i32 0)
  %here = getelementptr i32, ptr %from, i64 %id
  %bound = load i32, ptr %here, align 4
  %guard = icmp sgt i32 %bound, 7
  br i1 %guard, label %loop, label %end

loop:
  %k = phi i64 [ 0, %entry ], [ %k.next, %loop ]
  %sum = phi i32 [ 0, %entry ], [ %sum.next, %loop ]
  %other = getelementptr i32, ptr %here, i64 %k
  %value = load i32, ptr %other, align 4
  %sum.next = add i32 %sum, %value
  %k.next = add i64 %k, 1
  %done = icmp eq i64 %k.next, %n
  br i1 %done, label %store, label %loop

store:
  store i32 %sum.next, ptr %here, align 4
  br label %end

end:
  ret void
}

; A guard on numbers that step from lane to lane is tested with the first and the last; a mask is needed only if these differ.
; CHECK-LABEL: define internal void @guard.full(
; CHECK:       [[BELOW:%.*]] = icmp ugt i64 [[N:%.*]], [[ID:%.*]]
; CHECK:       [[ROOM:%.*]] = sub i64 [[N]], [[ID]]
; CHECK:       [[FAR:%.*]] = icmp ugt i64 [[ROOM]], 15
; CHECK:       [[ALL:%.*]] = and i1 [[BELOW]], [[FAR]]
; CHECK:       br i1 [[ALL]], label %then, label
; CHECK:       then:
; CHECK:       phi <16 x i1> [ <i1 true, i1 true{{.*}}, %entry ]
define internal void @guard.item() {
entry:
  %arguments = call ptr @__ups_arguments()
  %from = load ptr, ptr %arguments, !invariant.load !0
  %n = load i64, ptr %from, align 8, !invariant.load !0
  %id = call i64 @__ups_local_id(i32 0)
  %here = getelementptr i32, ptr %from, i64 %id
  %inside = icmp ult i64 %id, %n
  br i1 %inside, label %then, label %end

then:
  store i32 1, ptr %here, align 4
  br label %end

end:
  ret void
}

; A loop that lanes leave in different rounds runs while any lane is in it; a lane's result stays unchanged after it has left.
; CHECK-LABEL: define internal void @varying_loop.full(
; CHECK:       phi <16 x i32>
; CHECK:       [[LEFT:%.*]] = select <16 x i1>
; CHECK:       [[BITS:%.*]] = bitcast <16 x i1> {{.*}} to i16
; CHECK:       icmp eq i16 [[BITS]], 0
; CHECK:       store <16 x i32> [[LEFT]]
define internal void @varying_loop.item() {
entry:
  %arguments = call ptr @__ups_arguments()
  %from = load ptr, ptr %arguments, !invariant.load !0
  %id = call i64 @__ups_local_id(i32 0)
  %here = getelementptr i32, ptr %from, i64 %id
  %start = load i32, ptr %here, align 4
  br label %loop

loop:
  %x = phi i32 [ %start, %entry ], [ %half, %body ]
  %count = phi i32 [ 0, %entry ], [ %count.next, %body ]
  %small = icmp ult i32 %x, 2
  br i1 %small, label %end, label %body

body:
  %half = lshr i32 %x, 1
  %step = and i32 %half, 3
  %count.next = add i32 %count, %step
  br label %loop

end:
  store i32 %count, ptr %here, align 4
  ret void
}

; After an `if`, the active lanes are those before it: no mask.
; CHECK-LABEL: define internal void @rejoin.full(
; CHECK:       select <16 x i1>
; CHECK:       store <16 x i32>
; CHECK-NOT:   masked.store
; CHECK:       ret void
define internal void @rejoin.item() {
entry:
  %arguments = call ptr @__ups_arguments()
  %from = load ptr, ptr %arguments, !invariant.load !0
  %id = call i64 @__ups_local_id(i32 0)
  %here = getelementptr i32, ptr %from, i64 %id
  %value = load i32, ptr %here, align 4
  %odd = trunc i32 %value to i1
  br i1 %odd, label %then, label %end

then:
  %tripled = mul i32 %value, 3
  br label %end

end:
  %result = phi i32 [ %value, %entry ], [ %tripled, %then ]
  store i32 %result, ptr %here, align 4
  ret void
}

; A value of a loop's header that only the header's phi uses: its use is at the end of the incoming block.
; CHECK-LABEL: define internal void @carried.full(
; CHECK:       [[K:%.*]] = phi i32 {{.*}}[ [[NEXT:%.*]], %
; CHECK:       [[NEXT]] = add i32 [[K]], 64
define internal void @carried.item() {
entry:
  %arguments = call ptr @__ups_arguments()
  %from = load ptr, ptr %arguments, !invariant.load !0
  %n = load i32, ptr %from, align 8
  %id = call i64 @__ups_local_id(i32 0)
  %here = getelementptr i32, ptr %from, i64 %id
  br label %loop

loop:
  %k = phi i32 [ 0, %entry ], [ %next, %body ]
  %next = add i32 %k, 64
  %done = icmp sgt i32 %next, %n
  br i1 %done, label %end, label %body

body:
  store volatile i32 %k, ptr %here, align 4
  br label %loop

end:
  ret void
}

!0 = !{}

; A lane leaves with the counter of its own round, even if the back edge has advanced it.
; CHECK-LABEL: define internal void @counter_of_the_last_round.full(
; CHECK:       %[[I:i.slot.*]] = phi i32
; CHECK:       latch:
; CHECK:       %[[SPLAT:.*]] = insertelement <16 x i32> poison, i32 %[[I]], i64 0
; CHECK:       %[[LEFT_WITH:.*]] = shufflevector <16 x i32> %[[SPLAT]]
; CHECK:       select <16 x i1> %{{.*}}, <16 x i32> %[[LEFT_WITH]], <16 x i32> %i.lcssa
define internal void @counter_of_the_last_round.item() {
entry:
  %out = call ptr @__ups_arguments()
  %id = call i64 @__ups_local_id(i32 0)
  %x = trunc i64 %id to i32
  %low = and i32 %x, 1
  %even = icmp eq i32 %low, 0
  %place = getelementptr i32, ptr %out, i64 %id
  br label %header

header:
  %i = phi i32 [ %next, %latch ], [ 0, %entry ]
  %more = icmp ult i32 %i, %x
  br i1 %more, label %latch, label %end

latch:
  %next = add i32 %i, 1
  %at = getelementptr i32, ptr %out, i32 %next
  store i32 1, ptr %at, align 4
  br i1 %even, label %header, label %then

then:
  store i32 %i, ptr %place, align 4
  br label %exit

end:
  store i32 7, ptr %place, align 4
  br label %exit

exit:
  ret void
}
