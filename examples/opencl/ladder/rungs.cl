// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The scans of GPU Gems 3, chapter 39, in OpenCL C: exclusive sums of blocks, and the sums of the blocks.
//
// ITEMS     work-items of a work-group, a power of two
// PADDED    0 or 1: whether local memory has a gap after every 32 elements, so that strides of powers of two use all banks
// UNROLLED  0 or 1: whether the number of elements of a tree is a constant
// NUMBER    float or uint, the type of the elements; NUMBER4 is four of them
//
// Each block is scanned `repeats` times, to measure the time of one block. All work-items of a group take part in barriers.

#ifndef NUMBER
#define NUMBER float
#define NUMBER4 float4
#endif
#define AT(i) (PADDED ? (i) + ((i) >> 5) : (i))  // NVIDIA GPUs have 32 banks since sm_20; the chapter's GPUs had 16
#if UNROLLED
#define ELEMENTS(given) (2u * ITEMS)
#define UNROLL _Pragma("unroll")
#else
#define ELEMENTS(given) (given)
#define UNROLL
#endif

// One work-item.
kernel void sequential(global const NUMBER *in, global NUMBER *out, uint n) {
  NUMBER total = 0;
  for (uint i = 0; i < n; ++i) {
    const NUMBER x = in[i];
    out[i] = total;
    total += x;
  }
}

// Algorithm 2 (Hillis and Steele 1986): one element for each work-item, log2(ITEMS) steps between two buffers.
kernel void naive_blocks(global const NUMBER *in, global NUMBER *out, global NUMBER *sums, uint n, uint elements,
                         uint repeats) {
  local NUMBER buffers[2 * ITEMS];
  const uint i = get_local_id(0), at = get_group_id(0) * ITEMS + i;
  for (uint repeat = 0; repeat < repeats; ++repeat) {
    const NUMBER x = at < n ? in[at] : 0;
    local NUMBER *from = buffers, *to = buffers + ITEMS;
    from[(i + 1) % ITEMS] = i + 1 < ITEMS ? x : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint d = 1; d < ITEMS; d *= 2) {
      to[i] = i >= d ? from[i] + from[i - d] : from[i];
      barrier(CLK_LOCAL_MEM_FENCE);
      local NUMBER *const last = from;
      from = to;
      to = last;
    }
    if (at < n) out[at] = from[i];
    if (i == ITEMS - 1) sums[get_group_id(0)] = from[i] + x;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
}

// Algorithms 3 and 4 (Blelloch 1990): sums up a tree, prefixes down it. Returns the total.
NUMBER scan_tree(local NUMBER *a, local NUMBER *total, uint given) {
  const uint i = get_local_id(0);
  uint d = 1;
  UNROLL for (uint active = ELEMENTS(given) / 2; active > 0; active /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (i < active) a[AT(d * (2 * i + 2) - 1)] += a[AT(d * (2 * i + 1) - 1)];
    d *= 2;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (i == 0) {
    *total = a[AT(ELEMENTS(given) - 1)];
    a[AT(ELEMENTS(given) - 1)] = 0;
  }
  UNROLL for (uint active = 1; active < ELEMENTS(given); active *= 2) {
    d /= 2;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (i < active) {
      const uint left = AT(d * (2 * i + 1) - 1), right = AT(d * (2 * i + 2) - 1);
      const NUMBER x = a[left];
      a[left] = a[right];
      a[right] += x;
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  return *total;
}

// Two elements for each work-item, one from each half of the block.
kernel void tree_blocks(global const NUMBER *in, global NUMBER *out, global NUMBER *sums, uint n, uint elements, uint repeats) {
  local NUMBER a[AT(2 * ITEMS - 1) + 1], total;
  const uint i = get_local_id(0), first = get_group_id(0) * 2 * ITEMS + i, second = first + ITEMS;
  for (uint repeat = 0; repeat < repeats; ++repeat) {
    a[AT(i)] = first < n ? in[first] : 0;
    a[AT(i + ITEMS)] = second < n ? in[second] : 0;
    const NUMBER sum = scan_tree(a, &total, elements);
    if (first < n) out[first] = a[AT(i)];
    if (second < n) out[second] = a[AT(i + ITEMS)];
    if (i == 0) sums[get_group_id(0)] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
}

NUMBER4 load_four(global const NUMBER *in, uint at, uint n) {
  if (at + 4 <= n) return vload4(0, in + at);
  return (NUMBER4)(at < n ? in[at] : 0, at + 1 < n ? in[at + 1] : 0, at + 2 < n ? in[at + 2] : 0, 0);
}

void store_four(global NUMBER *out, uint at, uint n, NUMBER4 x) {
  if (at + 4 <= n) {
    vstore4(x, 0, out + at);
  } else {
    if (at < n) out[at] = x.x;
    if (at + 1 < n) out[at + 1] = x.y;
    if (at + 2 < n) out[at + 2] = x.z;
  }
}

// Section 39.2.5 (Lichterman 2007): two NUMBER4 for each work-item, whose totals a tree scans.
kernel void quad_blocks(global const NUMBER *in, global NUMBER *out, global NUMBER *sums, uint n, uint elements, uint repeats) {
  local NUMBER a[AT(2 * ITEMS - 1) + 1], total;
  const uint i = get_local_id(0), first = get_group_id(0) * 8 * ITEMS + 4 * i, second = first + 4 * ITEMS;
  for (uint repeat = 0; repeat < repeats; ++repeat) {
    const NUMBER4 x = load_four(in, first, n), y = load_four(in, second, n);
    a[AT(i)] = x.x + x.y + x.z + x.w;
    a[AT(i + ITEMS)] = y.x + y.y + y.z + y.w;
    const NUMBER sum = scan_tree(a, &total, elements);
    const NUMBER p = a[AT(i)], q = a[AT(i + ITEMS)];
    store_four(out, first, n, (NUMBER4)(p, p + x.x, p + x.x + x.y, p + x.x + x.y + x.z));
    store_four(out, second, n, (NUMBER4)(q, q + y.x, q + y.x + y.y, q + y.x + y.y + y.z));
    if (i == 0) sums[get_group_id(0)] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
}

#ifdef __opencl_c_work_group_collective_functions
// The work-group function of OpenCL C.
kernel void function_blocks(global const NUMBER *in, global NUMBER *out, global NUMBER *sums, uint n, uint elements,
                            uint repeats) {
  const uint i = get_local_id(0), at = get_group_id(0) * ITEMS + i;
  for (uint repeat = 0; repeat < repeats; ++repeat) {
    const NUMBER x = at < n ? in[at] : 0;
    const NUMBER sum = work_group_scan_exclusive_add(x);
    if (at < n) out[at] = sum;
    if (i == ITEMS - 1) sums[get_group_id(0)] = sum + x;
  }
}
#endif

// The uniform addition of section 39.2.4: each element gets the sum of the blocks before its own.
kernel void add_sums(global NUMBER *out, global const NUMBER *sums, uint n, uint block) {
  const uint i = get_global_id(0);
  if (i < n) out[i] += sums[i / block];
}

// Section 39.3.1: stream compaction by flags, a scan of them, and a scatter.
kernel void flag(global const uint *in, global uint *flags, uint n) {
  const uint i = get_global_id(0);
  if (i < n) flags[i] = in[i] >> 31;
}
kernel void scatter(global const uint *in, global const uint *places, global uint *out, uint n) {
  const uint i = get_global_id(0);
  if (i < n && in[i] >> 31) out[places[i]] = in[i];
}
