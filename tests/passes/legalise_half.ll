; Operations on half for which code generation would call the C library, in wider types with the same results.
; RUN: %opt -passes='upsweep-legalise-half,verify' -S %s | FileCheck %s

declare <4 x half> @llvm.sqrt.v4f16(<4 x half>)
declare half @llvm.fma.f16(half, half, half)
declare half @llvm.fabs.f16(half)

; The first rounding is to odd, so that the second one still sees what was lost.
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

; CHECK-LABEL: @fused(
; CHECK:       %[[PRODUCT:.*]] = fmul double
; CHECK:       fadd double %[[PRODUCT]],
; CHECK-NOT:   llvm.fma
; CHECK:       ret half
define half @fused(half %x, half %y, half %z) {
  %h = call half @llvm.fma.f16(half %x, half %y, half %z)
  ret half %h
}

; The CPU has these.
; CHECK-LABEL: @stays(
; CHECK-NEXT:  fptrunc float %x to half
; CHECK-NEXT:  fadd half
; CHECK-NEXT:  call half @llvm.fabs.f16(
; CHECK-NEXT:  ret half
define half @stays(float %x, half %y) {
  %h = fptrunc float %x to half
  %s = fadd half %h, %y
  %a = call half @llvm.fabs.f16(half %s)
  ret half %a
}
