; The library learns whether units run in order, and unneeded scratch barriers vanish.
; RUN: %opt -passes='upsweep-unit-order,function(upsweep-scratch-barriers),verify' -S %s | FileCheck %s --check-prefixes=CHECK,ORDER
; RUN: %opt -passes='upsweep-scalar-order,function(upsweep-scratch-barriers),verify' -S %s | FileCheck %s --check-prefixes=CHECK,ANY

declare i1 @__ups_in_order()
declare void @__ups_scratch_barrier()
declare void @__ups_work_group_barrier(i32)
declare void @other()

; CHECK-LABEL: @asks.item(
; ORDER-NEXT:  store i1 true
; ANY-NEXT:    store i1 false
define void @asks.item(ptr %out) {
  %in_order = call i1 @__ups_in_order()
  store i1 %in_order, ptr %out
  ret void
}

; The first use needs no barrier, the second does. A barrier between them frees the third from it.
; CHECK-LABEL: @in_a_row.item(
; CHECK-NEXT:  call void @other()
; CHECK-NEXT:  call void @__ups_work_group_barrier(i32 1)
; CHECK-NEXT:  call void @other()
; CHECK-NEXT:  call void @__ups_work_group_barrier(i32 3)
; CHECK-NEXT:  call void @other()
; CHECK-NEXT:  ret void
define void @in_a_row.item() {
  call void @__ups_scratch_barrier()
  call void @other()
  call void @__ups_scratch_barrier()
  call void @other()
  call void @__ups_work_group_barrier(i32 3)
  call void @__ups_scratch_barrier()
  call void @other()
  ret void
}

; In a loop, the use of a round precedes that of the next.
; CHECK-LABEL: @in_a_loop.item(
; CHECK:       loop:
; CHECK-NEXT:  call void @__ups_work_group_barrier(i32 1)
; CHECK-NEXT:  br i1
define void @in_a_loop.item(i1 %again) {
entry:
  br label %loop
loop:
  call void @__ups_scratch_barrier()
  br i1 %again, label %loop, label %end
end:
  ret void
}
