# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Makes LLVM IR that clang wrote for NVPTX with SPIR's address spaces (clang 19 has no atomic instructions and not NVPTX's registers in
# inline assembly for SPIR) fit for spir64.
s/^target datalayout.*/target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-G1"/
s/^target triple.*/target triple = "spir64-unknown-unknown"/
s/^(define|declare)( linkonce_odr| internal| dso_local| local_unnamed_addr)* /&spir_func /
s/ call / call spir_func /
s/call spir_func (.*(@llvm\.| asm ))/call \1/
s/"(target-cpu|target-features|frame-pointer|stack-protector-buffer-size)"="[^"]*"//g
# The functions take volatile pointers so that they take both kinds; that makes their accesses atomic, not volatile.
s/(atomicrmw|cmpxchg|cmpxchg weak) volatile /\1 /
