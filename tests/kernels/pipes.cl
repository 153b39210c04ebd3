// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels of pipes_test.cpp. `out` has a word for each work-item unless a kernel states otherwise.

kernel void write_each(global int *out, write_only pipe int p) {
  int value = (int)get_global_id(0);
  out[get_global_id(0)] = write_pipe(p, &value);
}

kernel void read_each(global int *out, read_only pipe int p) {
  int value = -7;
  if (read_pipe(p, &value) < 0) value = -2;
  out[get_global_id(0)] = value;
}

/// Each work-item reads until the pipe is empty, and counts.
kernel void drain(global int *out, read_only pipe int p, global int *seen) {
  int value, n = 0;
  while (read_pipe(p, &value) == 0) {
    atomic_inc(seen + value);
    ++n;
  }
  out[get_global_id(0)] = n;
}

/// Work-item i writes i % 5 packets, odd ones by another call.
kernel void write_some(global int *out, write_only pipe int p) {
  const int id = (int)get_global_id(0);
  int written = 0;
  for (int i = 0; i < id % 5; ++i) {
    int value = id * 5 + i;
    if (id & 1)
      written += write_pipe(p, &value) == 0;
    else if (write_pipe(p, &value) == 0)
      ++written;
  }
  out[id] = written;
}

bool __attribute__((overloadable)) every(int x) { return x != 0; }
bool __attribute__((overloadable)) every(char3 x) { return x.x && x.y && x.z; }
bool __attribute__((overloadable)) every(long16 x) {
  bool r = true;
  for (int i = 0; i < 16; ++i) r = r && x[i] != 0;
  return r;
}

#define TYPED(T)                                                                                                               \
  kernel void write_##T(global int *out, write_only pipe T p) {                                                                \
    T value = (T)(get_global_id(0));                                                                                           \
    out[get_global_id(0)] = write_pipe(p, &value);                                                                             \
  }                                                                                                                            \
  kernel void read_##T(global int *out, read_only pipe T p) {                                                                  \
    local T values[1];                                                                                                         \
    out[get_global_id(0)] = read_pipe(p, values) == 0 && every(values[0] == (T)(get_group_id(0))) ? 1 : -1;                    \
  }
TYPED(char)
TYPED(short)
TYPED(char3)
TYPED(ulong)
TYPED(double16)

/// Reservations of `n` packets by each work-item, sub-group or work-group. Packet i is 1000 times the number of the reserving
/// one, plus i. out[0] counts refusals.
kernel void reserve_each(global int *out, write_only pipe int p, uint n) {
  reserve_id_t id = reserve_write_pipe(p, n);
  if (!is_valid_reserve_id(id)) {
    atomic_inc(out);
    return;
  }
  for (int i = (int)n - 1; i >= 0; --i) {
    int value = (int)get_global_id(0) * 1000 + i;
    if (write_pipe(p, id, i, &value) != 0) atomic_add(out, 100000);
  }
  int value = 5;
  if (write_pipe(p, id, n, &value) >= 0) atomic_add(out, 100000);
  commit_write_pipe(p, id);
}
kernel void reserve_by_groups(global int *out, write_only pipe int p, uint n) {
  reserve_id_t id = work_group_reserve_write_pipe(p, n);
  if (!is_valid_reserve_id(id)) {
    if (get_local_id(0) == 0) atomic_inc(out);
    return;
  }
  for (uint i = get_local_id(0); i < n; i += get_local_size(0)) {
    int value = (int)get_group_id(0) * 1000 + i;
    if (write_pipe(p, id, i, &value) != 0) atomic_add(out, 100000);
  }
  work_group_commit_write_pipe(p, id);
}
kernel void reserve_by_sub_groups(global int *out, write_only pipe int p, uint n) {
  reserve_id_t id = sub_group_reserve_write_pipe(p, n);
  if (!is_valid_reserve_id(id)) {
    if (get_sub_group_local_id() == 0) atomic_inc(out);
    return;
  }
  const int number = (int)(get_group_id(0) * get_num_sub_groups() + get_sub_group_id());
  for (uint i = get_sub_group_local_id(); i < n; i += get_sub_group_size()) {
    int value = number * 1000 + i;
    if (write_pipe(p, id, i, &value) != 0) atomic_add(out, 100000);
  }
  sub_group_commit_write_pipe(p, id);
}
/// The same for reading: packets go to out from index 1 on, n words for each reservation, -2 for a refused one.
kernel void read_each_reserved(global int *out, read_only pipe int p, uint n) {
  reserve_id_t id = reserve_read_pipe(p, n);
  global int *mine = out + 1 + get_global_id(0) * n;
  for (uint i = 0; i < n; ++i) {
    int value = -2;
    if (is_valid_reserve_id(id)) read_pipe(p, id, i, &value);
    mine[i] = value;
  }
  if (is_valid_reserve_id(id)) commit_read_pipe(p, id);
}
kernel void read_by_groups(global int *out, read_only pipe int p, uint n) {
  reserve_id_t id = work_group_reserve_read_pipe(p, n);
  global int *mine = out + 1 + get_group_id(0) * n;
  for (uint i = get_local_id(0); i < n; i += get_local_size(0)) {
    int value = -2;
    if (is_valid_reserve_id(id)) read_pipe(p, id, i, &value);
    mine[i] = value;
  }
  if (is_valid_reserve_id(id)) work_group_commit_read_pipe(p, id);
}
kernel void read_by_sub_groups(global int *out, read_only pipe int p, uint n) {
  reserve_id_t id = sub_group_reserve_read_pipe(p, n);
  global int *mine = out + 1 + (get_group_id(0) * get_num_sub_groups() + get_sub_group_id()) * n;
  for (uint i = get_sub_group_local_id(); i < n; i += get_sub_group_size()) {
    int value = -2;
    if (is_valid_reserve_id(id)) read_pipe(p, id, i, &value);
    mine[i] = value;
  }
  if (is_valid_reserve_id(id)) sub_group_commit_read_pipe(p, id);
}

/// Run by one work-item, with a pipe of 8 packets.
kernel void count_write(global int *out, write_only pipe int p) {
  int value = 1;
  *out++ = (int)get_pipe_max_packets(p);
  *out++ = (int)get_pipe_num_packets(p);
  write_pipe(p, &value);
  write_pipe(p, &value);
  *out++ = (int)get_pipe_num_packets(p);
  reserve_id_t id = reserve_write_pipe(p, 3);
  *out++ = (int)get_pipe_num_packets(p);  // a reserved packet cannot be read yet
  *out++ = is_valid_reserve_id(reserve_write_pipe(p, 4));
  for (uint i = 0; i < 3; ++i) write_pipe(p, id, i, &value);
  commit_write_pipe(p, id);
  *out++ = (int)get_pipe_num_packets(p);
  *out++ = is_valid_reserve_id(reserve_write_pipe(p, 9));
  *out++ = is_valid_reserve_id(reserve_write_pipe(p, 0));
  *out++ = is_valid_reserve_id(CLK_NULL_RESERVE_ID);
  reserve_id_t ids[2] = {reserve_write_pipe(p, 1), CLK_NULL_RESERVE_ID};
  *out++ = is_valid_reserve_id(ids[0]) + 2 * is_valid_reserve_id(ids[1]);
  *out++ = write_pipe(p, CLK_NULL_RESERVE_ID, 0, &value) < 0;
  write_pipe(p, ids[0], 0, &value);
  commit_write_pipe(p, ids[0]);
}
kernel void count_read(global int *out, read_only pipe int p) {
  int value = 0;
  *out++ = (int)get_pipe_max_packets(p);
  *out++ = (int)get_pipe_num_packets(p);
  read_pipe(p, &value);
  *out++ = (int)get_pipe_num_packets(p);
  reserve_id_t id = reserve_read_pipe(p, 2);
  *out++ = (int)get_pipe_num_packets(p);
  commit_read_pipe(p, id);
  *out++ = is_valid_reserve_id(reserve_read_pipe(p, 4));
}

/// A later reservation is committed before an earlier one.
kernel void commit_in_other_order(global int *out, write_only pipe int p) {
  int value = 10;
  reserve_id_t first = reserve_write_pipe(p, 1), second = reserve_write_pipe(p, 1);
  write_pipe(p, second, 0, &value);
  commit_write_pipe(p, second);
  value = 20;
  write_pipe(p, first, 0, &value);
  commit_write_pipe(p, first);
  out[0] = 1;
}
