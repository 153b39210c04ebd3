; Loops that wait for another work-item yield now and then; loops that count or advance do not.
; RUN: %opt -passes='upsweep-polling-loops,verify' -S %s | FileCheck %s

; Each 128th round yields.
; CHECK:       define void @waits_for_flag.item(ptr %flag) #[[POLLS:[0-9]+]]
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

; A loop whose back edge states that it waits for no work-item; the loop around it, which tries again, does not state it.
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

; A counter that some ways back leave as it is, one that comes round, bits of a counter, and an expected value that alternates:
; the same address is read again.
; CHECK-LABEL: define void @collects_flags.item(
; CHECK:       call void @__ups_yield()
define void @collects_flags.item(ptr %flags, i64 %n) {
entry:
  br label %loop
loop:
  %j = phi i64 [ 32, %entry ], [ %j, %loop ], [ %next, %found ]
  %place = getelementptr i32, ptr %flags, i64 %j
  %value = load volatile i32, ptr %place
  %unset = icmp eq i32 %value, 0
  br i1 %unset, label %loop, label %found
found:
  %next = add i64 %j, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}
; CHECK-LABEL: define void @narrow_counter.item(
; CHECK:       call void @__ups_yield()
define void @narrow_counter.item(ptr %flags) {
entry:
  br label %loop
loop:
  %j = phi i8 [ 0, %entry ], [ %next, %loop ]
  %index = zext i8 %j to i64
  %place = getelementptr i32, ptr %flags, i64 %index
  %value = load volatile i32, ptr %place
  %next = add i8 %j, 1
  %unset = icmp eq i32 %value, 0
  br i1 %unset, label %loop, label %end
end:
  ret void
}
; CHECK-LABEL: define void @low_bits.item(
; CHECK:       call void @__ups_yield()
define void @low_bits.item(ptr %flags) {
entry:
  br label %loop
loop:
  %j = phi i64 [ 0, %entry ], [ %next, %loop ]
  %index = and i64 %j, 31
  %place = getelementptr i32, ptr %flags, i64 %index
  %value = load volatile i32, ptr %place
  %next = add i64 %j, 1
  %unset = icmp eq i32 %value, 0
  br i1 %unset, label %loop, label %end
end:
  ret void
}
; CHECK-LABEL: define void @expects_two_values.item(
; CHECK:       call void @__ups_yield()
define void @expects_two_values.item(ptr %lock) {
entry:
  br label %loop
loop:
  %expected = phi i32 [ 0, %entry ], [ %other, %loop ]
  %both = cmpxchg ptr %lock, i32 %expected, i32 7 monotonic monotonic
  %taken = extractvalue { i32, i1 } %both, 1
  %other = xor i32 %expected, 1
  br i1 %taken, label %end, label %loop
end:
  ret void
}

; An update that succeeds but continues; a counter that is reset; a counter that waits for a certain sum.
; CHECK-LABEL: define void @sets_bit.item(
; CHECK:       call void @__ups_yield()
define void @sets_bit.item(ptr %lock) {
entry:
  br label %loop
loop:
  %old = phi i32 [ 0, %entry ], [ %seen, %loop ]
  %new = or i32 %old, 1
  %both = cmpxchg ptr %lock, i32 %old, i32 %new monotonic monotonic
  %seen = extractvalue { i32, i1 } %both, 0
  %low = and i32 %seen, 1
  %taken = icmp eq i32 %low, 0
  br i1 %taken, label %end, label %loop
end:
  ret void
}
; CHECK-LABEL: define void @semaphore.item(
; CHECK:       call void @__ups_yield()
define void @semaphore.item(ptr %count) {
entry:
  br label %loop
loop:
  %before = atomicrmw add ptr %count, i32 1 monotonic
  %late = icmp sgt i32 %before, 0
  br i1 %late, label %back, label %end
back:
  %ignored = atomicrmw sub ptr %count, i32 1 monotonic
  br label %loop
end:
  ret void
}
; CHECK-LABEL: define void @counts_to_zero.item(
; CHECK:       call void @__ups_yield()
define void @counts_to_zero.item(ptr %lock) {
entry:
  br label %loop
loop:
  %before = atomicrmw add ptr %lock, i32 1 monotonic
  %held = icmp ne i32 %before, 0
  br i1 %held, label %loop, label %end
end:
  ret void
}

; A branch in between decides: about the deciding value, or about the exit.
; CHECK-LABEL: define void @decides_in_between.item(
; CHECK:       call void @__ups_yield()
define void @decides_in_between.item(ptr %flag, ptr %out, i1 %c) {
entry:
  br label %loop
loop:
  br i1 %c, label %look, label %latch
look:
  %value = load volatile i32, ptr %flag
  %set = icmp ne i32 %value, 0
  br i1 %set, label %yes, label %no
yes:
  store i32 1, ptr %out
  br label %latch
no:
  store i32 2, ptr %out
  br label %latch
latch:
  %done = phi i1 [ true, %yes ], [ false, %no ], [ false, %loop ]
  br i1 %done, label %end, label %loop
end:
  ret void
}
; CHECK-LABEL: define void @decides_about_exit.item(
; CHECK:       call void @__ups_yield()
define void @decides_about_exit.item(ptr %flag, i1 %c) {
entry:
  br label %loop
loop:
  %value = load volatile i32, ptr %flag
  %set = icmp ne i32 %value, 0
  br i1 %set, label %leave, label %loop
leave:
  br i1 %c, label %end, label %loop
end:
  ret void
}
; The loop contains a counted loop, or uses private memory.
; CHECK-LABEL: define void @counts_set_flags.item(
; CHECK:     outer:
; CHECK:       %spins
; CHECK:       call void @__ups_yield()
define void @counts_set_flags.item(ptr %flags) {
entry:
  br label %outer
outer:
  br label %inner
inner:
  %j = phi i64 [ 0, %outer ], [ %next, %inner ]
  %place = getelementptr i32, ptr %flags, i64 %j
  %value = load volatile i32, ptr %place
  %next = add nuw i64 %j, 1
  %set = icmp ne i32 %value, 0
  %more = icmp ult i64 %next, 1000
  %go_on = and i1 %set, %more
  br i1 %go_on, label %inner, label %checked
checked:
  %all = icmp eq i64 %next, 1000
  br i1 %all, label %end, label %outer
end:
  ret void
}
; CHECK-LABEL: define void @keeps_in_memory.item(
; CHECK:       call void @__ups_yield()
define void @keeps_in_memory.item(ptr %flag, i64 %i) {
entry:
  %kept = alloca [4 x i32]
  %place = getelementptr i32, ptr %kept, i64 %i
  br label %loop
loop:
  %value = load volatile i32, ptr %flag
  store i32 %value, ptr %place
  %again = load i32, ptr %kept
  %unset = icmp eq i32 %again, 0
  br i1 %unset, label %loop, label %end
end:
  ret void
}
; Two entries.
; CHECK-LABEL: define void @irreducible.item(
; CHECK:       call void @__ups_yield()
define void @irreducible.item(ptr %flag, i1 %c) {
entry:
  br i1 %c, label %look, label %wait
look:
  %value = load volatile i32, ptr %flag
  %unset = icmp eq i32 %value, 0
  br i1 %unset, label %wait, label %end
wait:
  fence acquire
  br label %look
end:
  ret void
}

; All back edges step by the same constant; a loop too short for a yield; private memory; a counter of other work-items'
; places.
; CHECK-LABEL: define void @steps_alike.item(
; CHECK-NOT:   call void @__ups_yield
; CHECK-LABEL: define void @tries_a_few_times.item(
; CHECK-NOT:   call void @__ups_yield
; CHECK-LABEL: define void @own_memory.item(
; CHECK-NOT:   call void @__ups_yield
; CHECK-LABEL: define void @counts_in_bins.item(
; CHECK-NOT:   call void @__ups_yield
define void @steps_alike.item(ptr %array) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ], [ %next, %then ]
  %index = zext i32 %i to i64
  %place = getelementptr i32, ptr %array, i64 %index
  %value = load volatile i32, ptr %place
  %next = add i32 %i, 3
  %more = icmp ne i32 %value, 0
  br i1 %more, label %loop, label %then
then:
  %much = icmp ne i32 %i, 300
  br i1 %much, label %loop, label %end
end:
  ret void
}
define void @tries_a_few_times.item(ptr %flag) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %value = load volatile i32, ptr %flag
  %unset = icmp eq i32 %value, 0
  %next = add nuw i32 %i, 1
  %more = icmp ult i32 %next, 100
  %again = and i1 %unset, %more
  br i1 %again, label %loop, label %end
end:
  ret void
}
define void @own_memory.item() {
entry:
  %own = alloca i32
  store i32 0, ptr %own
  br label %loop
loop:
  %value = load volatile i32, ptr %own
  %next = add i32 %value, 1
  store volatile i32 %next, ptr %own
  %more = icmp ult i32 %next, 1000
  br i1 %more, label %loop, label %end
end:
  ret void
}
define void @counts_in_bins.item(ptr %bins, ptr %values, ptr %out, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %latch ]
  %place = getelementptr i32, ptr %values, i64 %i
  %value = load i32, ptr %place
  %bin = getelementptr i32, ptr %bins, i32 %value
  %old = atomicrmw add ptr %bin, i32 1 monotonic
  %first = icmp eq i32 %old, 0
  br i1 %first, label %then, label %latch
then:
  store i32 %value, ptr %out
  br label %latch
latch:
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}
; Tickets in local memory end the loop beyond a limit; a counting lock does not.
; CHECK-LABEL: define void @takes_tickets.item(
; CHECK-NOT:   call void @__ups_yield
; CHECK-LABEL: define void @counts_below.item(
; CHECK:       call void @__ups_yield()
declare void @__ups_work_group_barrier(i32)
@ticket = internal global i32 poison
define void @takes_tickets.item(ptr %next, i32 %n, i1 %first) {
entry:
  br label %loop
loop:
  br i1 %first, label %take, label %wait
take:
  %mine = atomicrmw add ptr %next, i32 1 monotonic
  store i32 %mine, ptr @ticket
  br label %wait
wait:
  call void @__ups_work_group_barrier(i32 1)
  %tile = load i32, ptr @ticket
  %more = icmp ult i32 %tile, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}
define void @counts_below.item(ptr %lock) {
entry:
  br label %loop
loop:
  %before = atomicrmw add ptr %lock, i32 1 monotonic
  %held = icmp ugt i32 %before, 0
  br i1 %held, label %loop, label %end
end:
  ret void
}

; A work-item alone in its work-group can only wait for other work-groups. Yielding would not help.
; CHECK:       define void @waits_alone.item(ptr %flag) #[[POLLS_ALONE:[0-9]+]]
; CHECK-NOT:   __ups_yield
; CHECK:       define void @counts_alone.item(ptr %counter) #[[ALONE:[0-9]+]]
define void @waits_alone.item(ptr %flag) "upsweep-one-item" {
entry:
  br label %loop
loop:
  %value = load atomic i32, ptr %flag acquire, align 4
  %unset = icmp eq i32 %value, 0
  br i1 %unset, label %loop, label %end
end:
  ret void
}
define void @counts_alone.item(ptr %counter) "upsweep-one-item" {
  %before = atomicrmw add ptr %counter, i32 1 monotonic
  ret void
}
; CHECK-DAG:   attributes #[[POLLS]] = { "upsweep-polls" }
; CHECK-DAG:   attributes #[[POLLS_ALONE]] = { "upsweep-one-item" "upsweep-polls" }
; CHECK-DAG:   attributes #[[ALONE]] = { "upsweep-one-item" }
; CHECK-DAG:   attributes #[[CONVERGENT]] = { convergent nounwind }
