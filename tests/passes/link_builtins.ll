; A module for spir64 becomes one for the CPU, with the bodies of exactly the OpenCL functions that it uses.
; RUN: split-file %s %t
; RUN: %opt -passes='upsweep-link-builtins,verify' -S %t/kernel.ll | FileCheck %s
; RUN: not %opt -passes='upsweep-link-builtins' -S %t/missing.ll 2>&1 | FileCheck %s --check-prefix=MISSING
; RUN: %opt -passes='upsweep-link-builtins,verify' -S %t/parts.ll | FileCheck %s --check-prefix=PARTS
; MISSING: error: undefined function '_Z7nowherei'
; MISSING: error: undefined function '__ups_sg_reduce_add_i33'

; Queries are pure and may be hoisted; sub-group functions depend on the work-items that arrive together.
; RUN: %opt -passes='upsweep-link-builtins,verify' -S %t/intrinsics.ll | FileCheck %s --check-prefix=KNOWN
; KNOWN: declare i32 @__ups_lane() #[[PURE:[0-9]+]]
; KNOWN: declare i32 @__ups_sg_shuffle_i32(i32, i32) #[[SUB_GROUP:[0-9]+]]
; KNOWN: declare void @__ups_sub_group_barrier(i32) #[[MEETING:[0-9]+]]
; KNOWN: call i32 @__ups_lane(){{$}}
; KNOWN-NOT: attributes #[[PURE]] = {{.*}}convergent
; KNOWN-DAG: attributes #[[PURE]] = {{.*}}memory(none)
; KNOWN-DAG: attributes #[[SUB_GROUP]] = {{.*}}convergent {{.*}}memory(none)
; KNOWN-DAG: attributes #[[MEETING]] = { convergent nounwind willreturn }

;--- kernel.ll
target triple = "spir64-unknown-unknown"
declare spir_func i64 @_Z13get_global_idj(i32)
declare spir_func i32 @_Z3maxii(i32, i32)

; CHECK:     target triple = "x86_64
; CHECK-NOT: spir_
; CHECK:     define internal void @f(ptr addrspace(1) %out) #[[KERNEL:[0-9]+]]
; CHECK:     define {{.*}}i64 @_Z13get_global_idj(i32 {{.*}}%{{.*}}) {{.*}}#[[LIBRARY:[0-9]+]]
; CHECK-NOT: @_Z3minii
; CHECK:     attributes #[[KERNEL]] = {{.*}}"upsweep-kernel"
; CHECK:     attributes #[[LIBRARY]] = {{.*}}"upsweep-library"
define spir_kernel void @f(ptr addrspace(1) %out) {
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %short = trunc i64 %id to i32
  %m = call spir_func i32 @_Z3maxii(i32 %short, i32 7)
  store i32 %m, ptr addrspace(1) %out
  ret void
}

;--- missing.ll
target triple = "spir64-unknown-unknown"
declare spir_func i32 @_Z7nowherei(i32)
declare spir_func i32 @__ups_sg_reduce_add_i33(i32)
define spir_kernel void @f(ptr addrspace(1) %out) {
  %n = call spir_func i32 @__ups_sg_reduce_add_i33(i32 7)
  %m = call spir_func i32 @_Z7nowherei(i32 %n)
  store i32 %m, ptr addrspace(1) %out
  ret void
}

;--- intrinsics.ll
target triple = "spir64-unknown-unknown"
declare spir_func i32 @__ups_lane() convergent
declare spir_func i32 @__ups_sg_shuffle_i32(i32, i32) convergent
declare spir_func void @__ups_sub_group_barrier(i32) convergent
define spir_kernel void @f(ptr addrspace(1) %out) {
  %lane = call spir_func i32 @__ups_lane() convergent
  %m = call spir_func i32 @__ups_sg_shuffle_i32(i32 7, i32 %lane) convergent
  call spir_func void @__ups_sub_group_barrier(i32 1) convergent
  store i32 %m, ptr addrspace(1) %out
  ret void
}

; Code that functions from several parts of the library use appears once, from yet other parts.
;--- parts.ll
; PARTS:     @LN_TBL = internal {{.*}}constant [65 x <2 x double>] [<2 x double>
; PARTS:     define internal double @libclc_lgamma_r_double(
; PARTS-NOT: define {{.*}}lgamma_r
target triple = "spir64-unknown-unknown"
declare spir_func double @_Z6lgammad(double)
declare spir_func <2 x double> @_Z6lgammaDv2_d(<2 x double>)
define spir_kernel void @f(ptr addrspace(1) %out, double %x, <2 x double> %v) {
  %a = call spir_func double @_Z6lgammad(double %x)
  %b = call spir_func <2 x double> @_Z6lgammaDv2_d(<2 x double> %v)
  %first = extractelement <2 x double> %b, i64 0
  %sum = fadd double %a, %first
  store double %sum, ptr addrspace(1) %out
  ret void
}

; Internal variables keep the names by which the host knows them, and LLVM's own lists get none.
; RUN: %opt -passes='upsweep-link-builtins,verify' -S %t/host.ll | FileCheck %s --check-prefix=HOST
; HOST: @counter = internal addrspace(1) global i32 5, !upsweep.host ![[COUNTER:[0-9]+]]
; HOST: @fixed = internal addrspace(2) constant i32 6{{$}}
; HOST: @hidden = internal addrspace(1) global i32 7{{$}}
; HOST: @llvm.used = {{.*}}section "llvm.metadata"{{$}}
; HOST: ![[COUNTER]] = !{!"counter", i32 3}

;--- host.ll
target triple = "spir64-unknown-unknown"
@counter = addrspace(1) global i32 5
@fixed = addrspace(2) constant i32 6
@hidden = internal addrspace(1) global i32 7
@llvm.used = appending addrspace(1) global [1 x ptr addrspace(1)] [ptr addrspace(1) @hidden], section "llvm.metadata"
