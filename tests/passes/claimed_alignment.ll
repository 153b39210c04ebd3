; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; An alignment that an access claims and its variable lacks is reported; if the variable can be aligned, it is.
; RUN: not %opt -passes=upsweep-check-alignment -disable-output %s 2>&1 | FileCheck %s --check-prefix=FOUND
; RUN: not %opt -passes='function(upsweep-align-variables),upsweep-check-alignment' -disable-output %s 2>&1 | FileCheck %s --check-prefix=LEFT
; RUN: %opt -passes=upsweep-align-variables -S %s | FileCheck %s

; CHECK-DAG: @bytes = internal constant [160 x i8] zeroinitializer, align 16
; CHECK-DAG: @wide = internal constant [160 x i8] zeroinitializer, align 64
; CHECK-DAG: @plain = internal constant [4 x i32] zeroinitializer, align 4
; CHECK-DAG: @elsewhere = external constant [4 x i32], align 4
@bytes = internal constant [160 x i8] zeroinitializer, align 1
@wide = internal constant [160 x i8] zeroinitializer, align 1
@plain = internal constant [4 x i32] zeroinitializer, align 4
@elsewhere = external constant [4 x i32], align 4

; libclc's PIBITS_TBL.
; FOUND: error: table: {{.*}} alignment of 16 bytes, the accessed object has an alignment of 1
; LEFT-NOT: error: table:
define <4 x i32> @table(i64 %i) {
  %rows = and i64 %i, 112
  %place = getelementptr inbounds i8, ptr @bytes, i64 %rows
  %next = getelementptr inbounds i8, ptr %place, i64 16
  %data = load <4 x i32>, ptr %next, align 16
  ret <4 x i32> %data
}

; The same by lanes: vectors of addresses, gathers, masks.
; FOUND: error: lanes: {{.*}} alignment of 64 bytes
; LEFT-NOT: error: lanes:
define <16 x i32> @lanes(<2 x i64> %i, <16 x i1> %mask) {
  %places = getelementptr i8, <2 x ptr> <ptr @wide, ptr @wide>, <2 x i64> %i
  %one = extractelement <2 x ptr> %places, i32 1
  %data = load <16 x i32>, ptr %one, align 64
  %some = call <16 x i32> @llvm.masked.load.v16i32.p0(ptr %one, i32 64, <16 x i1> %mask, <16 x i32> %data)
  %own = alloca [16 x i32], align 4
  call void @llvm.masked.store.v16i32.p0(<16 x i32> %some, ptr %own, i32 64, <16 x i1> %mask)
  ret <16 x i32> %some
}

; An offset that no alignment of the variable makes right, also round a loop.
; FOUND: error: odd: {{.*}} alignment of 16 bytes, {{.*}} at a distance of 4 modulo
; LEFT: error: odd: {{.*}} alignment of 16 bytes, {{.*}} at a distance of 4 modulo
define <4 x i32> @odd() {
  %data = load <4 x i32>, ptr getelementptr (i8, ptr @plain, i64 4), align 16
  ret <4 x i32> %data
}
; FOUND: error: loop: {{.*}} alignment of 16 bytes
; LEFT: error: loop: {{.*}} at a distance of 8 modulo 32
define void @loop(i1 %more) {
entry:
  %own = alloca [64 x i32], align 64
  %start = getelementptr i8, ptr %own, i64 8
  br label %body
body:
  %place = phi ptr [ %start, %entry ], [ %next, %body ]
  store <4 x i32> zeroinitializer, ptr %place, align 16
  %next = getelementptr i8, ptr %place, i64 32
  br i1 %more, label %body, label %exit
exit:
  ret void
}

; Not ours to align.
; LEFT: error: foreign: {{.*}} alignment of 16 bytes
define i32 @foreign() {
  %data = load i32, ptr @elsewhere, align 16
  ret i32 %data
}

; The contract with the driver: local memory begins at a page, the alignment of the hooks is unknown.
; FOUND: error: group: {{.*}} alignment of 8192 bytes
; LEFT: error: group: {{.*}} alignment of 8192 bytes
define void @group(ptr align 64 dereferenceable(264) %group) {
  %field = getelementptr i8, ptr %group, i64 160
  %local = load ptr, ptr %field, align 8
  store <16 x i32> zeroinitializer, ptr %local, align 4096
  store <16 x i32> zeroinitializer, ptr %local, align 8192
  ret void
}

; What a program promises of its own pointers is its affair.
; LEFT-NOT: error: promised
define void @promised(ptr %out, i64 %i) {
  %place = getelementptr i32, ptr %out, i64 %i
  store <16 x i32> zeroinitializer, ptr %place, align 64
  ret void
}
