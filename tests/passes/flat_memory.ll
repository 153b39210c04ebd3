; All address spaces become one; variables record their former space.
; RUN: %opt -passes='upsweep-flat-memory,verify' -S %s | FileCheck %s

%record = type { ptr addrspace(1), i32 }

; CHECK: %record = type { ptr, i32 }
; CHECK: @tile = internal global [16 x i32] undef, !upsweep.local
; CHECK: @state = global %record { ptr @number, i32 7 }, !upsweep.global
; CHECK: @number = global i32 5, !upsweep.global
; CHECK: @table = constant [2 x ptr] [ptr @number, ptr null]{{$}}
@tile = internal addrspace(3) global [16 x i32] undef
@state = addrspace(1) global %record { ptr addrspace(1) @number, i32 7 }
@number = addrspace(1) global i32 5
@table = addrspace(2) constant [2 x ptr addrspace(4)]
  [ptr addrspace(4) addrspacecast (ptr addrspace(1) @number to ptr addrspace(4)), ptr addrspace(4) null]

; Intrinsics get the name for their new type, opaque types become pointers, and by-value structs keep their type.
declare void @llvm.memcpy.p1.p3.i64(ptr addrspace(1), ptr addrspace(3), i64, i1)
; CHECK: declare ptr @wait_for(ptr)
declare target("spirv.Event") @wait_for(target("spirv.Event"))
; CHECK: declare void @take(ptr byval(%record))
declare void @take(ptr byval(%record))

; CHECK-LABEL: define ptr @casts(ptr %a, ptr %b, ptr %e)
; CHECK-NOT:   addrspace
; CHECK:       call void @llvm.memcpy.p0.p0.i64(ptr %a, ptr @tile, i64 64, i1 false)
; CHECK:       call ptr @wait_for(ptr %e)
; CHECK:       call ptr @wait_for(ptr null)
; CHECK:       alloca ptr
; CHECK:       store ptr %b
; CHECK:       %[[PLACE:.*]] = getelementptr %record, ptr %a, i64 1
; CHECK:       ret ptr %[[PLACE]]
define ptr addrspace(4) @casts(ptr addrspace(1) %a, ptr addrspace(3) %b, target("spirv.Event") %e) {
  call void @llvm.memcpy.p1.p3.i64(ptr addrspace(1) %a, ptr addrspace(3) @tile, i64 64, i1 false)
  %event = call target("spirv.Event") @wait_for(target("spirv.Event") %e)
  %none = call target("spirv.Event") @wait_for(target("spirv.Event") zeroinitializer)
  %slot = alloca ptr addrspace(3)
  store ptr addrspace(3) %b, ptr %slot
  %generic = addrspacecast ptr addrspace(1) %a to ptr addrspace(4)
  %place = getelementptr %record, ptr addrspace(4) %generic, i64 1
  ret ptr addrspace(4) %place
}

; Only one thread accesses local memory; updates of other memory are atomic for all threads.
; CHECK-LABEL: define void @updates(ptr %a, ptr %b)
; CHECK-NEXT:  atomicrmw add ptr %a, i32 1 seq_cst
; CHECK-NEXT:  atomicrmw add ptr %b, i32 1 syncscope("singlethread") seq_cst
; CHECK-NEXT:  cmpxchg ptr %b, i32 1, i32 2 syncscope("singlethread") seq_cst seq_cst
define void @updates(ptr addrspace(1) %a, ptr addrspace(3) %b) {
  %global = atomicrmw add ptr addrspace(1) %a, i32 1 seq_cst
  %local = atomicrmw add ptr addrspace(3) %b, i32 1 seq_cst
  %pair = cmpxchg ptr addrspace(3) %b, i32 1, i32 2 seq_cst seq_cst
  ret void
}
