; Single numbers use the lowest element of a register; instructions that a processor lacks are in code that it does not reach.
; RUN: %opt -passes='upsweep-lower-arithmetic,verify' -S %s | FileCheck %s

declare i32 @__ups_level()
declare float @__ups_scale_f32(float, float)
declare double @__ups_mantissa_f64(double)
declare float @__ups_rsqrt_f32(float)

; CHECK-LABEL: @level_4(
; CHECK:       %[[X:.*]] = insertelement <4 x float> zeroinitializer, float %x, i64 0
; CHECK:       %[[K:.*]] = insertelement <4 x float> zeroinitializer, float %k, i64 0
; CHECK:       call <4 x float> @llvm.x86.avx512.mask.scalef.ps.128(<4 x float> %[[X]], <4 x float> %[[K]], <4 x float> zeroinitializer, i8 -1)
; CHECK:       call <2 x double> @llvm.x86.avx512.mask.getmant.pd.128(<2 x double> %{{.*}}, i32 11, <2 x double> zeroinitializer, i8 -1)
; CHECK:       store i32 4, ptr %out
define float @level_4(float %x, float %k, double %d, ptr %out) #0 {
  %scaled = call float @__ups_scale_f32(float %x, float %k)
  %mantissa = call double @__ups_mantissa_f64(double %d)
  store volatile double %mantissa, ptr %out
  %level = call i32 @__ups_level()
  store i32 %level, ptr %out
  ret float %scaled
}

; CHECK-LABEL: @level_3(
; CHECK:       call <4 x float> @llvm.x86.sse.rsqrt.ps(
; CHECK:       store volatile double poison
; CHECK:       store i32 3, ptr %out
define float @level_3(float %x, double %d, ptr %out) #1 {
  %root = call float @__ups_rsqrt_f32(float %x)
  %mantissa = call double @__ups_mantissa_f64(double %d)
  store volatile double %mantissa, ptr %out
  %level = call i32 @__ups_level()
  store i32 %level, ptr %out
  ret float %root
}

attributes #0 = { "target-features"="+avx2,+avx512f,+avx512vl,+avx512dq,+fma" }
attributes #1 = { "target-features"="+avx2,+fma" }
