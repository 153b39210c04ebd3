// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Copies between global and local memory by all work-items of a work-group. Devices that support it avoid registers: one
// work-item passes the whole copy to the copy engine, or each work-item copies its share by `cp.async`. Source: PTX ISA,
// "cp.async.bulk", "mbarrier" and "Proxies".
#include "nvptx.h"

enum {
  kRounds,  ///< of the barrier, including the current round
  kComing,  ///< bytes that the engine still has to store in local memory in this round
  kGoing,   ///< whether there are copies to global memory to wait for
};

/// A barrier counts up to 2^20 - 1 bytes.
#define MOST_COMING ((1u << 20) - 1)
/// Shorter copies are faster if each work-item copies its share (docs/benchmarks/gpu_scan.md).
#define LEAST_BULK 8192

HELPER bool is_first(void) { return (thread_x() | thread_y() | thread_z()) == 0; }

/// The alignment that elements of this size guarantee.
HELPER bool are_aligned(__local const char *l, __global const char *g, uint bytes, uint element) {
  return element >= bytes || (((uint)(size_t)l | (uint)(size_t)g) & (bytes - 1)) == 0;
}

/// The engine's part of a copy: pieces of 16 bytes from `head`. Both sides have the same offset from such a piece, as is the case for
/// elements of this size.
typedef struct {
  uint head, bytes;
} Bulk;

HELPER Bulk bulk_of(__local const char *l, __global const char *g, uint bytes, uint element) {
  Bulk bulk = {0, 0};
  if (!__ups_has_bulk_copy() || bytes < LEAST_BULK) return bulk;
  if (element < 16) {
    if ((((uint)(size_t)l ^ (uint)(size_t)g) & 15) != 0) return bulk;
    bulk.head = -(uint)(size_t)l & 15;
  }
  bulk.bytes = (bytes - bulk.head) & ~15u;
  return bulk;
}

/// The engine uses another memory proxy. The fence orders the work-group's accesses before the engine's, after the program's barriers.
HELPER void fence_for_engine(void) { __asm volatile("fence.proxy.async.shared::cta; fence.proxy.async.global;" : : : "memory"); }

HELPER void wait_for_coming(__private uint *state) {
  if (state[kComing] == 0) return;
  __asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" : : "l"(__ups_bulk_barrier()), "r"(state[kComing]) : "memory");
  __asm volatile(
      "{ .reg .pred done; WAIT: mbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1; @!done bra WAIT; }"
      :
      : "l"(__ups_bulk_barrier()), "r"((state[kRounds] - 1) & 1)
      : "memory");
  ++state[kRounds];
  state[kComing] = 0;
}

HELPER void bulk_to_local(__local char *to, __global const char *from, uint bytes) {
  __private uint *state = __ups_bulk_state();
  if (state[kRounds] == 0) {
    __asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" : : "l"(__ups_bulk_barrier()) : "memory");
    state[kRounds] = 1;
  }
  if (bytes > MOST_COMING - state[kComing]) wait_for_coming(state);
  state[kComing] += bytes;
  fence_for_engine();
  __asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];"
                 :
                 : "l"(to), "l"(from), "r"(bytes), "l"(__ups_bulk_barrier())
                 : "memory");
}

HELPER void bulk_to_global(__global char *to, __local const char *from, uint bytes) {
  __ups_bulk_state()[kGoing] = 1;
  fence_for_engine();
  __asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2; cp.async.bulk.commit_group;"
                 :
                 : "l"(to), "l"(from), "r"(bytes)
                 : "memory");
}

// `i` iterates over this work-item's pieces. Local memory is below 4 GiB.
#define SHARE_OUT(n) for (uint i = linear_thread(), step = threads(); i < n; i += step)

/// The hardware copies 16 bytes past the first-level cache, or 4 through it. Remainders and unaligned pieces are copied by bytes.
HELPER void share_to_local(__local char *to, __global const char *from, uint bytes, uint element) {
  uint done = 0;
  if (__ups_has_async_copy() && are_aligned(to, from, 16, element)) {
    SHARE_OUT(bytes / 16)
    __asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" : : "l"(to + 16 * i), "l"(from + 16 * i) : "memory");
    done = bytes / 16 * 16;
  } else if (__ups_has_async_copy() && are_aligned(to, from, 4, element)) {
    SHARE_OUT(bytes / 4)
    __asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" : : "l"(to + 4 * i), "l"(from + 4 * i) : "memory");
    done = bytes / 4 * 4;
  }
  SHARE_OUT(bytes - done) to[done + i] = from[done + i];
}

HELPER void share_to_global(__global char *to, __local const char *from, uint bytes, uint element) {
  uint done = 0;
  if (are_aligned(from, to, 16, element)) {
    SHARE_OUT(bytes / 16)((__global uint4 *)to)[i] = ((__local const uint4 *)from)[i];
    done = bytes / 16 * 16;
  } else if (are_aligned(from, to, 4, element)) {
    SHARE_OUT(bytes / 4)((__global uint *)to)[i] = ((__local const uint *)from)[i];
    done = bytes / 4 * 4;
  }
  SHARE_OUT(bytes - done) to[done + i] = from[done + i];
}

/// Whether each work-item has at most one element to copy. With many work-items, a longer copy's checks of addresses and sizes are most
/// of their instructions (docs/decisions/gpu-collectives.md). Elements of 4 bytes never reach the engine's minimum.
HELPER bool is_one_each(uint bytes, uint element) {
  return (element == 4 || ((element == 8 || element == 16) && bytes < LEAST_BULK)) && bytes <= element * threads();
}

#define ONE_TO_LOCAL(cached, element, to, from) \
  __asm volatile("cp.async." #cached ".shared.global [%0], [%1], " #element ";" : : "l"(to), "l"(from) : "memory")

HELPER void one_to_local(__local char *to, __global const char *from, uint bytes, uint element) {
  uint at = element * linear_thread();
  if (at >= bytes) return;
  if (!__ups_has_async_copy()) {
    if (element == 4) *(__local uint *)(to + at) = *(__global const uint *)(from + at);
    if (element == 8) *(__local uint2 *)(to + at) = *(__global const uint2 *)(from + at);
    if (element == 16) *(__local uint4 *)(to + at) = *(__global const uint4 *)(from + at);
  } else {
    if (element == 4) ONE_TO_LOCAL(ca, 4, to + at, from + at);
    if (element == 8) ONE_TO_LOCAL(ca, 8, to + at, from + at);
    if (element == 16) ONE_TO_LOCAL(cg, 16, to + at, from + at);
  }
}

HELPER void one_to_global(__global char *to, __local const char *from, uint bytes, uint element) {
  uint at = element * linear_thread();
  if (at >= bytes) return;
  if (element == 4) *(__global uint *)(to + at) = *(__local const uint *)(from + at);
  if (element == 8) *(__global uint2 *)(to + at) = *(__local const uint2 *)(from + at);
  if (element == 16) *(__global uint4 *)(to + at) = *(__local const uint4 *)(from + at);
}

/// The offset of a byte that the engine leaves out; there are less than 16 at each end.
HELPER uint place(Bulk bulk, uint left) { return left < bulk.head ? left : left + bulk.bytes; }

void __ups_copy_to_local(__local char *to, __global const char *from, uint bytes, uint element) {
  if (is_one_each(bytes, element)) {
    one_to_local(to, from, bytes, element);
    return;
  }
  Bulk bulk = bulk_of(to, from, bytes, element);
  if (bulk.bytes == 0) {
    share_to_local(to, from, bytes, element);
    return;
  }
  if (is_first()) bulk_to_local(to + bulk.head, from + bulk.head, bulk.bytes);
  uint left = bytes - bulk.bytes;
  if (element % 4 == 0) {
    SHARE_OUT(left / 4) {
      uint at = place(bulk, 4 * i);
      __asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" : : "l"(to + at), "l"(from + at) : "memory");
    }
  } else {
    SHARE_OUT(left) to[place(bulk, i)] = from[place(bulk, i)];
  }
}

void __ups_copy_to_global(__global char *to, __local const char *from, uint bytes, uint element) {
  if (is_one_each(bytes, element)) {
    one_to_global(to, from, bytes, element);
    return;
  }
  Bulk bulk = bulk_of(from, to, bytes, element);
  if (bulk.bytes == 0) {
    share_to_global(to, from, bytes, element);
    return;
  }
  if (is_first()) bulk_to_global(to + bulk.head, from + bulk.head, bulk.bytes);
  SHARE_OUT(bytes - bulk.bytes) to[place(bulk, i)] = from[place(bulk, i)];
}

/// Waits for the engine; called by the work-item that started the copies.
void __ups_finish_copies(void) {
  if (!__ups_has_bulk_copy() || !is_first()) return;
  __private uint *state = __ups_bulk_state();
  wait_for_coming(state);
  // Invalidates the first-level cache.
  if (state[kGoing]) __asm volatile("cp.async.bulk.wait_group 0;" : : : "memory");
  state[kGoing] = 0;
}

void __ups_wait_for_copies(void) {
  if (__ups_has_async_copy()) __asm volatile("cp.async.wait_all;" : : : "memory");
  __ups_finish_copies();
  block_barrier();
}
