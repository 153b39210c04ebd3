// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions of cl_intel_subgroups and its extensions, for elements of type T in vectors of WIDTH. SUFFIX ends the blocks'
// names.
#pragma OPENCL EXTENSION cl_khr_fp16 : enable

#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)
#if WIDTH == 1
#define VALUE T
#define NAME(name) JOIN(name, SUFFIX)
#else
#define VALUE JOIN(T, WIDTH)
#define NAME(name) JOIN(JOIN(name, SUFFIX), WIDTH)
#endif
#ifdef SIZE
#define SIZED __attribute__((intel_reqd_sub_group_size(SIZE)))
#else
#define SIZED
#endif

/// The first work-item of the sub-group, in two ways: only the second depends on the work-item for the compiler.
size_t first_by_group(void) { return get_group_id(0) * get_local_size(0) + get_sub_group_id() * get_max_sub_group_size(); }
size_t first_by_item(void) { return get_global_id(0) / get_max_sub_group_size() * get_max_sub_group_size(); }

void put(global T *out, VALUE value) {
  union {
    VALUE value;
    T elements[WIDTH];
  } v = {value};
  for (size_t i = 0; i < WIDTH; ++i) out[get_global_id(0) * WIDTH + i] = v.elements[i];
}
VALUE get(global const T *in, size_t item) {
  union {
    VALUE value;
    T elements[WIDTH];
  } v;
  for (size_t i = 0; i < WIDTH; ++i) v.elements[i] = in[item * WIDTH + i];
  return v.value;
}

#ifdef SHUFFLES
SIZED kernel void shuffles(global T *out, global const T *in, global const uint *lanes, int which) {
  const size_t item = get_global_id(0);
  const uint lane = lanes[item];
  const VALUE a = get(in, item), b = get(in, get_global_size(0) - 1 - item);
  switch (which) {
  case 0: put(out, intel_sub_group_shuffle(a, lane)); break;
  case 1: put(out, intel_sub_group_shuffle_xor(a, lane)); break;
  case 2: put(out, intel_sub_group_shuffle_down(a, b, lane)); break;
  default: put(out, intel_sub_group_shuffle_up(a, b, lane)); break;
  }
}
#endif

#ifdef BLOCKS
SIZED kernel void reads(global T *out, global const T *in, uint offset) {
  put(out, NAME(intel_sub_group_block_read)(in + offset + first_by_group() * WIDTH));
}
SIZED kernel void reads_by_item(global T *out, global const T *in, uint offset) {
  put(out, NAME(intel_sub_group_block_read)(in + offset + first_by_item() * WIDTH));
}
SIZED kernel void writes(global T *out, global const T *in, uint offset) {
  NAME(intel_sub_group_block_write)(out + first_by_group() * WIDTH, get(in + offset, get_global_id(0)));
}
SIZED kernel void writes_by_item(global T *out, global const T *in, uint offset) {
  NAME(intel_sub_group_block_write)(out + first_by_item() * WIDTH, get(in + offset, get_global_id(0)));
}
/// A work-group is a sub-group.
SIZED kernel void image_reads(global T *out, read_only image2d_t image, global const int2 *places) {
  put(out, NAME(intel_sub_group_block_read)(image, places[get_group_id(0)]));
}
SIZED kernel void image_writes(write_only image2d_t image, global const T *in, global const int2 *places) {
  NAME(intel_sub_group_block_write)(image, places[get_group_id(0)], get(in, get_global_id(0)));
}
SIZED kernel void image_updates(read_write image2d_t image, global const T *in, global const int2 *places) {
  const int2 place = places[get_group_id(0)];
  NAME(intel_sub_group_block_write)(image, place, get(in, get_global_id(0)) ^ NAME(intel_sub_group_block_read)(image, place));
}
#endif

#ifdef NARROW
SIZED kernel void collectives(global T *out, global const T *in) {
  const size_t item = get_global_id(0);
  const T x = in[item];
  const T results[] = {intel_sub_group_broadcast(x, 0),       intel_sub_group_reduce_add(x),
                       intel_sub_group_reduce_min(x),         intel_sub_group_reduce_max(x),
                       intel_sub_group_scan_inclusive_add(x), intel_sub_group_scan_inclusive_min(x),
                       intel_sub_group_scan_inclusive_max(x), intel_sub_group_scan_exclusive_add(x),
                       intel_sub_group_scan_exclusive_min(x), intel_sub_group_scan_exclusive_max(x)};
  for (size_t i = 0; i < 10; ++i) out[item * 10 + i] = results[i];
}
#endif
