; Two rows or more of an array are prefetched, each once.
; RUN: %opt -passes='upsweep-prefetch-rows,verify' -S %s | FileCheck %s

; CHECK-LABEL: define void @stencil.entry(
; CHECK:       %[[MIDDLE:.*]] = getelementptr i8, ptr %at, i64 2048
; CHECK-NEXT:  call void @llvm.prefetch.p0(ptr %[[MIDDLE]], i32 0, i32 3, i32 1)
; CHECK-NEXT:  load <16 x float>, ptr %at
; CHECK-NOT:   prefetch
; CHECK:       load <16 x float>, ptr %left.at
; CHECK-NOT:   prefetch
; CHECK:       load <16 x float>, ptr %right.at
; CHECK:       %[[UP:.*]] = getelementptr i8, ptr %up.at, i64 2048
; CHECK-NEXT:  call void @llvm.prefetch.p0(ptr %[[UP]], i32 0, i32 3, i32 1)
; CHECK-NEXT:  load <16 x float>, ptr %up.at
; CHECK-NEXT:  %[[DOWN:.*]] = getelementptr i8, ptr %down.at, i64 2048
; CHECK-NEXT:  call void @llvm.prefetch.p0(ptr %[[DOWN]], i32 0, i32 3, i32 1)
; CHECK-NEXT:  load <16 x float>, ptr %down.at
; CHECK-NOT:   prefetch
; CHECK:       ret void
define void @stencil.entry(ptr %in, i32 %i, i32 %width) #0 {
  %left = add i32 %i, -1
  %right = add i32 %i, 1
  %up = sub i32 %i, %width
  %index = zext i32 %i to i64
  %left.index = zext i32 %left to i64
  %right.index = zext i32 %right to i64
  %up.index = zext i32 %up to i64
  %at = getelementptr float, ptr %in, i64 %index
  %left.at = getelementptr float, ptr %in, i64 %left.index
  %right.at = getelementptr float, ptr %in, i64 %right.index
  %up.at = getelementptr float, ptr %in, i64 %up.index
  %down.at = getelementptr i8, ptr %at, i64 4096
  %1 = load <16 x float>, ptr %at
  %2 = load <16 x float>, ptr %left.at
  %3 = load <16 x float>, ptr %right.at
  %4 = load <16 x float>, ptr %up.at
  %5 = load <16 x float>, ptr %down.at
  ret void
}

; No prefetch for single rows of several arrays, for scalars or short vectors, or for volatile reads.
; CHECK-LABEL: define void @sum.entry(
; CHECK-NOT:   prefetch
; CHECK:       ret void
define void @sum.entry(ptr %a, ptr %b, i64 %i) #0 {
  %a.at = getelementptr float, ptr %a, i64 %i
  %b.at = getelementptr float, ptr %b, i64 %i
  %far = getelementptr i8, ptr %a.at, i64 8192
  %farther = getelementptr i8, ptr %a.at, i64 16384
  %1 = load <16 x float>, ptr %a.at
  %2 = load <16 x float>, ptr %b.at
  %3 = load float, ptr %far
  %4 = load <2 x float>, ptr %far
  %5 = load volatile <16 x float>, ptr %farther
  ret void
}

attributes #0 = { "upsweep-rows" }
