; Stores of more than a register are divided, in ascending order.
; RUN: %opt -passes='upsweep-split-stores,verify' -S %s | FileCheck %s

target triple = "x86_64-unknown-linux-gnu"

; CHECK-LABEL: @wide(
; CHECK:       %[[LOW:.*]] = shufflevector <32 x float> %data, <32 x float> poison, <16 x i32> <i32 0, i32 1,
; CHECK:       store <16 x float> %[[LOW]], ptr %to, align 32
; CHECK:       %[[NEXT:.*]] = getelementptr i8, ptr %to, i64 64
; CHECK:       %[[HIGH:.*]] = shufflevector <32 x float> %data, <32 x float> poison, <16 x i32> <i32 16, i32 17,
; CHECK:       store <16 x float> %[[HIGH]], ptr %[[NEXT]], align 32
; CHECK-NOT:   store
define void @wide(ptr %to, <32 x float> %data) #0 {
  store <32 x float> %data, ptr %to, align 32
  ret void
}

; The parts still bypass the caches.
; CHECK-LABEL: @streamed(
; CHECK:       store <16 x float> {{.*}}, ptr %to, align 64, !nontemporal
; CHECK:       store <16 x float> {{.*}}, align 64, !nontemporal
define void @streamed(ptr %to, <32 x float> %data) #0 {
  store <32 x float> %data, ptr %to, align 64, !nontemporal !0
  ret void
}

; Stores that fit a register stay. So do stores that are not whole registers, have no bytes of their own, or must be a single
; access.
; CHECK-LABEL: @others(
; CHECK-NOT:   shufflevector
; CHECK:       ret void
define void @others(ptr %to, <16 x float> %one, <24 x float> %some, <1024 x i1> %bits, <32 x float> %data) #0 {
  store <16 x float> %one, ptr %to, align 4
  store <24 x float> %some, ptr %to, align 4
  store <1024 x i1> %bits, ptr %to, align 4
  store volatile <32 x float> %data, ptr %to, align 4
  ret void
}

attributes #0 = { "target-features"="+avx512f" "prefer-vector-width"="512" }
!0 = !{i32 1}
