; Loops that wait for another work-item yield now and then; loops that count or walk on do not.
; RUN: %opt -passes='upsweep-polling-loops,verify' -S %s | FileCheck %s

; Each 128th round yields.
; CHECK-LABEL: define void @waits_for_flag.item(
; CHECK:       %spins = phi i32
; CHECK:       load atomic i32
; CHECK:       %[[NEXT:.*]] = add i32 %spins, 1
; CHECK:       %[[LOW:.*]] = and i32 %[[NEXT]], 127
; CHECK:       icmp eq i32 %[[LOW]], 0
; CHECK:       call void @__ups_yield() #[[CONVERGENT:.*]]
define void @waits_for_flag.item(ptr %flag) {
entry:
  br label %loop
loop:
  %value = load atomic i32, ptr %flag acquire, align 4
  %unset = icmp eq i32 %value, 0
  br i1 %unset, label %loop, label %end
end:
  ret void
}

; CHECK-LABEL: define void @takes_lock.item(
; CHECK:       call void @__ups_yield()
; CHECK-LABEL: define void @volatile_through_phi.item(
; CHECK:       call void @__ups_yield()
define void @takes_lock.item(ptr %lock) {
entry:
  br label %loop
loop:
  %both = cmpxchg ptr %lock, i32 0, i32 1 acquire monotonic
  %taken = extractvalue { i32, i1 } %both, 1
  br i1 %taken, label %end, label %loop
end:
  ret void
}
define void @volatile_through_phi.item(ptr %flag, i1 %c) {
entry:
  br label %loop
loop:
  %first = load volatile i32, ptr %flag
  %is_set = icmp ne i32 %first, 0
  br i1 %is_set, label %then, label %latch
then:
  br label %latch
latch:
  %done = phi i1 [ true, %then ], [ false, %loop ]
  br i1 %done, label %end, label %loop
end:
  ret void
}

; A loop that says on its way back that it waits for nobody; the one around it, which tries again, does not say so.
; CHECK-LABEL: define void @says_no_wait.item(
; CHECK-NOT:   __ups_no_wait
; CHECK:     outer:
; CHECK:       %spins = phi i32
; CHECK:     inner:
; CHECK-NOT:   %spins{{.*}} = phi i32
; CHECK:     again:
; CHECK-NOT:   __ups_no_wait
; CHECK:       br label %inner
; CHECK:       call void @__ups_yield()
declare void @__ups_no_wait()
define void @says_no_wait.item(ptr %end, ptr %state) {
entry:
  br label %outer
outer:
  %at = load atomic i32, ptr %end monotonic, align 4
  br label %inner
inner:
  %now = phi i32 [ %at, %outer ], [ %seen, %again ]
  %ready = load atomic i32, ptr %state acquire, align 4
  %is_ready = icmp eq i32 %ready, %now
  br i1 %is_ready, label %take, label %late
take:
  %next = add i32 %now, 1
  %both = cmpxchg ptr %end, i32 %now, i32 %next monotonic monotonic
  %seen = extractvalue { i32, i1 } %both, 0
  %mine = extractvalue { i32, i1 } %both, 1
  br i1 %mine, label %end_of_loops, label %again
again:
  call void @__ups_no_wait()
  br label %inner
late:
  br label %outer
end_of_loops:
  ret void
}

; CHECK-LABEL: define void @counts_tickets.item(
; CHECK-NOT:   __ups_yield
; CHECK-LABEL: define void @tries_update_again.item(
; CHECK-NOT:   __ups_yield
; CHECK-LABEL: define void @walks_array.item(
; CHECK-NOT:   __ups_yield
; CHECK-LABEL: define void @plain_load.item(
; CHECK-NOT:   call void @__ups_yield
; CHECK:       attributes #[[CONVERGENT]] = { convergent nounwind }
define void @counts_tickets.item(ptr %next) {
entry:
  br label %loop
loop:
  %ticket = atomicrmw add ptr %next, i32 1 monotonic
  %more = icmp ult i32 %ticket, 1000
  br i1 %more, label %loop, label %end
end:
  ret void
}
define void @tries_update_again.item(ptr %sum, i32 %x) {
entry:
  %before = load atomic i32, ptr %sum monotonic, align 4
  br label %loop
loop:
  %old = phi i32 [ %before, %entry ], [ %seen, %loop ]
  %new = mul i32 %old, %x
  %both = cmpxchg ptr %sum, i32 %old, i32 %new monotonic monotonic
  %seen = extractvalue { i32, i1 } %both, 0
  %done = extractvalue { i32, i1 } %both, 1
  br i1 %done, label %end, label %loop
end:
  ret void
}
define void @walks_array.item(ptr %array) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %place = getelementptr i32, ptr %array, i64 %i
  %value = load volatile i32, ptr %place
  %next = add i64 %i, 1
  %more = icmp ne i32 %value, 0
  br i1 %more, label %loop, label %end
end:
  ret void
}
define void @plain_load.item(ptr %flag) {
entry:
  br label %loop
loop:
  %value = load i32, ptr %flag
  %unset = icmp eq i32 %value, 0
  br i1 %unset, label %loop, label %end
end:
  ret void
}
