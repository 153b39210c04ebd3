; Updates that only one thread can see need no locked instruction.
; RUN: %opt -passes='upsweep-local-atomics,verify' -S %s | FileCheck %s

; CHECK-LABEL: @updates(
; CHECK-NEXT:  %[[OLD:.*]] = load i32, ptr %local
; CHECK-NEXT:  %[[SUM:.*]] = add i32 %[[OLD]], %x
; CHECK-NEXT:  store i32 %[[SUM]], ptr %local
; CHECK-NEXT:  ret i32 %[[OLD]]
define i32 @updates(ptr %local, i32 %x) {
  %old = atomicrmw add ptr %local, i32 %x syncscope("singlethread") seq_cst
  ret i32 %old
}

; CHECK-LABEL: @exchanges(
; CHECK-NEXT:  %[[OLD:.*]] = load i32, ptr %local
; CHECK-NEXT:  %[[SAME:.*]] = icmp eq i32 %[[OLD]], %expected
; CHECK-NEXT:  %[[NEW:.*]] = select i1 %[[SAME]], i32 %x, i32 %[[OLD]]
; CHECK-NEXT:  store i32 %[[NEW]], ptr %local
define { i32, i1 } @exchanges(ptr %local, i32 %expected, i32 %x) {
  %old = cmpxchg ptr %local, i32 %expected, i32 %x syncscope("singlethread") seq_cst seq_cst
  ret { i32, i1 } %old
}

; CHECK-LABEL: @others(
; CHECK-NEXT:  atomicrmw add ptr %global, i32 %x seq_cst
; CHECK-NEXT:  cmpxchg ptr %global, i32 %x, i32 0 monotonic monotonic
define void @others(ptr %global, i32 %x) {
  %old = atomicrmw add ptr %global, i32 %x seq_cst
  %pair = cmpxchg ptr %global, i32 %x, i32 0 monotonic monotonic
  ret void
}
