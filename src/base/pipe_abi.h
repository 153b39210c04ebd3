// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A pipe in memory: a header, a state word for each slot, the packets. The host and kernels (builtins/pipes.cl) share this
// layout. Plain C that OpenCL C can include.
//
// Slots are used in rounds; in each round a slot is written once, then read once. A position is a round (upper 32 bits) and a
// slot (lower 32 bits). Writers take positions from `tail`, readers from `head`, with one compare-exchange for all slots of a
// reservation. In round r a slot's state is 2 r when a writer may take it, and 2 r + 1 when it has a packet. The owner of a
// slot adds 1 when done. So slots become free or full in any order, and no reader or writer waits for another.
#ifndef UPSWEEP_BASE_PIPE_ABI_H
#define UPSWEEP_BASE_PIPE_ABI_H

#ifdef __OPENCL_C_VERSION__
#define UPSWEEP_PIPE_U32 uint
#define UPSWEEP_PIPE_U64 ulong
#define UPSWEEP_PIPE_COUNTER volatile atomic_ulong
#else
#include <stdint.h>
#define UPSWEEP_PIPE_U32 uint32_t
#define UPSWEEP_PIPE_U64 uint64_t
#define UPSWEEP_PIPE_COUNTER uint64_t
#endif

/// Packets start at multiples of this; no type has a stricter alignment.
enum { UPSWEEP_PIPE_ALIGNMENT = 128 };

/// Aligned to UPSWEEP_PIPE_ALIGNMENT; the states follow. All members but the first three start as 0.
struct UpsweepPipe {
  UPSWEEP_PIPE_U32 packet_bytes;
  UPSWEEP_PIPE_U32 places;      ///< maximum number of packets
  UPSWEEP_PIPE_U64 packets;     ///< offset of the first packet from the header's start, in bytes
  UPSWEEP_PIPE_U64 unused[14];  ///< keeps the counters in their own cache lines
  UPSWEEP_PIPE_COUNTER tail;    ///< the next position to write
  UPSWEEP_PIPE_U64 after_tail[15];
  UPSWEEP_PIPE_COUNTER head;  ///< the next position to read
  UPSWEEP_PIPE_U64 after_head[15];
  UPSWEEP_PIPE_COUNTER unwritten;  ///< slots of uncommitted reservations
  UPSWEEP_PIPE_U64 after_unwritten[15];
};

#endif
