// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Faults that tests/fuzz found, as small kernels.

// Both branches are loops with the same number of rounds for all work-items, and both end where the branch ends.
kernel void loops_on_both_ways(global int *out, int rounds) {
  int i = (int)get_local_id(0), down = 100, up = 4;
  if (i % 3 == 0) {
    down = rounds + 1;
    do {
    } while (--down > 2);
  } else {
    for (up = 0; up < rounds; ++up) {
    }
  }
  out[get_global_id(0)] = down * 1000 + up;
}

// The sum wraps, and the result was treated as a 64-bit number.
kernel void sums_that_wrap(global int *out, int value) {
  long sum = work_group_scan_inclusive_add(value), total = work_group_reduce_add(value);
  out[get_global_id(0)] = (int)(sum >> 32) + 10 * (int)(total >> 32);
}

// Half of the numbers are 0, and are subtracted without a borrow.
kernel void takes_off_high_words(global long *out, uint factor) {
  const uint i = (uint)get_global_id(0), number = i % 2 == 0 ? 0 : 5;
  out[2 * i] = (long)mul_hi(rotate(i, 13u), factor) - (long)number;
  out[2 * i + 1] = mul_hi((long)0x98a4902500000000, (long)number);
}

// The sign of a zero.
kernel void chooses_minus_zero(global float *out, int limit) {
  const int i = (int)get_global_id(0);
  out[2 * i] = i < limit ? -1.0f : -0.0f;
  out[2 * i + 1] = i < limit ? -0.0f : -1.0f;
}

// -32768 is its own negative and absolute value as a short. The sign after an extension shows the fault.
kernel void negates_shorts(global int *out, int least) {
  const size_t i = get_global_id(0);
  const short x = (short)(least + (int)i);
  out[5 * i] = (short)-x;
  out[5 * i + 1] = (short)abs(x);
  out[5 * i + 2] = (short)(x * -4);
  out[5 * i + 3] = (int)(convert_long2(-(short2)(x, 1)).x >> 1);
  out[5 * i + 4] = convert_int3((short3)(1, x, 2) * (short)-16384).y;
}

kernel void clamps_shorts(global int *out, int least) {
  const size_t i = get_global_id(0);
  const short x = (short)(least + (int)i);
  out[4 * i] = max(x, (short)0) == 0;
  out[4 * i + 1] = min((short)(x ^ 77), (short)-5) != -5;
  out[4 * i + 2] = (int)convert_ulong_sat((short)~x) == 0;
  out[4 * i + 3] = min((ushort)x, (ushort)100) == 100;
}

kernel void clamps_chars(global int *out, int least) {
  const size_t i = get_global_id(0);
  const char x = (char)(least + (int)i);
  out[5 * i] = add_sat(x, (char)15) == 127;
  out[5 * i + 1] = add_sat(x, x) == -128;
  out[5 * i + 2] = sub_sat((uchar)x, (uchar)200) != 0;
  out[5 * i + 3] = (min((uchar4)(x, 1, 2, 3) * (uchar)3, (uchar)30) == (uchar)30).x;
  out[5 * i + 4] = max(rotate((char)1, x), (char)0) == 0;
}

// Counts down while the number is below the limit: once, or until it wraps.
kernel void counts_down_below(global int *out, uint limit) {
  const uint i = get_global_id(0);
  uint v = i + 2, before;
  do before = v;
  while (--v < limit);
  out[i] = (int)before;
}

// True is -1 in vectors, and 1 otherwise.
kernel void converts_truth(global int *out, int most) {
  const int i = (int)get_global_id(0);
  const int truth = i < most;
  out[i] =
      (int)(convert_float4((int4)(i) < (int4)(most)).y * 10 + convert_float(-truth) + convert_double2((long2)(i > 3)).x * 100);
}

__attribute__((noinline)) int turn(int i) { return i * 7 % 3; }

// Lanes leave the first loop in different rounds, out of nested loops and branches. All lanes vote after the loop. Lanes in
// another loop or in a branch vote among themselves.
kernel void votes_after_divergence(global int *out, int seed) {
  local int bins[2];
  const int i = (int)get_local_id(0);
  int rounds = 0, in_loop = 0, in_branch = 0;
  if (i < 2) bins[i] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int k = 0; k < (i & 3); ++k) {
    switch (turn(k + i + seed)) {
    case 0:
    case 1: {
      int more = 4;
      do {
        atomic_add(&bins[1], 3);
        ++rounds;
      } while (--more > 0 && turn(more + i) != 0);
    } break;
    default: atomic_add(&bins[0], 1); break;
    }
  }
  out[5 * i] = (int)sub_group_ballot(1).x;
  for (int k = 0;; ++k) {
    if (k == (i & 7)) break;
    if (k % 2 == (i & 1)) continue;
    in_loop = in_loop * 33 + (int)sub_group_ballot(1).x;
  }
  if (i % 3 == 1) {
    for (int k = 0; k < i; ++k) rounds += turn(k + i);
    in_branch = sub_group_non_uniform_reduce_add(1 << (i % 7));
  }
  out[5 * i + 1] = in_loop;
  out[5 * i + 2] = in_branch;
  out[5 * i + 3] = rounds;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[5 * i + 4] = bins[i & 1];
}

// Lanes meet in a case into which others fall through, behind either of two conditions, and after a loop that some of them
// leave by a jump.
kernel void votes_in_tangles(global int *out, int seed) {
  const int i = (int)get_local_id(0);
  int cases = 0, either = 0, staying = 0, stayed = 0;
  switch ((i + seed) % 4) {
  case 0: cases = (int)sub_group_ballot(1).x;
  case 1: cases = cases * 3 + (int)sub_group_ballot(1).x; break;
  case 3: cases = sub_group_non_uniform_reduce_add(i);
  default: break;
  }
  if (i % 5 == 0 || turn(i) == seed) either = (int)sub_group_ballot(1).x;
  for (int k = 0; k < 5; ++k) {
    if (turn(i + k) == 0 && i == k + 3) goto out;
    staying = staying * 3 + (int)sub_group_ballot(1).x;
  }
  stayed = sub_group_non_uniform_scan_inclusive_add(1);
out:
  out[4 * i] = cases;
  out[4 * i + 1] = either;
  out[4 * i + 2] = staying;
  out[4 * i + 3] = stayed;
}

uint chosen(uint seed, uint group, uint item) { return hadd((uchar)group, (uchar)seed) == 1 ? item : min(seed, 0x268e899cu); }

// Divisions before and after a divergent branch, and numbers that are uniform within it.
kernel void divides_around_a_branch(global long *out, global uint *greatest, uint seed) {
  const uint item = (uint)get_global_linear_id(), local_id = (uint)get_local_linear_id();
  const uint group = (uint)(get_group_id(0) + get_num_groups(0) * (get_group_id(1) + get_num_groups(1) * get_group_id(2)));
  const uint items = (uint)(get_local_size(0) * get_local_size(1) * get_local_size(2));
  local ulong16 shared[21];
  *(local short *)&shared[local_id] = 31;
  barrier(CLK_LOCAL_MEM_FENCE);
  const short divisor = *(local short *)&shared[(local_id + 20) % items];
  barrier(CLK_LOCAL_MEM_FENCE);
  const uint sum = work_group_scan_inclusive_add(chosen(seed, 1, item));
  if ((short)((short)4 / (short)((divisor & (short)15) | (short)1)) > (short)sum)
    atomic_max(&greatest[17], chosen(seed, group, item));
  else if ((sum & 3) == 0)
    atomic_max(&greatest[17], 31u);
  *(local char *)&shared[local_id] = (char)local_id;
  barrier(CLK_LOCAL_MEM_FENCE);
  const char number = *(local char *)&shared[(local_id + 35) % items];
  barrier(CLK_LOCAL_MEM_FENCE);
  ulong quotient = 1;
  for (int i = 0; i < 4; ++i) quotient = convert_ulong_sat(number) / ((quotient & 15) | 1);
  out[item] = quotient;
}

// LLVM makes a nested loop of the uniform `continue`, and the exit leaves both loops.
kernel void continues_together(global uint *out, uint n) {
  const uint i = (uint)get_global_id(0);
  uint sum = 0, a = i;
  for (uint round = n; round-- > 0;) {
    if (n > 18u) continue;
    if (i & 1u) {
      sum += round;
      a *= 3u;
    }
  }
  out[i] = sum + a;
}

// All work-items leave two loops together. In the outer loop, a divergent loop follows the exit.
kernel void leaves_two_loops_together(global uint *out, uint n) {
  const uint i = (uint)get_global_id(0);
  uint a = i;
  for (;;) {
    do {
      if (n == 0u) goto end;
      --n;
    } while (n > 18u);
    for (uint round = 0; round < (i & 3u); ++round) a = a * 5u + n;
  }
end:
  out[i] = a;
}

// Work-items enter the cycle at two places.
kernel void enters_a_cycle_twice(global uint *out, uint n) {
  const uint i = (uint)get_global_id(0), local_id = (uint)get_local_id(0);
  uint a = local_id, b = i;
  for (uint round = n; round-- > 0;) {
    if (n > 18u) continue;
    if (i & round) {
      uint passes = 0;
      if (local_id >= 31u) goto second;
    first:
      b ^= local_id;
      if (++passes > 3u) goto end;
    second:
      a *= i;
      if (i > 3u && ++passes < 2u) goto first;
    end:;
    }
  }
  out[i] = a + b;
}

// Two paths from a branch join at the cycle's back edge, which is behind its exit in the order of the blocks.
kernel void joins_at_a_way_back(global uint *out, uint n) {
  const uint i = (uint)get_global_id(0);
  uint rounds = 0, returns = 0;
  for (uint round = 0; round < 3u; ++round) {
    if (i > 1u) goto inner;
    if (n) goto behind;
    for (rounds = 0; rounds < (n & 3u); ++rounds) {
    inner:;
    }
  behind:
    if (i && returns++ < 2u) goto inner;
  }
  out[i] = rounds * 100u + returns;
}
