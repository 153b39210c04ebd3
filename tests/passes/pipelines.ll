; Both pipelines as opt's passes, for processors other than the host's; options of LLVM accept our passes' names.
; RUN: %opt -passes=upsweep-cpu -S %s | FileCheck %s --check-prefix=CPU
; RUN: %opt -upsweep-processor=x86-64-v3 -upsweep-scalar -passes=upsweep-cpu -S %s | FileCheck %s --check-prefix=CPU
; RUN: %opt -upsweep-processor=sm_80 -passes=upsweep-gpu -S %s | FileCheck %s --check-prefix=GPU
; RUN: %opt -passes=upsweep-cpu -print-after=upsweep-flat-memory -disable-output %s 2>&1 | FileCheck %s --check-prefix=PRINT
; RUN: %opt -passes=upsweep-cpu -opt-bisect-limit=0 -S %s 2>/dev/null | FileCheck %s --check-prefix=CPU

target triple = "spir64-unknown-unknown"

; CPU:   @upsweep.code_object = constant
; CPU:   define internal void @f.entry(
; GPU:   define {{.*}}@f({{.*}}%upsweep_grid)
; PRINT: IR Dump After upsweep::passes::FlatMemory
define spir_kernel void @f(ptr addrspace(1) %out) !kernel_arg_addr_space !0 !kernel_arg_base_type !1 !kernel_arg_type !1
    !kernel_arg_name !2 !kernel_arg_type_qual !3 !kernel_arg_access_qual !4 {
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %place = getelementptr i64, ptr addrspace(1) %out, i64 %id
  store i64 %id, ptr addrspace(1) %place
  ret void
}
declare spir_func i64 @_Z13get_global_idj(i32)
!0 = !{i32 1}
!1 = !{!"long*"}
!2 = !{!"out"}
!3 = !{!""}
!4 = !{!"none"}
