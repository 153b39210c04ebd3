; Functions for rows of texels get their bodies, to be inlined. A read becomes the check, code for texels of common formats,
; and the call of the function for lanes for all other cases.
; RUN: %opt -passes='upsweep-image-rows' -S %s | FileCheck %s
; RUN: %opt -passes='upsweep-image-rows,always-inline,function(sroa,instcombine,simplifycfg)' -S %s | FileCheck --check-prefix=INLINED %s

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

declare void @__ups_read_f_2d_rows16(ptr, i64, ptr, i32)

; CHECK:       define internal void @__ups_read_f_2d_rows16({{.*}}[[ATTRIBUTES:#[0-9]+]]
; CHECK:       load {{.*}}!invariant.load
; CHECK:       call void @__ups_read_f_2d_lanes16(
; CHECK:       attributes [[ATTRIBUTES]] = { {{.*}}alwaysinline

; The coordinates are known to be a row: no vector is compared.
; INLINED-LABEL: define <16 x float> @read(
; INLINED-NOT:   icmp {{[a-z]+}} <16 x
; INLINED:       switch i64
; INLINED:       uitofp <16 x i
; INLINED:       call void @__ups_read_f_2d_lanes16(
; INLINED:       ret <16 x float>
define <16 x float> @read(ptr %image, i32 %x, i32 %y) {
  %frame = alloca [8 x <16 x i32>], align 64
  %first = insertelement <16 x i32> poison, i32 %x, i64 0
  %firsts = shufflevector <16 x i32> %first, <16 x i32> poison, <16 x i32> zeroinitializer
  %xs = add <16 x i32> %firsts, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
  %row = insertelement <16 x i32> poison, i32 %y, i64 0
  %ys = shufflevector <16 x i32> %row, <16 x i32> poison, <16 x i32> zeroinitializer
  store <16 x i32> %xs, ptr %frame, align 64
  %second = getelementptr i8, ptr %frame, i64 64
  store <16 x i32> %ys, ptr %second, align 64
  call void @__ups_read_f_2d_rows16(ptr %image, i64 0, ptr %frame, i32 65535)
  %colour = getelementptr i8, ptr %frame, i64 256
  %red = load <16 x float>, ptr %colour, align 64
  ret <16 x float> %red
}
