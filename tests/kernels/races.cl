// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels with and without races, a case each: work-groups of 64, `out` and `in` have at least as many ints as there are
// work-items.
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#define HERE get_global_id(0)
#define LID ((int)get_local_id(0))
#define LOCAL_BARRIER barrier(CLK_LOCAL_MEM_FENCE)
#define GLOBAL_BARRIER barrier(CLK_GLOBAL_MEM_FENCE)

kernel __attribute__((reqd_work_group_size(64, 1, 1))) void NAME(global int *out, global int *in, int n) {
  local int l[128];
  local int one;
#if defined(OWN)  // correct
  out[HERE] = in[HERE] + 1;
  out[HERE] += 2;
#elif defined(SHIFT)      // correct if the arguments are apart
  out[HERE] = in[HERE + 1];
#elif defined(PITCH)      // correct if n is at least the size of a row
  out[get_global_id(1) * n + HERE] = HERE;
#elif defined(ONE_PLACE)  // writes of different values
  out[0] = HERE;
#elif defined(ONE_PLACE_EQUAL)
  out[0] = n;
#elif defined(ONE_PLACE_OF_TWO)  // two work-items of one sub-group
  if (HERE == 3 || HERE == 5) out[7] = HERE;
#elif defined(NEIGHBOUR)
  out[HERE] = HERE;
  if (LID < 63) in[HERE] = out[HERE + 1];
#elif defined(NEIGHBOUR_BARRIER)        // correct
  out[HERE] = HERE;
  GLOBAL_BARRIER;
  if (LID < 63) in[HERE] = out[HERE + 1];
#elif defined(NEIGHBOUR_WRONG_BARRIER)  // the barrier is for local memory
  out[HERE] = HERE;
  LOCAL_BARRIER;
  if (LID < 63) in[HERE] = out[HERE + 1];
#elif defined(NEXT_GROUP)               // a barrier orders no other group
  out[HERE] = HERE;
  GLOBAL_BARRIER;
  if (HERE + 64 < n) in[HERE] = out[HERE + 64];
#elif defined(REDUCTION)                // correct
  l[LID] = in[HERE];
  for (int half_size = 32; half_size > 0; half_size /= 2) {
    LOCAL_BARRIER;
    if (LID < half_size) l[LID] += l[LID + half_size];
  }
  if (LID == 0) out[get_group_id(0)] = l[0];
#elif defined(REDUCTION_WITHOUT_BARRIER)
  l[LID] = in[HERE];
  LOCAL_BARRIER;
  for (int half_size = 32; half_size > 0; half_size /= 2)
    if (LID < half_size) l[LID] += l[LID + half_size];
  if (LID == 0) out[get_group_id(0)] = l[0];
#elif defined(WRITE_AFTER_READ)
  l[LID] = in[HERE];
  LOCAL_BARRIER;
  int next = l[(LID + 1) % 64];
  l[LID] = next;
  out[HERE] = next;
#elif defined(LOOP)          // a barrier is missing at the end of the loop
  for (int k = 0; k < 3; ++k) {
    l[LID] = in[HERE] + k;
    LOCAL_BARRIER;
    out[HERE] = l[63 - LID];
  }
#elif defined(LOOP_BARRIER)  // correct
  for (int k = 0; k < 3; ++k) {
    l[LID] = in[HERE] + k;
    LOCAL_BARRIER;
    out[HERE] = l[63 - LID];
    LOCAL_BARRIER;
  }
#elif defined(LEADER)        // correct
  if (LID == 0) one = in[HERE];
  LOCAL_BARRIER;
  out[HERE] = one;
#elif defined(LEADER_WITHOUT_BARRIER)
  if (LID == 0) one = in[HERE];
  out[HERE] = one;
#elif defined(BYTES)  // correct: neighbours in a word
  ((global char *)out)[HERE] = (char)HERE;
#elif defined(BYTE_OF_NEIGHBOUR)
  ((global char *)out)[HERE] = (char)HERE;
  if (LID < 63) in[HERE] = ((global char *)out)[HERE + 1];
#elif defined(WORD_OVER_BYTE)
  if (HERE == 5) ((global char *)out)[41] = 1;
  if (HERE == 40) out[10] = 7;
#elif defined(UNALIGNED)   // correct: three bytes each
  vstore3((char3)(1, 2, 3), HERE, (global char *)out);
#elif defined(VECTORS)     // correct
  if (LID < 16) vstore4((int4)(HERE, 2, 3, 4), HERE, out);
#elif defined(COMPONENTS)  // correct: components of one vector
  if (HERE == 1) ((global int4 *)out)[5].y = 7;
  if (HERE == 2) ((global int4 *)out)[5].xw = (int2)(7, 8);
#elif defined(COMPONENTS_OVERLAP)
  if (HERE == 1) ((global int4 *)out)[5].y = 7;
  if (HERE == 2) ((global int4 *)out)[5].xy = (int2)(7, 8);
#elif defined(VECTORS_OVERLAP)
  if (LID < 16) vstore4((int4)(HERE, 2, 3, 4), 0, out + 3 * LID);
#elif defined(GATHER)
  out[in[HERE]] = HERE;
#elif defined(ATOMICS)        // correct
  atomic_add(&out[0], 1);
  atomic_inc(&out[1]);
  atomic_max((volatile global int *)&out[2], LID);
#elif defined(ATOMIC_HALVES)  // correct: neighbours in a word, of which one is atomic
  global half *halves = (global half *)out;
  atomic_fetch_add_explicit((global atomic_half *)&halves[2 * (HERE / 2)], 1.0h, memory_order_relaxed, memory_scope_device);
  if (HERE & 1) halves[2 * (HERE / 2) + 1] = 2.0h;
#elif defined(ATOMIC_HALF_AND_WRITE)
  global half *halves = (global half *)out;
  atomic_fetch_add_explicit((global atomic_half *)&halves[2 * (HERE / 2)], 1.0h, memory_order_relaxed, memory_scope_device);
  if (HERE == 9) halves[2 * (HERE / 2)] = 2.0h;
#elif defined(ATOMIC_AND_WRITE)
  atomic_add(&out[0], 1);
  if (LID == 9) out[0] = 5;
#elif defined(ATOMIC_AND_READ)
  atomic_add(&out[0], 1);
  in[HERE] = out[0];
#elif defined(ATOMIC_BEFORE_READ)  // the reader's own update comes last
  atomic_inc(&out[0]);
  if (HERE == n - 1) in[0] = out[0];
#elif defined(EXCHANGE)            // correct: an exchange that fails writes nothing
  if (LID == 0) one = 0;
  LOCAL_BARRIER;
  if (atomic_cmpxchg(&one, 0, 1) == 0) out[HERE] = one;
#elif defined(EXCHANGE_AND_WRITE)
  if (LID == 5) one = 0;
  out[HERE] = atomic_cmpxchg(&one, 0, 1);
#elif defined(ATOMIC_UNINITIALISED)   // the leader's write is not ordered before the others' updates
  if (LID == 0) one = 0;
  atomic_add(&one, 1);
  LOCAL_BARRIER;
  out[HERE] = one;
#elif defined(ATOMIC_INITIALISED)     // correct
  if (LID == 0) one = 0;
  LOCAL_BARRIER;
  atomic_add(&one, 1);
  LOCAL_BARRIER;
  out[HERE] = one;
#elif defined(ATOMIC_SCOPE)           // groups update one place with the scope of a group
  atomic_fetch_add_explicit((volatile global atomic_int *)out, 1, memory_order_relaxed, memory_scope_work_group);
#elif defined(ATOMIC_SCOPE_IN_GROUP)  // correct
  atomic_fetch_add_explicit((volatile global atomic_int *)out + get_group_id(0), 1, memory_order_relaxed,
                            memory_scope_work_group);
#elif defined(LAST_GROUP)             // correct: the last group reads the others' results
  if (LID == 0) {
    out[1 + get_group_id(0)] = in[HERE];
    int before =
        atomic_fetch_add_explicit((volatile global atomic_int *)in + 4095, 1, memory_order_acq_rel, memory_scope_device);
    one = before == get_num_groups(0) - 1;
  }
  LOCAL_BARRIER;
  if (one && LID < get_num_groups(0)) in[2048 + LID] = out[1 + LID];
#elif defined(LAST_GROUP_RELAXED)
  if (LID == 0) {
    out[1 + get_group_id(0)] = in[HERE];
    int before =
        atomic_fetch_add_explicit((volatile global atomic_int *)in + 4095, 1, memory_order_relaxed, memory_scope_device);
    one = before == get_num_groups(0) - 1;
  }
  LOCAL_BARRIER;
  if (one && LID < get_num_groups(0)) in[2048 + LID] = out[1 + LID];
#elif defined(LAST_GROUP_NARROW)
  if (LID == 0) {
    out[1 + get_group_id(0)] = in[HERE];
    int before =
        atomic_fetch_add_explicit((volatile global atomic_int *)in + 4095, 1, memory_order_acq_rel, memory_scope_work_group);
    one = before == get_num_groups(0) - 1;
  }
  LOCAL_BARRIER;
  if (one && LID < get_num_groups(0)) in[2048 + LID] = out[1 + LID];
#elif defined(LAST_GROUP_FENCES)           // correct: all work-items write
  out[64 + HERE] = in[HERE];
  GLOBAL_BARRIER;
  if (LID == 0) {
    atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_release, memory_scope_device);
    int before =
        atomic_fetch_add_explicit((volatile global atomic_int *)in + 4095, 1, memory_order_relaxed, memory_scope_device);
    atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_acquire, memory_scope_device);
    one = before == get_num_groups(0) - 1;
  }
  work_group_barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  if (one)
    for (int k = LID; k < n; k += 64) in[1024 + k] = out[64 + k];
#elif defined(LAST_GROUP_WITHOUT_BARRIER)  // the leader's release says nothing about the others' writes
  out[64 + HERE] = in[HERE];
  if (LID == 0) {
    int before =
        atomic_fetch_add_explicit((volatile global atomic_int *)in + 4095, 1, memory_order_acq_rel, memory_scope_device);
    one = before == get_num_groups(0) - 1;
  }
  work_group_barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  if (one)
    for (int k = LID; k < n; k += 64) in[1024 + k] = out[64 + k];
#elif defined(CHAIN)                       // correct: each group continues the sum of the group before
  if (LID == 0) {
    volatile global atomic_int *flags = (volatile global atomic_int *)in + 2048;
    const int group = get_group_id(0);
    int before = 0;
    if (group > 0) {
      while (!atomic_load_explicit(flags + group - 1, memory_order_acquire, memory_scope_device)) {
      }
      before = out[group - 1];
    }
    out[group] = before + in[HERE];
    atomic_store_explicit(flags + group, 1, memory_order_release, memory_scope_device);
  }
#elif defined(CHAIN_RELAXED)
  if (LID == 0) {
    volatile global atomic_int *flags = (volatile global atomic_int *)in + 2048;
    const int group = get_group_id(0);
    int before = 0;
    if (group > 0) {
      while (!atomic_load_explicit(flags + group - 1, memory_order_relaxed, memory_scope_device)) {
      }
      before = out[group - 1];
    }
    out[group] = before + in[HERE];
    atomic_store_explicit(flags + group, 1, memory_order_relaxed, memory_scope_device);
  }
#elif defined(LOCK)              // correct
  volatile global atomic_int *lock = (volatile global atomic_int *)in + 2048;
  bool is_done = false;
  while (!is_done)
    if (!atomic_exchange_explicit(lock, 1, memory_order_acquire, memory_scope_device)) {
      out[0] += 1;
      atomic_store_explicit(lock, 0, memory_order_release, memory_scope_device);
      is_done = true;
    }
#elif defined(SUB_GROUP)         // correct
  l[LID] = in[HERE];
  sub_group_barrier(CLK_LOCAL_MEM_FENCE);
  const int first = LID - get_sub_group_local_id();
  out[HERE] = l[first + (get_sub_group_local_id() + 1) % get_sub_group_size()];
#elif defined(SUB_GROUP_BEYOND)  // a sub-group's barrier orders no other sub-group
  l[LID] = in[HERE];
  sub_group_barrier(CLK_LOCAL_MEM_FENCE);
  out[HERE] = l[63 - LID];
#elif defined(COPY)              // correct
  event_t event = async_work_group_copy(l, in + 64 * get_group_id(0), 64, 0);
  wait_group_events(1, &event);
  out[HERE] = l[63 - LID];
#elif defined(COPY_WITHOUT_WAIT)
  event_t event = async_work_group_copy(l, in + 64 * get_group_id(0), 64, 0);
  out[HERE] = l[LID];
  wait_group_events(1, &event);
#elif defined(COPY_BEFORE_BARRIER)  // the source is not complete
  l[LID] = in[HERE];
  event_t event = async_work_group_copy(out + 64 * get_group_id(0), l, 64, 0);
  wait_group_events(1, &event);
#elif defined(COPY_AFTER_BARRIER)   // correct
  l[LID] = in[HERE];
  LOCAL_BARRIER;
  event_t event = async_work_group_copy(out + 64 * get_group_id(0), l, 64, 0);
  wait_group_events(1, &event);
#elif defined(COLLECTIVE)           // correct: a collective of the work-group waits for all
  l[LID] = in[HERE];
  const int sum = work_group_reduce_add(LID);
  out[HERE] = l[63 - LID] + sum;
#elif defined(CONDITION)            // correct: only the leader reads its place, later it writes it
  int value = 0;
  if (LID == 0) {
    value = l[0];
    l[0] = value + n;
  }
  out[HERE] = value;
#elif defined(PROGRAM_SCOPE)
  static global int counter;
  counter = HERE;
#elif defined(STRUCTS)  // correct: members of one struct
  struct Pair {
    int a;
    int b;
  };
  global struct Pair *pairs = (global struct Pair *)out;
  if (LID & 1)
    pairs[HERE / 2].a = LID;
  else
    pairs[HERE / 2].b = LID;
#endif
}
