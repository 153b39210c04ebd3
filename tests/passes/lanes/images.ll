; Reads and writes of texels: a call for 8 or 16 lanes of the function for lanes, with a frame for its arguments. Sub-groups of
; 32 make two calls. If images differ from lane to lane, each lane makes a call, and also without the features of x86-64-v2.
; RUN: %opt -passes='upsweep-vectorise-lanes<no-rows>' -S %s | FileCheck %s

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

declare i64 @__ups_local_id(i32)
declare ptr @__ups_arguments()
declare <4 x float> @__ups_read_f_2d(ptr, i64, i32, i32) memory(read) willreturn nounwind
declare <4 x float> @__ups_sample_f_2d(ptr, i64, float, float) memory(read) willreturn nounwind
declare void @__ups_write_f_2d(ptr, i32, i32, i32, <4 x float>) nounwind

; A colour that is used as a whole is contiguous: bit 31 of the set, 0x8000ffff.
; CHECK-LABEL: define internal void @copy.full(
; CHECK:       store <16 x i32> %{{.*}}, ptr %{{.*}}, align 64
; CHECK:       call void @__ups_read_f_2d_rows16(ptr %image, i64 5, ptr %image.frame, i32 -2147418113)
; CHECK-COUNT-4: load <16 x float>, ptr
; CHECK:       call void @__ups_write_f_2d_rows16(ptr %image, ptr %image.frame, i32 -2147418113)
; CHECK:       ret void
define internal void @copy.item() #0 {
  %arguments = call ptr @__ups_arguments()
  %image = load ptr, ptr %arguments, !invariant.load !0
  %id = call i64 @__ups_local_id(i32 0)
  %x = trunc i64 %id to i32
  %colour = call <4 x float> @__ups_read_f_2d(ptr %image, i64 5, i32 %x, i32 7)
  call void @__ups_write_f_2d(ptr %image, i32 %x, i32 7, i32 0, <4 x float> %colour)
  ret void
}

; A colour whose channels are used or set separately: each channel is a vector.
; CHECK-LABEL: define internal void @channels.full(
; CHECK:       call void @__ups_read_f_2d_rows16(ptr %image, i64 0, ptr %image.frame, i32 65535)
; CHECK-COUNT-4: load <16 x float>, ptr
; CHECK:       call void @__ups_write_f_2d_rows16(ptr %image, ptr %image.frame, i32 65535)
; CHECK:       ret void
define internal void @channels.item() #0 {
  %arguments = call ptr @__ups_arguments()
  %image = load ptr, ptr %arguments, !invariant.load !0
  %id = call i64 @__ups_local_id(i32 0)
  %x = trunc i64 %id to i32
  %colour = call <4 x float> @__ups_read_f_2d(ptr %image, i64 0, i32 %x, i32 7)
  %red = extractelement <4 x float> %colour, i64 0
  %turned = insertelement <4 x float> <float 0.0, float 1.0, float poison, float 2.0>, float %red, i64 2
  call void @__ups_write_f_2d(ptr %image, i32 %x, i32 7, i32 0, <4 x float> %turned)
  ret void
}

; A uniform place: a read by a single work-item.
; CHECK-LABEL: define internal void @shared.full(
; CHECK-NOT:   {{_lanes|_rows}}
; CHECK:       call <4 x float> @__ups_read_f_2d(ptr %image, i64 0, i32 1, i32 7)
; CHECK:       ret void
define internal void @shared.item() #0 {
  %arguments = call ptr @__ups_arguments()
  %image = load ptr, ptr %arguments, !invariant.load !0
  %colour = call <4 x float> @__ups_read_f_2d(ptr %image, i64 0, i32 1, i32 7)
  store <4 x float> %colour, ptr %arguments
  ret void
}

; CHECK-LABEL: define internal void @chosen.full(
; CHECK-NOT:   {{_lanes|_rows}}
; CHECK:     lane:
; CHECK:       call <4 x float> @__ups_read_f_2d(
define internal void @chosen.item() #0 {
  %arguments = call ptr @__ups_arguments()
  %id = call i64 @__ups_local_id(i32 0)
  %place = getelementptr ptr, ptr %arguments, i64 %id
  %image = load ptr, ptr %place
  %colour = call <4 x float> @__ups_read_f_2d(ptr %image, i64 0, i32 1, i32 7)
  store <4 x float> %colour, ptr %place
  ret void
}

; CHECK-LABEL: define internal void @plain.full(
; CHECK-NOT:   {{_lanes|_rows}}
; CHECK:     lane:
; CHECK:       call <4 x float> @__ups_read_f_2d(
define internal void @plain.item() {
  %arguments = call ptr @__ups_arguments()
  %image = load ptr, ptr %arguments, !invariant.load !0
  %id = call i64 @__ups_local_id(i32 0)
  %x = trunc i64 %id to i32
  %colour = call <4 x float> @__ups_read_f_2d(ptr %image, i64 5, i32 %x, i32 7)
  %place = getelementptr <4 x float>, ptr %arguments, i64 %id
  store <4 x float> %colour, ptr %place
  ret void
}

; Coordinates in a vector are computed one by one: y, which is uniform, as a scalar.
; CHECK-LABEL: define internal void @vector.full(
; CHECK-NOT:   <32 x
; CHECK:       sitofp <16 x i32>
; CHECK:       call void @__ups_sample_f_2d_rows16(
define internal void @vector.item() #0 {
  %arguments = call ptr @__ups_arguments()
  %image = load ptr, ptr %arguments, !invariant.load !0
  %id = call i64 @__ups_local_id(i32 0)
  %x = trunc i64 %id to i32
  %texel = insertelement <2 x i32> <i32 poison, i32 7>, i32 %x, i64 0
  %place = sitofp <2 x i32> %texel to <2 x float>
  %middle = fadd <2 x float> %place, <float 5.000000e-01, float 2.500000e-01>
  %u = extractelement <2 x float> %middle, i64 0
  %v = extractelement <2 x float> %middle, i64 1
  %colour = call <4 x float> @__ups_sample_f_2d(ptr %image, i64 0, float %u, float %v)
  %out = getelementptr <4 x float>, ptr %arguments, i64 %id
  store <4 x float> %colour, ptr %out
  ret void
}

attributes #0 = { "target-features"="+popcnt,+sse3,+sse4.1,+sse4.2,+ssse3,+avx,+avx2,+bmi,+bmi2,+f16c,+fma,+lzcnt,+movbe,+avx512f,+avx512bw,+avx512cd,+avx512dq,+avx512vl" }
!0 = !{}
