; Accesses of a sub-group: contiguous, masked, scalar, scattered, and private arrays kept element by element.
; RUN: %opt -passes='upsweep-vectorise-lanes<no-rows>,function(instcombine<no-verify-fixpoint>,simplifycfg)' -S %s | FileCheck %s

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

declare i64 @__ups_local_id(i32)
declare ptr @__ups_arguments()

; Contiguous lanes make one vector access; a full sub-group needs no mask.
; CHECK-LABEL: define internal void @copy.full(
; CHECK:       load <16 x float>
; CHECK:       store <16 x float>
; CHECK-LABEL: define internal void @copy.part(
; CHECK:       call <16 x float> @llvm.masked.gather
define internal void @copy.item() {
  %arguments = call ptr @__ups_arguments()
  %from = load ptr, ptr %arguments, !invariant.load !0
  %id = call i64 @__ups_local_id(i32 0)
  %here = getelementptr float, ptr %from, i64 %id
  %value = load float, ptr %here, align 4
  %next = getelementptr float, ptr %here, i64 1000
  store float %value, ptr %next, align 4
  ret void
}

; Atomic accesses of neighbours become an access of a vector, in the same order; sequentially consistent ones stay single.
; CHECK-LABEL: define internal void @atomic_row.full(
; CHECK:       load <16 x i32>
; CHECK:       fence acquire
; CHECK:       fence release
; CHECK:       store <16 x i32>
; CHECK-COUNT-16: store atomic i32 {{.*}} seq_cst
; CHECK:       ret void
define internal void @atomic_row.item() {
  %arguments = call ptr @__ups_arguments()
  %from = load ptr, ptr %arguments, !invariant.load !0
  %id = call i64 @__ups_local_id(i32 0)
  %here = getelementptr i32, ptr %from, i64 %id
  %value = load atomic i32, ptr %here acquire, align 4
  %next = getelementptr i32, ptr %here, i64 1000
  store atomic i32 %value, ptr %next release, align 4
  %last = getelementptr i32, ptr %here, i64 2000
  store atomic i32 %value, ptr %last seq_cst, align 4
  ret void
}

; Inactive lanes of all loads share one dummy, which has room for the widest load, and inactive lanes of stores another one.
; CHECK-LABEL: define internal void @dummies.full(
; CHECK:       %[[STORED:inactive[0-9]*]] = alloca i64, align 8
; CHECK:       %[[LOADED:inactive[0-9]*]] = alloca i64, align 8
; CHECK-NOT:   alloca
; CHECK:       insertelement <16 x ptr> {{.*}}ptr %[[LOADED]]
; CHECK:       load atomic i64
; CHECK:       store atomic i64
; CHECK:       ret void
define internal void @dummies.item() {
entry:
  %arguments = call ptr @__ups_arguments()
  %from = load ptr, ptr %arguments, !invariant.load !0
  %id = call i64 @__ups_local_id(i32 0)
  %here = getelementptr i64, ptr %from, i64 %id
  %odd = trunc i64 %id to i1
  br i1 %odd, label %then, label %end
then:
  %narrow = load atomic i32, ptr %here seq_cst, align 4
  %next = getelementptr i64, ptr %here, i64 1000
  %wide = load atomic i64, ptr %next seq_cst, align 8
  store atomic i32 %narrow, ptr %next seq_cst, align 4
  store atomic i64 %wide, ptr %here seq_cst, align 8
  br label %end
end:
  ret void
}

; `if (i >= 5) y[i] = x[i - 5]` with 32-bit unsigned i: the index wraps in the lanes that the guard disables. The vector's
; address must come from an active lane. If there is none, the guard's facts do not hold for the address, so that no flag may
; be left.
; CHECK-LABEL: define internal void @behind.full(
; CHECK-NOT:   {{zext nneg i32|nuw i32|inbounds float}}
; CHECK:       call {{.*}} i16 @llvm.cttz.i16(
; CHECK-NOT:   {{zext nneg i32|nuw i32|inbounds float}}
; CHECK:       call <16 x float> @llvm.masked.load
; CHECK-NOT:   gather
; CHECK:       ret void
define internal void @behind.item() {
entry:
  %arguments = call ptr @__ups_arguments()
  %from = load ptr, ptr %arguments, !invariant.load !0
  %id = call i64 @__ups_local_id(i32 0)
  %i = trunc i64 %id to i32
  %inside = icmp uge i32 %i, 5
  br i1 %inside, label %then, label %end

then:
  %j = sub nuw i32 %i, 5
  %wide = zext nneg i32 %j to i64
  %here = getelementptr inbounds float, ptr %from, i64 %wide
  %value = load float, ptr %here, align 4
  %to = getelementptr float, ptr %from, i64 %id
  %far = getelementptr float, ptr %to, i64 4096
  store float %value, ptr %far, align 4
  br label %end

end:
  ret void
}

; A loop that starts at an extended 32-bit id: no lane's id wraps, so lanes stay contiguous from round to round.
; CHECK-LABEL: define internal void @strided.full(
; CHECK-NOT:   gather
; CHECK:       load{{.*}} <16 x float>
; CHECK-NOT:   {{gather|scatter}}
; CHECK:       ret void
define internal void @strided.item() {
entry:
  %arguments = call ptr @__ups_arguments()
  %from = load ptr, ptr %arguments, !invariant.load !0
  %id = call i64 @__ups_local_id(i32 0)
  %low = trunc i64 %id to i32
  %start = zext i32 %low to i64
  br label %loop

loop:
  %i = phi i64 [ %start, %entry ], [ %next, %loop ]
  %here = getelementptr float, ptr %from, i64 %i
  %value = load float, ptr %here, align 4
  %far = getelementptr float, ptr %here, i64 4096
  store float %value, ptr %far, align 4
  %next = add i64 %i, 64
  %more = icmp ult i64 %next, 1000
  br i1 %more, label %loop, label %end

end:
  ret void
}

; A uniform address: a scalar load, and the last active lane's store wins.
; CHECK-LABEL: define internal void @same.full(
; CHECK:       load i32, ptr
; CHECK:       store i32
; CHECK-NOT:   load <16
; CHECK:       ret void
define internal void @same.item() {
  %arguments = call ptr @__ups_arguments()
  %from = load ptr, ptr %arguments, !invariant.load !0
  %value = load i32, ptr %from, align 4
  %id = call i64 @__ups_local_id(i32 0)
  %i = trunc i64 %id to i32
  %sum = add i32 %value, %i
  store i32 %sum, ptr %from, align 4
  ret void
}

; Element k of the private array is a row of 16 lanes: a uniform index makes a contiguous access.
; CHECK-LABEL: define internal void @private.full(
; CHECK:       alloca [512 x i8], align 64
; CHECK:       store <16 x i32>
; CHECK:       load <16 x i32>
; CHECK-NOT:   gather
; CHECK:       ret void
define internal void @private.item() {
  %array = alloca [8 x i32]
  %arguments = call ptr @__ups_arguments()
  %from = load ptr, ptr %arguments, !invariant.load !0
  %k = load i64, ptr %from, align 8
  %id = call i64 @__ups_local_id(i32 0)
  %i = trunc i64 %id to i32
  %element = getelementptr [8 x i32], ptr %array, i64 0, i64 %k
  store volatile i32 0, ptr %from, align 4
  store i32 %i, ptr %element, align 4
  %other = getelementptr [8 x i32], ptr %array, i64 0, i64 3
  %value = load i32, ptr %other, align 4
  %to = getelementptr i32, ptr %from, i64 %id
  store i32 %value, ptr %to, align 4
  ret void
}


; A pointer from a 32-bit index, which a loop advances. All lanes use it if any does, so that it has a step, and the loop's
; reads are contiguous.
; CHECK-LABEL: define internal void @moved.full(
; CHECK-NOT:   gather
; CHECK:       load <16 x float>
; CHECK-NOT:   gather
; CHECK:       ret void
define internal void @moved.item() {
entry:
  %arguments = call ptr @__ups_arguments()
  %from = load ptr, ptr %arguments, !invariant.load !0
  %rounds_at = getelementptr i8, ptr %arguments, i64 8
  %rounds = load i32, ptr %rounds_at, !invariant.load !0
  %id = call i64 @__ups_local_id(i32 0)
  %i = trunc i64 %id to i32
  %wide = sext i32 %i to i64
  %start = getelementptr float, ptr %from, i64 %wide
  %some = icmp ugt i32 %rounds, 0
  br i1 %some, label %ready, label %end

ready:
  br label %loop

loop:
  %round = phi i32 [ 0, %ready ], [ %next, %loop ]
  %here = phi ptr [ %start, %ready ], [ %there, %loop ]
  %sum = phi float [ 0.0, %ready ], [ %more, %loop ]
  %value = load float, ptr %here, align 4
  %more = fadd float %sum, %value
  %there = getelementptr float, ptr %here, i64 64
  %next = add i32 %round, 1
  %again = icmp ult i32 %next, %rounds
  br i1 %again, label %loop, label %out

out:
  %total = phi float [ %more, %loop ]
  %to = getelementptr float, ptr %from, i64 %id
  store float %total, ptr %to, align 4
  br label %end

end:
  ret void
}

; If only some lanes use such a pointer, one of them determines the vector's address.
; CHECK-LABEL: define internal void @made_before.full(
; CHECK:       call {{.*}} i16 @llvm.cttz.i16(
; CHECK:       call void @llvm.masked.store
; CHECK-NOT:   scatter
; CHECK:       ret void
define internal void @made_before.item() {
entry:
  %arguments = call ptr @__ups_arguments()
  %from = load ptr, ptr %arguments, !invariant.load !0
  %id = call i64 @__ups_local_id(i32 0)
  %i = trunc i64 %id to i32
  %j = sub i32 %i, 5
  %wide = zext i32 %j to i64
  %here = getelementptr float, ptr %from, i64 %wide
  %inside = icmp ult i32 %j, 8
  br i1 %inside, label %then, label %end

then:
  store float 1.0, ptr %here, align 64
  br label %end

end:
  ret void
}

; Bits that are disjoint behind the guard form a sum, although lane 0 need not have that property. This is still one vector
; access, with an element's alignment.
; CHECK-LABEL: define internal void @joined.full(
; CHECK:       [[FIRST:%.*]] = zext i32 %x{{.*}} to i64
; CHECK:       getelementptr i64, ptr %from, i64 [[FIRST]]
; CHECK:       call void @llvm.masked.store.v16i64.p0(<16 x i64> %{{.*}}, ptr %{{.*}}, i32 8,
; CHECK-NOT:   scatter
; CHECK:       ret void
define internal void @joined.item() {
entry:
  %arguments = call ptr @__ups_arguments()
  %from = load ptr, ptr %arguments, !invariant.load !0
  %id = call i64 @__ups_local_id(i32 0)
  %i = sub i64 %id, 8
  %inside = icmp ult i64 %i, 8
  br i1 %inside, label %then, label %end

then:
  %place = or disjoint i64 %i, 8
  %here = getelementptr i64, ptr %from, i64 %place
  store i64 %place, ptr %here, align 64
  br label %end

end:
  ret void
}

!0 = !{}
