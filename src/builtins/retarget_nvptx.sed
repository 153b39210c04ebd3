# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Adapts LLVM IR that clang generated for NVPTX with SPIR's address spaces to spir64. (For SPIR, clang 19 has neither atomic instructions
# nor NVPTX's registers in inline assembly.)
s/^target datalayout.*/target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-G1"/
s/^target triple.*/target triple = "spir64-unknown-unknown"/
s/^(define|declare)( linkonce_odr| internal| dso_local| local_unnamed_addr)* /&spir_func /
s/ call / call spir_func /
s/call spir_func (.*(@llvm\.| asm ))/call \1/
s/"(target-cpu|target-features|frame-pointer|stack-protector-buffer-size)"="[^"]*"//g
# The functions take volatile pointers to accept both kinds of pointers; their accesses become atomic, but not volatile.
s/(atomicrmw|cmpxchg|cmpxchg weak) volatile /\1 /
