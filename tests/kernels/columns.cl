// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels whose memory is contiguous along y or z, so that lanes may follow that dimension.

#define X get_global_id(0)
#define Y get_global_id(1)
#define Z get_global_id(2)
#define ID (int)(X + 100 * Y + 10000 * Z)

size_t along_y() { return (Z * get_global_size(0) + X) * get_global_size(1) + Y; }
size_t along_z() { return (X * get_global_size(1) + Y) * get_global_size(2) + Z; }

// A work-item that ran twice would store another number.
kernel void in_columns(global int *out) { out[along_y()] = out[along_y()] * 7 + ID; }

kernel void in_depth(global int *out) { out[along_z()] = out[along_z()] * 7 + ID; }

// Each reads the value of the opposite work-item.
kernel void behind_barrier(global int *out) {
  local int tile[1024];
  const size_t w = get_local_size(0), h = get_local_size(1), d = get_local_size(2);
  const size_t x = get_local_id(0), y = get_local_id(1), z = get_local_id(2);
  tile[(z * w + x) * h + y] = ID;
  barrier(CLK_LOCAL_MEM_FENCE);
  int sum = out[along_y()] * 7;
  for (size_t i = 0; i <= x; i++) sum += tile[((d - 1 - z) * w + w - 1 - x) * h + y];
  barrier(CLK_LOCAL_MEM_FENCE);
  tile[(z * w + x) * h + h - 1 - y] = sum;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[along_y()] = tile[(z * w + x) * h + y];
}

// The kernel observes the arrangement of work-items in sub-groups.
kernel void in_sub_groups(global int *out) {
  const size_t i = along_y();
  // get_local_linear_id() would be computed from the position in the sub-group.
  const size_t w = get_local_size(0), h = get_local_size(1);
  const int linear = (int)((get_local_id(2) * h + get_local_id(1)) * w + get_local_id(0));
  const bool right = get_sub_group_id() * get_max_sub_group_size() + get_sub_group_local_id() == (uint)linear;
  const int sum = work_group_scan_inclusive_add(1) - 1 - linear;
  out[i] = out[i] * 7 + ID + (right ? sum : 1 << 30);
}
