// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The usual forms of locks. `words` has LOCKS locks, then as many numbers of entries, and as many sums. MEMORY is its address
// space, and all work-items of all work-groups contend.
#ifndef FORM  // for a compiler that gets no -D option
#define MEMORY global
#define LOCKS 4
#define FORM behind
#endif
#define FENCE atomic_work_item_fence(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE, memory_order_acq_rel, memory_scope_device)
#define PARAMETERS volatile MEMORY int *words, const int k, const int value

void add(PARAMETERS) {
  FENCE;
  words[2 * LOCKS + k] += value;
  FENCE;
}

void behind(PARAMETERS) {
  while (atomic_cmpxchg(words + k, 0, 1)) {
  }
  add(words, k, value);
  atomic_xchg(words + k, 0);
}

void inside(PARAMETERS) {
  for (bool done = false; !done;)
    if (atomic_cmpxchg(words + k, 0, 1) == 0) {
      add(words, k, value);
      atomic_xchg(words + k, 0);
      done = true;
    }
}

// Reads before it tries, and counts failed tries.
void try_lock(PARAMETERS) {
  int tries = 0;
  for (;; ++tries) {
    if (words[k] != 0) continue;
    if (atomic_xchg(words + k, 1) == 0) break;
  }
  add(words, k, tries < 0 ? 0 : value);
  words[k] = 0;
}

void ticket(PARAMETERS) {
  const int mine = atomic_inc(words + k);
  while (atomic_or(words + LOCKS + k, 0) != mine) {
  }
  add(words, k, value);
  atomic_inc(words + LOCKS + k);
}

void flag(PARAMETERS) {
  volatile MEMORY atomic_flag *lock = (volatile MEMORY atomic_flag *)(words + k);
  while (atomic_flag_test_and_set_explicit(lock, memory_order_acquire, memory_scope_device)) {
  }
  add(words, k, value);
  atomic_flag_clear_explicit(lock, memory_order_release, memory_scope_device);
}

void exchange(PARAMETERS) {
  volatile MEMORY atomic_int *lock = (volatile MEMORY atomic_int *)(words + k);
  int expected = 0;
  while (!atomic_compare_exchange_weak_explicit(lock, &expected, 1, memory_order_acquire, memory_order_relaxed,
                                                memory_scope_device))
    expected = 0;
  add(words, k, value);
  atomic_store_explicit(lock, 0, memory_order_release, memory_scope_device);
}

// Two locks; the first is released where the second is acquired.
void pair(PARAMETERS) {
  const int other = (k + 1) % LOCKS;
  for (bool done = false; !done;)
    if (atomic_xchg(words + k, 1) == 0) {
      if (atomic_xchg(words + other, 1) == 0) {
        add(words, k, value);
        done = true;
        atomic_xchg(words + other, 0);
      }
      atomic_xchg(words + k, 0);
    }
}

#define IS_LOCAL_local 1
#define CAT(a, b) a##b
#define IS_LOCAL_OF(memory) CAT(IS_LOCAL_, memory)
#define IS_LOCAL IS_LOCAL_OF(MEMORY)

kernel void locks(global int *out) {
#if IS_LOCAL
  local int own[3 * LOCKS];
  volatile local int *words = own;
  for (int i = get_local_id(0); i < 3 * LOCKS; i += get_local_size(0)) words[i] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
#else
  volatile global int *words = out + LOCKS;
#endif
  // Sub-group functions before and behind the locks.
  const int sum = sub_group_reduce_add(1);
  for (int round = 0; round < 2; ++round) FORM(words, (int)(get_global_id(0) + round) % LOCKS, (int)get_global_id(0) % 5 + 1);
  const int same = sub_group_reduce_add(1) == sum ? 0 : 1 << 20;
  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
#if IS_LOCAL
  for (int i = get_local_id(0); i < LOCKS; i += get_local_size(0)) atomic_add(out + i, words[2 * LOCKS + i] + same);
#else
  if (same) atomic_add(words + 2 * LOCKS, same);
#endif
}
