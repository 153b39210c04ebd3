; A join behind two loops, of which each lane has entered one: its phis differ from lane to lane, although each incoming value
; is uniform among the lanes that bring it.
; RUN: %opt -passes='upsweep-vectorise-lanes<no-rows>,function(instcombine,simplifycfg)' -S %s | FileCheck %s

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

declare i64 @__ups_local_id(i32)
declare ptr @__ups_arguments()

; CHECK-LABEL: define internal void @f.full(
; CHECK:       join:
; CHECK:       phi <16 x i32>
; CHECK:       ret void
define internal void @f.item() {
entry:
  %arguments = call ptr @__ups_arguments()
  %out = load ptr, ptr %arguments, !invariant.load !0
  %n.address = getelementptr i8, ptr %arguments, i64 8
  %n = load i32, ptr %n.address, !invariant.load !0
  %id = call i64 @__ups_local_id(i32 0)
  %first = icmp eq i64 %id, 0
  br i1 %first, label %up, label %down
down:
  %d = phi i32 [ 5, %entry ], [ %d.next, %down ]
  %d.next = add i32 %d, -1
  %d.goes = icmp ne i32 %d.next, 0
  br i1 %d.goes, label %down, label %join
up:
  %u = phi i32 [ 0, %entry ], [ %u.next, %up.body ]
  %u.goes = icmp ult i32 %u, %n
  br i1 %u.goes, label %up.body, label %join
up.body:
  %u.next = add i32 %u, 1
  br label %up
join:
  %a = phi i32 [ %d.next, %down ], [ 100, %up ]
  %b = phi i32 [ 4, %down ], [ %u, %up ]
  %at = getelementptr i32, ptr %out, i64 %id
  %sum = add i32 %a, %b
  store i32 %sum, ptr %at
  ret void
}
!0 = !{}
