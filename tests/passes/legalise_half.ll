; Halves are computed in float. Instructions that only move them also use float, so that nothing is converted twice.
; RUN: %opt -passes='upsweep-legalise-half,dce,verify' -S %s | FileCheck %s

declare <4 x half> @llvm.sqrt.v4f16(<4 x half>)
declare <4 x half> @llvm.fma.v4f16(<4 x half>, <4 x half>, <4 x half>)
declare half @llvm.fabs.f16(half)

; The first rounding is to odd, so that the second one still sees the lost bits.
; CHECK-LABEL: @from_double(
; CHECK:       %[[NEAREST:.*]] = fptrunc double %x to float
; CHECK:       %[[BACK:.*]] = fpext float %[[NEAREST]] to double
; CHECK:       %[[INEXACT:.*]] = fcmp one double %[[BACK]], %x
; CHECK:       %[[ODD:.*]] = or i32 %{{.*}}, 1
; CHECK:       %[[BITS:.*]] = select i1 %[[INEXACT]], i32 %[[ODD]], i32
; CHECK:       %[[FLOAT:.*]] = bitcast i32 %[[BITS]] to float
; CHECK:       fptrunc float %[[FLOAT]] to half
define half @from_double(double %x) {
  %h = fptrunc double %x to half
  ret half %h
}

; CHECK-LABEL: @root(
; CHECK:       %[[WIDE:.*]] = fpext <4 x half> %x to <4 x float>
; CHECK:       %[[ROOT:.*]] = call <4 x float> @llvm.sqrt.v4f32(<4 x float> %[[WIDE]])
; CHECK:       fptrunc <4 x float> %[[ROOT]] to <4 x half>
define <4 x half> @root(<4 x half> %x) {
  %r = call <4 x half> @llvm.sqrt.v4f16(<4 x half> %x)
  ret <4 x half> %r
}

; The CPU has these.
; CHECK-LABEL: @stays(
; CHECK-NEXT:  fptrunc float %x to half
; CHECK-NEXT:  call half @llvm.fabs.f16(
; CHECK-NEXT:  ret half
define half @stays(float %x) {
  %h = fptrunc float %x to half
  %a = call half @llvm.fabs.f16(half %h)
  ret half %a
}

; CHECK-LABEL: @chain(
; CHECK-COUNT-1: fpext <4 x half>
; CHECK-NOT:   fpext
; CHECK:       %[[MOVED:.*]] = shufflevector <4 x float>
; CHECK:       %[[SUM:.*]] = fadd <4 x float> %{{.*}}, %[[MOVED]]
; CHECK:       %[[ROUNDED:.*]] = fptrunc <4 x float> %[[SUM]] to <4 x half>
; CHECK:       %[[BACK:.*]] = fpext <4 x half> %[[ROUNDED]] to <4 x float>
; CHECK:       fcmp olt <4 x float> %[[BACK]]
; CHECK-NOT:   fpext
define <4 x i1> @chain(<4 x half> %a) {
  %moved = shufflevector <4 x half> %a, <4 x half> zeroinitializer, <4 x i32> <i32 4, i32 0, i32 1, i32 2>
  %sum = fadd <4 x half> %a, %moved
  %less = fcmp olt <4 x half> %sum, %a
  ret <4 x i1> %less
}

; The selected values need no conversion of their own.
; CHECK-LABEL: @least(
; CHECK:       %[[LESS:.*]] = fcmp olt <4 x float>
; CHECK:       %[[LEAST:.*]] = select <4 x i1> %[[LESS]], <4 x float>
; CHECK:       fadd <4 x float> %[[LEAST]]
define <4 x half> @least(<4 x half> %a, <4 x half> %b) {
  %less = fcmp olt <4 x half> %a, %b
  %least = select <4 x i1> %less, <4 x half> %a, <4 x half> %b
  %sum = fadd <4 x half> %least, %b
  ret <4 x half> %sum
}

; A value that enters a loop is converted outside of it.
; CHECK-LABEL: @loop(
; CHECK:       fpext half %step to float
; CHECK:       loop:
; CHECK-NOT:   half %step
; CHECK:       ret half
define half @loop(half %step, i32 %count) {
entry:
  br label %loop
loop:
  %sum = phi half [ 0.0, %entry ], [ %next, %loop ]
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %next = fadd half %sum, %step
  %i.next = add i32 %i, 1
  %more = icmp ult i32 %i.next, %count
  br i1 %more, label %loop, label %exit
exit:
  ret half %next
}

; Fused multiply-add: the sum's error makes the float odd, so that the second rounding is right.
; CHECK-LABEL: @fused(
; CHECK:       %[[PRODUCT:.*]] = fmul <4 x float>
; CHECK:       %[[SUM:.*]] = fadd <4 x float> %[[PRODUCT]]
; CHECK:       %[[INEXACT:.*]] = fcmp one <4 x float> %{{.*}}, zeroinitializer
; CHECK:       select <4 x i1> %[[INEXACT]]
; CHECK-NOT:   double
; CHECK:       fptrunc <4 x float>
; CHECK-NEXT:  ret
define <4 x half> @fused(<4 x half> %a, <4 x half> %b, <4 x half> %c) {
  %result = call <4 x half> @llvm.fma.v4f16(<4 x half> %a, <4 x half> %b, <4 x half> %c)
  ret <4 x half> %result
}
