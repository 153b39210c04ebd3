; Inline assembly changes the flags, even if the source does not say so: code around it must not keep a condition in them.
; RUN: %opt -passes='upsweep-assembly-flags,verify' -S %s | FileCheck %s

; CHECK: call i32 asm sideeffect "addl $1, $0", "=r,r,0,~{cc},~{memory},~{dirflag},~{fpsr},~{flags}"(i32 %a, i32 %b)
; CHECK: call void asm sideeffect "nop", "~{dirflag},~{fpsr},~{flags}"()
define i32 @add(i32 %a, i32 %b) {
  %sum = call i32 asm sideeffect "addl $1, $0", "=r,r,0,~{cc},~{memory}"(i32 %a, i32 %b)
  call void asm sideeffect "nop", ""()
  ret i32 %sum
}
