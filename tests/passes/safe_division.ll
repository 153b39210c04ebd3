; Divisors that would raise an exception become 1.
; RUN: %opt -passes='upsweep-safe-division,verify' -S %s | FileCheck %s

; CHECK-LABEL: @unsigned_by_unknown(
; CHECK:       %[[B:.*]] = freeze i32 %b
; CHECK:       %[[ZERO:.*]] = icmp eq i32 %[[B]], 0
; CHECK:       %[[SAFE:.*]] = select i1 %[[ZERO]], i32 1, i32 %[[B]]
; CHECK:       udiv i32 %a, %[[SAFE]]
define i32 @unsigned_by_unknown(i32 %a, i32 %b) {
  %q = udiv i32 %a, %b
  ret i32 %q
}

; The smallest number divided by -1 raises one as well, also in its remainder.
; CHECK-LABEL: @signed_by_unknown(
; CHECK:       %[[B:.*]] = freeze <2 x i16> %b
; CHECK:       %[[ZERO:.*]] = icmp eq <2 x i16> %[[B]], zeroinitializer
; CHECK:       %[[A:.*]] = freeze <2 x i16> %a
; CHECK:       %[[SMALLEST:.*]] = icmp eq <2 x i16> %[[A]], <i16 -32768, i16 -32768>
; CHECK:       %[[MINUS_ONE:.*]] = icmp eq <2 x i16> %[[B]], <i16 -1, i16 -1>
; CHECK:       %[[OVERFLOWS:.*]] = and <2 x i1> %[[SMALLEST]], %[[MINUS_ONE]]
; CHECK:       %[[RAISES:.*]] = or <2 x i1> %[[ZERO]], %[[OVERFLOWS]]
; CHECK:       %[[SAFE:.*]] = select <2 x i1> %[[RAISES]], <2 x i16> <i16 1, i16 1>, <2 x i16> %[[B]]
; CHECK:       srem <2 x i16> %[[A]], %[[SAFE]]
define <2 x i16> @signed_by_unknown(<2 x i16> %a, <2 x i16> %b) {
  %r = srem <2 x i16> %a, %b
  ret <2 x i16> %r
}

; Constants that raise none stay, with equal or different elements.
; CHECK-LABEL: @by_harmless_constants(
; CHECK-NEXT:  sdiv i32 %a, 7
; CHECK-NEXT:  sdiv <2 x i32> %v, <i32 7, i32 7>
; CHECK-NEXT:  urem <2 x i32> %v, <i32 7, i32 3>
; CHECK-NEXT:  ret void
define void @by_harmless_constants(i32 %a, <2 x i32> %v) {
  %1 = sdiv i32 %a, 7
  %2 = sdiv <2 x i32> %v, <i32 7, i32 7>
  %3 = urem <2 x i32> %v, <i32 7, i32 3>
  ret void
}

; CHECK-LABEL: @by_other_constants(
; CHECK:       select i1 {{.*}}, i32 1, i32 %
; CHECK:       sdiv i32
; CHECK:       select <2 x i1> {{.*}}, <2 x i32> <i32 1, i32 1>, <2 x i32> %
; CHECK:       urem <2 x i32>
define void @by_other_constants(i32 %a, <2 x i32> %v) {
  %1 = sdiv i32 %a, -1
  %2 = urem <2 x i32> %v, <i32 7, i32 0>
  ret void
}
