// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels of pipes_test.cpp: packets of PACKET_WORDS words.

#ifndef PACKET_WORDS
#define PACKET_WORDS 5
#endif

/// A packet whose parts show whether they belong together.
typedef struct {
  int value;
  int filler[PACKET_WORDS - 2];
  int check;
} checked;

kernel void write_checked(global int *out, write_only pipe checked p) {
  const int id = (int)get_global_id(0);
  checked packet;
  packet.value = id;
  for (int i = 0; i < PACKET_WORDS - 2; ++i) packet.filler[i] = id ^ i;
  packet.check = ~id;
  out[id] = write_pipe(p, &packet);
}
kernel void read_checked(global int *out, read_only pipe checked p) {
  checked packet;
  packet.value = -2;
  int result = -2;
  if (read_pipe(p, &packet) == 0) {
    result = packet.value;
    for (int i = 0; i < PACKET_WORDS - 2; ++i)
      if (packet.filler[i] != (packet.value ^ i)) result = -3;
    if (packet.check != ~packet.value) result = -4;
  }
  out[get_global_id(0)] = result;
}

/// Two kernels run at the same time on two queues, so that each call may find the pipe empty or full. The writer's out[i] is
/// the number of packets of work-item i that it wrote; the reader's is how often it read packet i.
kernel void produce(global int *out, write_only pipe checked p, int tries, int most) {
  const int id = (int)get_global_id(0);
  for (int i = 0; i < tries && out[id] < most; ++i) {
    checked packet;
    packet.value = id * most + out[id];
    for (int j = 0; j < PACKET_WORDS - 2; ++j) packet.filler[j] = packet.value ^ j;
    packet.check = ~packet.value;
    if (write_pipe(p, &packet) == 0) ++out[id];
  }
}
kernel void consume(global int *out, read_only pipe checked p, int tries, global int *torn) {
  for (int i = 0; i < tries; ++i) {
    checked packet;
    if (read_pipe(p, &packet) != 0) continue;
    bool is_whole = packet.check == ~packet.value;
    for (int j = 0; j < PACKET_WORDS - 2; ++j) is_whole = is_whole && packet.filler[j] == (packet.value ^ j);
    if (is_whole)
      atomic_inc(out + packet.value);
    else
      atomic_inc(torn);
  }
}
