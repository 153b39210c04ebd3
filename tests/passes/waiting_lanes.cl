// Kernels in which lanes of a sub-group may wait for each other become code for single work-items (`single_`). All other
// kernels are vectors (`lanes_`), also if they wait for other sub-groups or work-groups. Kernels whose leader is the only one
// in some shapes of work-groups have both codes (`both_`).
// RUN: %upsweepc -cl-std=CL3.0 --cpu=x86-64-v3 --emit=asm -o /dev/null --llvm=-print-after=upsweep-vectorise-lanes %s 2>&1 | \
// RUN:   grep -o 'define internal void @[a-z_]*\.\(item\|full\|scalar\)' | sort | FileCheck %s --implicit-check-not=define

// CHECK: define internal void @both_below_one.full
// CHECK: define internal void @both_below_one.scalar
// CHECK: define internal void @both_beyond.full
// CHECK: define internal void @both_beyond.scalar
// CHECK: define internal void @both_by_width.full
// CHECK: define internal void @both_by_width.scalar
// CHECK: define internal void @both_first_locks.full
// CHECK: define internal void @both_first_locks.scalar
// CHECK: define internal void @both_last_looks_back.full
// CHECK: define internal void @both_last_looks_back.scalar
// CHECK: define internal void @both_leader_locks.full
// CHECK: define internal void @both_leader_locks.scalar
// CHECK: define internal void @both_pairs_lock.full
// CHECK: define internal void @both_pairs_lock.scalar
// CHECK: define internal void @both_remainder.full
// CHECK: define internal void @both_remainder.scalar
// CHECK: define internal void @both_row_end.full
// CHECK: define internal void @both_row_end.scalar
// CHECK: define internal void @both_warp_leader_locks.full
// CHECK: define internal void @both_warp_leader_locks.scalar
// CHECK: define internal void @lanes_add_up.full
// CHECK: define internal void @lanes_barrier.full
// CHECK: define internal void @lanes_elected.full
// CHECK: define internal void @lanes_hash.full
// CHECK: define internal void @lanes_lane.full
// CHECK: define internal void @lanes_last_lane.full
// CHECK: define internal void @lanes_leader_looks_back.full
// CHECK: define internal void @lanes_look_back.full
// CHECK: define internal void @lanes_number.full
// CHECK: define internal void @lanes_push.full
// CHECK: define internal void @lanes_push.item
// CHECK: define internal void @lanes_remainder_of_number.full
// CHECK: define internal void @lanes_required.full
// CHECK: define internal void @lanes_turns.full
// CHECK: define internal void @single_backs_off.item
// CHECK: define internal void @single_collects.item
// CHECK: define internal void @single_columns.item
// CHECK: define internal void @single_hands_on.item
// CHECK: define internal void @single_inside.item
// CHECK: define internal void @single_lock.item
// CHECK: define internal void @single_rounds.item
// CHECK: define internal void @single_short_remainder.item
// CHECK: define internal void @single_takes_turns.item
// CHECK: define internal void @single_ticket.item
// CHECK: define internal void @single_tree.item
// CHECK: define internal void @single_two.item

#define RELAXED memory_order_relaxed, memory_scope_device

kernel void single_lock(volatile global int *lock, global int *sum) {
  while (atomic_cmpxchg(lock, 0, 1)) {
  }
  *sum += get_local_id(0);
  atomic_xchg(lock, 0);
}

kernel void single_inside(volatile global int *lock, global int *sum) {
  for (bool done = false; !done;)
    if (atomic_xchg(lock, 1) == 0) {
      *sum += get_local_id(0);
      *lock = 0;
      done = true;
    }
}

kernel void single_ticket(volatile global int *next, global int *sum) {
  const int ticket = atomic_inc(next);
  while (next[1] != ticket) {
  }
  *sum += ticket;
  next[1] = ticket + 1;
}

// Two lanes in step would each take one and give it back, repeatedly.
kernel void single_backs_off(volatile global int *locks, global int *sums, global const int *pairs) {
  const int a = pairs[2 * get_global_id(0)], b = pairs[2 * get_global_id(0) + 1];
  for (bool done = false; !done;)
    if (!atomic_xchg(locks + a, 1)) {
      if (!atomic_xchg(locks + b, 1)) {
        sums[a] += sums[b];
        done = true;
        atomic_xchg(locks + b, 0);
      }
      atomic_xchg(locks + a, 0);
    }
}

kernel void single_tree(volatile global int *links, global int *keys) {
  int link = 0;
  const int me = get_global_id(0) + 1;
  for (;;) {
    const int next = links[link];
    if (next > 0) {
      link = 2 * next + (me > keys[next]);
    } else if (next == 0 && atomic_cmpxchg(links + link, 0, -1) == 0) {
      keys[me] = me;
      links[link] = me;
      break;
    }
  }
}

kernel void single_collects(volatile local int *flags, global int *sum) {
  if (get_local_id(0) == 0) {
    for (uint i = 1; i < get_local_size(0); ++i)
      while (flags[i] == 0) {
      }
    *sum = 1;
  } else {
    flags[get_local_id(0)] = 1;
  }
}

// Item 1 of the first work-group releases the second work-group, which releases item 0.
kernel void single_hands_on(volatile global int *there, volatile global int *back) {
  const int item = get_local_id(0);
  if (get_group_id(0) == 0) {
    if (item == 0) {
      while (*back == 0) {
      }
    } else if (item == 1) {
      *there = 1;
    }
  } else if (item == 0) {
    while (*there == 0) {
    }
    *back = 1;
  }
}

// Rows of a work-group may share a sub-group, so that several of its lanes have the number 0.
kernel void both_pairs_lock(volatile global int *lock, global int *sum) {
  if (get_local_id(0) == 0) {
    while (atomic_cmpxchg(lock, 0, 1)) {
    }
    *sum += get_local_id(1);
    atomic_xchg(lock, 0);
  }
}

kernel void both_leader_locks(volatile global int *lock, global int *sum, global const int *values) {
  const int total = work_group_reduce_add(values[get_global_id(0)]);
  if (get_local_id(0) == 0) {
    while (atomic_cmpxchg(lock, 0, 1)) {
    }
    *sum += total;
    atomic_xchg(lock, 0);
  }
}

kernel void both_first_locks(volatile global int *lock, global int *sum) {
  const int number = get_local_id(1) * get_local_size(0) + get_local_id(0);
  if (number == 0) {
    while (atomic_cmpxchg(lock, 0, 1)) {
    }
    *sum += 1;
    atomic_xchg(lock, 0);
  }
}

kernel void both_warp_leader_locks(volatile global int *lock, global int *sum) {
  const int total = sub_group_reduce_add((int)get_global_id(0));
  if (get_local_id(0) % 32 == 0) {
    while (atomic_cmpxchg(lock, 0, 1)) {
    }
    *sum += total;
    atomic_xchg(lock, 0);
  }
}

kernel void lanes_leader_looks_back(volatile global int *states, global int *out) {
  const int group = get_group_id(0);
  local int before;
  const int total = work_group_reduce_add((int)get_local_id(0));
  if (get_local_id(0) == 0) {
    int state = group ? 0 : 1;
    while (state == 0) state = atomic_load_explicit((volatile global atomic_int *)states + group - 1, RELAXED);
    atomic_store_explicit((volatile global atomic_int *)states + group, state + total, RELAXED);
    before = state;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = before;
}

// Each lane waits for its own state, and all meet before the next one is published.
kernel void lanes_look_back(volatile global int *states, global int *out) {
  const int lane = get_sub_group_local_id(), group = get_group_id(0);
  int state = 1;
  if (lane < group)
    while ((state = atomic_load_explicit((volatile global atomic_int *)states + group - 1 - lane, RELAXED)) == 0) {
    }
  const int before = sub_group_reduce_add(state);
  if (lane == 0) atomic_store_explicit((volatile global atomic_int *)states + group, before, RELAXED);
  out[get_global_id(0)] = before;
}

kernel void lanes_turns(volatile local int *turn, global int *out) {
  while (*turn != get_sub_group_id()) {
  }
  sub_group_barrier(CLK_LOCAL_MEM_FENCE);
  if (get_sub_group_local_id() == 0) *turn += 1;
  out[get_global_id(0)] = 1;
}

kernel void lanes_barrier(volatile global int *arrived, global int *out) {
  barrier(CLK_GLOBAL_MEM_FENCE);
  if (get_local_id(0) == 0) {
    atomic_inc(arrived);
    while (atomic_or(arrived, 0) < get_num_groups(0)) {
    }
  }
  barrier(CLK_GLOBAL_MEM_FENCE);
  out[get_global_id(0)] = 1;
}

kernel void lanes_add_up(volatile global float *sum, global const float *values) {
  const float value = values[get_global_id(0)];
  union {
    float number;
    int bits;
  } old, new;
  do {
    old.number = *sum;
    new.number = old.number + value;
  } while (atomic_cmpxchg((volatile global int *)sum, old.bits, new.bits) != old.bits);
}

kernel void lanes_push(volatile global int *head, global int *next) {
  const int me = get_global_id(0);
  int old;
  do next[me] = old = *head;
  while (atomic_cmpxchg(head, old, me) != old);
}

kernel void lanes_hash(volatile global int *keys, volatile global int *counts, global const int *values, int size) {
  const int key = values[get_global_id(0)];
  int at = key % size;
  for (;;) {
    const int seen = atomic_cmpxchg(keys + at, 0, key);
    if (seen == 0 || seen == key) break;
    at = (at + 1) % size;
  }
  atomic_inc(counts + at);
}

// The first lane waits in the first round; another lane ends the wait in a later round, under the same condition.
kernel void single_rounds(volatile global int *flag, global int *out, int rounds) {
  const int l = get_local_id(0);
  for (int k = 0; k < rounds; ++k)
    if (l == k) {
      if (k == 0) {
        while (*flag == 0) {
        }
        *out = 1;
      } else {
        *flag = 1;
      }
    }
}

// Work-items proceed in another order than the rounds.
kernel void single_takes_turns(volatile global int *turn, global int *out, int rounds) {
  const int l = get_local_id(0);
  for (int k = 0; k < rounds; ++k)
    if (l == k) {
      while (atomic_add(turn, 0) != 7 - l) {
      }
      out[l] = l + 1;
      atomic_xchg(turn, 8 - l);
    }
}

// The last work-item is the leader, and its id an int.
kernel void both_last_looks_back(global float *x, volatile global int *state) {
  const int l = get_local_id(0), tile = get_group_id(0);
  x[get_global_id(0)] *= 2;
  if (l == get_local_size(0) - 1) {
    if (tile > 0)
      while (atomic_or(state + tile - 1, 0) == 0) {
      }
    atomic_xchg(state + tile, 1);
  }
}

#define LOCKED                                                                                                                 \
  while (atomic_cmpxchg(lock, 0, 1)) {                                                                                         \
  }                                                                                                                            \
  *sum += 1;                                                                                                                   \
  atomic_xchg(lock, 0);

// Leaders by other conditions.
kernel void both_row_end(volatile global int *lock, global int *sum) {
  if (get_local_id(0) + 1 == get_local_size(0)) {
    LOCKED
  }
}
kernel void both_beyond(volatile global int *lock, global int *sum) {
  if ((int)get_local_id(0) + 2 > (int)get_local_size(0)) {
    LOCKED
  }
}
kernel void both_below_one(volatile global int *lock, global int *sum) {
  if ((int)get_local_id(0) < 1) {
    LOCKED
  }
}
kernel void both_by_width(volatile global int *lock, global int *sum) {
  if (get_local_id(1) * 16 + get_local_id(0) == 0) {
    LOCKED
  }
}
kernel void both_remainder(volatile global int *lock, global int *sum) {
  if (get_global_id(0) % get_local_size(0) == 0) {
    LOCKED
  }
}
kernel void lanes_number(volatile global int *lock, global int *sum) {
  if (get_local_linear_id() < 1) {
    LOCKED
  }
}
kernel void lanes_remainder_of_number(volatile global int *lock, global int *sum) {
  if (get_local_linear_id() % 48 == 5) {
    LOCKED
  }
}
kernel void lanes_lane(volatile global int *lock, global int *sum) {
  if (get_sub_group_local_id() == 0) {
    LOCKED
  }
}
kernel void lanes_last_lane(volatile global int *lock, global int *sum) {
  if (get_sub_group_local_id() + 1 == get_sub_group_size()) {
    LOCKED
  }
}
kernel void lanes_elected(volatile global int *lock, global int *sum) {
  if (sub_group_elect()) {
    LOCKED
  }
}
// A work-group of one row, whatever the launch.
kernel __attribute__((reqd_work_group_size(64, 1, 1))) void lanes_required(volatile global int *lock, global int *sum) {
  if (get_local_id(0) == 0) {
    LOCKED
  }
}
// Conditions that hold for two lanes of a row.
kernel void single_two(volatile global int *lock, global int *sum) {
  if ((int)get_local_id(0) + 3 > (int)get_local_size(0)) {
    LOCKED
  }
}
kernel void single_short_remainder(volatile global int *lock, global int *sum) {
  if (get_local_id(0) % 5 == 0) {
    LOCKED
  }
}
kernel void single_columns(volatile global int *lock, global int *sum) {
  if (get_local_id(1) == 0) {
    LOCKED
  }
}
