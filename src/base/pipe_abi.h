// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A pipe in memory: a header, a word of state for each place, the packets. Host and kernels read it alike (builtins/pipes.cl).
// Plain C that OpenCL C can include.
//
// A place is written and read in turn, round after round. A position is the number of a round (upper 32 bits) and a place
// (lower 32 bits): writers take positions from `tail`, readers from `head`, each by one compare-exchange for all the places
// they want. In round r the state of a place is 2 r when a writer may have it, and 2 r + 1 when a packet is there: whoever has
// a place adds 1 when done. So places become free, or full, in any order, and nobody waits for another.
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

/// Aligned to UPSWEEP_PIPE_ALIGNMENT; the states follow. All is 0 at first but for the first three members.
struct UpsweepPipe {
  UPSWEEP_PIPE_U32 packet_bytes;
  UPSWEEP_PIPE_U32 places;      ///< packets at most
  UPSWEEP_PIPE_U64 packets;     ///< the first packet's distance in bytes from the header's start
  UPSWEEP_PIPE_U64 unused[14];  ///< what changes is in cache lines of its own
  UPSWEEP_PIPE_COUNTER tail;    ///< the next position to be written
  UPSWEEP_PIPE_U64 after_tail[15];
  UPSWEEP_PIPE_COUNTER head;  ///< the next position to be read
  UPSWEEP_PIPE_U64 after_head[15];
  UPSWEEP_PIPE_COUNTER unwritten;  ///< places of reservations that are not committed
  UPSWEEP_PIPE_U64 after_unwritten[15];
};

#endif
