// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ids and sizes from a thread's registers, barriers and fences.
#include "nvptx.h"

PURE ulong __ups_local_id(uint d) { return d == 0 ? thread_x() : d == 1 ? thread_y() : thread_z(); }
PURE ulong __ups_local_size(uint d) { return d == 0 ? threads_x() : d == 1 ? threads_y() : threads_z(); }
HELPER PURE uint block(uint d) { return d == 0 ? block_x() : d == 1 ? block_y() : block_z(); }
PURE ulong __ups_group_id(uint d) { return __ups_group_base(d) + block(d); }

PURE uint __ups_lane(void) { return lane_id() - sub_group_start(); }
PURE uint __ups_sub_group_id(void) { return linear_thread() / __ups_max_sub_group_size(); }
PURE bool __ups_in_order(void) { return false; }

// A grid is one block wide if its blocks are smaller than the launch's work-groups, so both sizes give the same product.
HELPER PURE size_t global_id(uint d) { return __ups_first_id(d) + (ulong)block(d) * (uint)__ups_local_size(d) + __ups_local_id(d); }
SMALL PURE size_t get_global_id(uint d) {
  return d == 0 ? global_id(0) : d == 1 ? global_id(1) : d == 2 ? global_id(2) : 0;
}
SMALL PURE size_t get_local_linear_id(void) { return linear_thread(); }

// A barrier orders the memory accesses of the participating work-items.
void __ups_work_group_barrier(uint flags) { block_barrier(); }
void __ups_sub_group_barrier(uint flags) { warp_barrier(sub_group_lanes()); }
