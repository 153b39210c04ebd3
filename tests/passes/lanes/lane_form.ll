; The passes that give an item the form of which vector code is made: options of LLVM show them as they show the pipeline's other passes, and
; neither -opt-bisect-limit nor optnone leaves one out.
; RUN: %opt -passes=upsweep-vectorise-lanes -print-after=upsweep-lane-ends,upsweep-split-coordinates,lower-switch,mergereturn,fix-irreducible,loop-simplify,lcssa -disable-output %s 2>&1 | FileCheck %s --check-prefix=PRINT
; RUN: %opt -passes=upsweep-vectorise-lanes -S %s | FileCheck %s
; RUN: %opt -passes=upsweep-vectorise-lanes -opt-bisect-limit=0 -S %s 2>/dev/null | FileCheck %s
; RUN: sed 's/nounwind/noinline optnone/' %s | %opt -passes=upsweep-vectorise-lanes -S | FileCheck %s
; RUN: %opt -passes=upsweep-lane-ends -S %s | FileCheck %s --check-prefix=ENDS

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

declare i64 @__ups_local_id(i32)
declare ptr @__ups_arguments()

; PRINT:     IR Dump After upsweep::passes::LaneEnds
; PRINT:     switch i64
; PRINT-NOT: unreachable
; PRINT:     IR Dump After upsweep::passes::SplitCoordinates
; PRINT:     IR Dump After LowerSwitchPass
; PRINT-NOT: switch i64
; PRINT:     IR Dump After UnifyFunctionExitNodesPass
; PRINT:     IR Dump After FixIrreduciblePass
; PRINT:     IR Dump After LoopSimplifyPass
; PRINT:     IR Dump After LCSSAPass

; CHECK:     define internal void @cases.full(
; CHECK-NOT: switch
; CHECK:     ret void

; ENDS-LABEL: define internal void @cases.item(
; ENDS:       trap:
; ENDS-NEXT:    ret void
; ENDS-NOT:   lost:
define internal void @cases.item() nounwind {
entry:
  %arguments = call ptr @__ups_arguments()
  %to = load ptr, ptr %arguments, align 8
  %id = call i64 @__ups_local_id(i32 0)
  %here = getelementptr i32, ptr %to, i64 %id
  switch i64 %id, label %other [
    i64 1, label %one
    i64 2, label %trap
  ]
one:
  store i32 1, ptr %here
  br label %other
other:
  store i32 2, ptr %to
  ret void
trap:
  unreachable
lost:
  unreachable
}
