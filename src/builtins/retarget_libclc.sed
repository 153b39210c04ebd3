# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Adapts libclc's NVPTX module, which is plain LLVM IR, to spir64: its constant address space, its calling convention, and attributes that
# would prevent inlining, or force it for large functions. Renames the functions that math.cl corrects.
s/^target datalayout.*/target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-G1"/
s/^target triple.*/target triple = "spir64-unknown-unknown"/
s/addrspace\(4\)/addrspace(2)/g
s/^(define|declare)( linkonce_odr| internal| dso_local| local_unnamed_addr)* /&spir_func /
s/ call / call spir_func /
s/call spir_func (.*@llvm\.)/call \1/
s/^((define|@).*) linkonce_odr /\1 /
s/^define linkonce_odr /define /
s/^(attributes .*)alwaysinline /\1/
s/^(attributes .*)convergent /\1/
s/"(target-cpu|target-features|frame-pointer|stack-protector-buffer-size)"="[^"]*"//g
s/"no-builtins"//g
s/@_Z8lgamma_rdPi\b/@libclc_lgamma_r_double/g
s/@_Z6atanpid\b/@libclc_atanpi_double/g
s/@_Z3sind\b/@libclc_sin_double/g
s/@_Z3cosd\b/@libclc_cos_double/g
s/@_Z3sinf\b/@libclc_sin_float/g
s/@_Z3cosf\b/@libclc_cos_float/g
s/@_Z3tand\b/@libclc_tan_double/g
s/@_Z3tanf\b/@libclc_tan_float/g
# The table is read as vectors of 16 bytes, the last of which ends two bytes after it, so it gets padding.
s/^(@PIBITS_TBL = .*)\[158 x i8\] c"(.*)", /\1[160 x i8] c"\2\\00\\00", /
