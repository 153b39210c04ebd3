; Masked accesses get a version for a mask of all lanes.
; RUN: %opt -passes='upsweep-whole-masks,verify' -S %s | FileCheck %s

declare <4 x float> @llvm.masked.load.v4f32.p0(ptr, i32, <4 x i1>, <4 x float>)
declare <8 x float> @llvm.masked.load.v8f32.p0(ptr, i32, <8 x i1>, <8 x float>)
declare void @llvm.masked.store.v4f32.p0(<4 x float>, ptr, i32, <4 x i1>)
declare void @other()

; A value with later uses comes from the version that ran.
; CHECK-LABEL: @one_mask(
; CHECK:       %[[WHOLE:.*]] = call i1 @llvm.vector.reduce.and.v4i1(<4 x i1> %mask)
; CHECK:       br i1 %[[WHOLE]], label %[[PLAIN:.*]], label %[[MASKED:.*]], !prof
; CHECK:       [[PLAIN]]:
; CHECK:       %[[A:.*]] = load <4 x float>, ptr %from, align 4
; CHECK:       %[[SUM:.*]] = fadd <4 x float> %[[A]],
; CHECK:       store <4 x float> %[[SUM]], ptr %to, align 4
; CHECK:       [[MASKED]]:
; CHECK:       call <4 x float> @llvm.masked.load
; CHECK:       call void @llvm.masked.store
; CHECK:       %[[MERGED:.*]] = phi <4 x float>
; CHECK:       ret <4 x float> %[[MERGED]]
define <4 x float> @one_mask(ptr %from, ptr %to, <4 x i1> %mask) {
  %a = call <4 x float> @llvm.masked.load.v4f32.p0(ptr %from, i32 4, <4 x i1> %mask, <4 x float> poison)
  %sum = fadd <4 x float> %a, %a
  call void @llvm.masked.store.v4f32.p0(<4 x float> %sum, ptr %to, i32 4, <4 x i1> %mask)
  ret <4 x float> %sum
}

; A mask that repeats another is full whenever that one is; a mask with gaps never is.
; CHECK-LABEL: @repeated(
; CHECK:       call i1 @llvm.vector.reduce.and.v4i1(<4 x i1> %mask)
; CHECK:       load <8 x float>, ptr %from, align 4
; CHECK-LABEL: @gaps(
; CHECK:       call i1 @llvm.vector.reduce.and.v8i1(<8 x i1> %apart)
define <8 x float> @repeated(ptr %from, <4 x i1> %mask) {
  %both = shufflevector <4 x i1> %mask, <4 x i1> poison, <8 x i32> <i32 0, i32 0, i32 1, i32 1, i32 2, i32 2, i32 3, i32 3>
  %a = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %from, i32 4, <8 x i1> %both, <8 x float> poison)
  ret <8 x float> %a
}
define <8 x float> @gaps(ptr %from, <4 x i1> %mask) {
  %apart = shufflevector <4 x i1> %mask, <4 x i1> zeroinitializer, <8 x i32> <i32 0, i32 4, i32 1, i32 4, i32 2, i32 4, i32 3, i32 4>
  %a = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %from, i32 4, <8 x i1> %apart, <8 x float> poison)
  ret <8 x float> %a
}

; Addresses that count from the first active lane start at lane 0 in the version for all lanes.
; CHECK-LABEL: @first_lane(
; CHECK:       br i1 %{{.*}}, label %[[WHOLE:.*]], label %[[REST:.*]], !prof
; CHECK:       [[WHOLE]]:
; CHECK-NEXT:  %[[PLACE:.*]] = getelementptr float, ptr %from, i64 %x
; CHECK-NEXT:  load <4 x float>, ptr %[[PLACE]], align 4
; CHECK:       [[REST]]:
; CHECK:       call i4 @llvm.cttz.i4
define <4 x float> @first_lane(ptr %from, i64 %x, <4 x i1> %mask) {
  %bits = bitcast <4 x i1> %mask to i4
  %lane = call i4 @llvm.cttz.i4(i4 %bits, i1 true)
  %offset = zext i4 %lane to i64
  %index = add i64 %x, %offset
  %place = getelementptr float, ptr %from, i64 %index
  %back = mul i64 %offset, -4
  %first = getelementptr i8, ptr %place, i64 %back
  %a = call <4 x float> @llvm.masked.load.v4f32.p0(ptr %first, i32 4, <4 x i1> %mask, <4 x float> poison)
  ret <4 x float> %a
}
declare i4 @llvm.cttz.i4(i4, i1)

; A mask that is known to be full needs no test.
; CHECK-LABEL: @known(
; CHECK:       br i1 %agreed, label %[[WHOLE:.*]], label %differ
; CHECK:       then:
; CHECK:       call i1 @llvm.vector.reduce.and.v4i1(<4 x i1> %now)
; CHECK:       [[WHOLE]]:
; CHECK:       %[[PLACE:.*]] = phi ptr [ %place, %then ], [ %to, %entry ]
; CHECK:       load <4 x float>, ptr %[[PLACE]], align 4
define <4 x float> @known(ptr %from, ptr %to, <4 x i1> %mask, i1 %agreed) {
entry:
  br i1 %agreed, label %then, label %differ
differ:
  br label %then
then:
  %now = phi <4 x i1> [ splat (i1 true), %entry ], [ %mask, %differ ]
  %place = phi ptr [ %to, %entry ], [ %from, %differ ]
  %a = call <4 x float> @llvm.masked.load.v4f32.p0(ptr %place, i32 4, <4 x i1> %now, <4 x float> poison)
  br label %end
end:
  %first = ptrtoint ptr %place to i64
  store i64 %first, ptr %to
  ret <4 x float> %a
}

; A call ends a run, and starts a new run behind it; each mask has its own test.
; CHECK-LABEL: @two_runs(
; CHECK:       call i1 @llvm.vector.reduce.and.v4i1(<4 x i1> %mask)
; CHECK:       call void @other()
; CHECK-NOT:   call void @other()
; CHECK:       call i1 @llvm.vector.reduce.and.v4i1(<4 x i1> %second)
; CHECK:       ret void
define void @two_runs(ptr %to, <4 x float> %data, <4 x i1> %mask, <4 x i1> %second) {
  call void @llvm.masked.store.v4f32.p0(<4 x float> %data, ptr %to, i32 4, <4 x i1> %mask)
  call void @other()
  call void @llvm.masked.store.v4f32.p0(<4 x float> %data, ptr %to, i32 4, <4 x i1> %second)
  ret void
}

; Nothing to do without a mask, or with a constant one.
; CHECK-LABEL: @constant(
; CHECK-NOT:   br
; CHECK:       ret void
define void @constant(ptr %to, <4 x float> %data) {
  call void @llvm.masked.store.v4f32.p0(<4 x float> %data, ptr %to, i32 4, <4 x i1> <i1 true, i1 true, i1 false, i1 true>)
  ret void
}

; No version if the mask is known to be never full.
; CHECK-LABEL: @odd(
; CHECK-NOT:   br
; CHECK:       ret void
define void @odd(ptr %to, <4 x float> %data, <4 x i1> %mask) {
  call void @llvm.masked.store.v4f32.p0(<4 x float> %data, ptr %to, i32 4, <4 x i1> %mask), !upsweep.odd !0
  ret void
}
!0 = !{}
