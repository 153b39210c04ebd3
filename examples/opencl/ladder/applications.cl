// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The applications of scans of GPU Gems 3, chapter 39, section 39.3, in OpenCL C. They are compiled after rungs.cl with NUMBER
// uint, and use its kernels to scan. Arrays have up to 2^31 elements.

// Section 39.3.1, for GPUs that cannot scatter (Horn 2005, "Stream Reduction Operations for GPGPU Applications"): each place of
// the output searches the scan of the flags for its element: the last index with `place` kept elements before it.
kernel void gather(global const uint *in, global const uint *kept_before, global uint *out, global uint *kept, uint n) {
  const uint place = get_global_id(0), all = kept_before[n - 1] + (in[n - 1] >> 31);
  if (place == 0) *kept = all;
  if (place >= all) return;
  uint first = place, last = n - 1;
  while (first < last) {
    const uint middle = first + (last - first + 1) / 2;
    if (kept_before[middle] <= place) {
      first = middle;
    } else {
      last = middle - 1;
    }
  }
  out[place] = in[first];
}

// Section 39.3.3, a split (Blelloch 1990): keys whose bit is 0 go before the others; equal bits keep their order.
// `zeros_before` is the scan of the flags.
kernel void flag_zeros(global const uint *keys, global uint *flags, uint n, uint bit) {
  const uint i = get_global_id(0);
  if (i < n) flags[i] = ~(keys[i] >> bit) & 1;
}
kernel void scatter_by_bit(global const uint *keys, global const uint *zeros_before, global uint *out, uint n, uint bit) {
  const uint i = get_global_id(0);
  if (i >= n) return;
  const uint key = keys[i], before = zeros_before[i];
  const uint zeros = zeros_before[n - 1] + (~(keys[n - 1] >> bit) & 1);
  out[(key >> bit & 1) == 0 ? before : i - before + zeros] = key;
}

// The same section: sorts each chunk of 2 * ITEMS keys by 32 splits in local memory. The last chunk is padded with keys that
// sort last.
kernel void sort_chunks(global const uint *in, global uint *out, uint n) {
  local uint keys[2 * ITEMS], places[AT(2 * ITEMS - 1) + 1], total;
  const uint i = get_local_id(0), j = i + ITEMS, first = get_group_id(0) * 2 * ITEMS;
  keys[i] = first + i < n ? in[first + i] : UINT_MAX;
  keys[j] = first + j < n ? in[first + j] : UINT_MAX;
  for (uint bit = 0; bit < 32; ++bit) {
    const uint a = keys[i], b = keys[j];
    const uint a_is_zero = ~(a >> bit) & 1, b_is_zero = ~(b >> bit) & 1;
    places[AT(i)] = a_is_zero;
    places[AT(j)] = b_is_zero;
    const uint zeros = scan_tree(places, &total, 2 * ITEMS);
    keys[a_is_zero ? places[AT(i)] : i - places[AT(i)] + zeros] = a;
    keys[b_is_zero ? places[AT(j)] : j - places[AT(j)] + zeros] = b;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (first + i < n) out[first + i] = keys[i];
  if (first + j < n) out[first + j] = keys[j];
}

// The next ITEMS keys of a run, in a ring. After the run's end it is padded with keys that sort last.
typedef struct {
  global const uint *run;
  uint length, read;
  local uint *ring;
  uint head;
} Window;

void refill(Window *window, uint count) {
  const uint i = get_local_id(0);
  if (i < count) {
    window->ring[(window->head + i) % ITEMS] = window->read + i < window->length ? window->run[window->read + i] : UINT_MAX;
  }
  window->head = (window->head + count) % ITEMS;
  window->read += count;
}

uint key_at(const Window *window, uint i) { return window->ring[(window->head + i) % ITEMS]; }

// The same section (Batcher 1968, "Sorting Networks and their Applications"): a work-group merges two sorted runs of `width`
// keys; the last run may be shorter. Each work-item i takes the smaller of key i of the first window and key ITEMS - 1 - i of
// the second window. These are the ITEMS smallest keys of both, and they form a bitonic sequence, which log2(ITEMS) steps sort.
// The first run has the smaller key for all i below a limit, which is the number of keys taken from it.
kernel void merge_runs(global const uint *in, global uint *out, uint n, uint width) {
  local uint rings[2][ITEMS], merged[ITEMS], taken;
  const uint i = get_local_id(0), first = get_group_id(0) * 2 * width;
  const uint middle = min(first + width, n), end = min(middle + width, n);
  Window a = {in + first, middle - first, 0, rings[0], 0};
  Window b = {in + middle, end - middle, 0, rings[1], 0};
  refill(&a, ITEMS);
  refill(&b, ITEMS);
  for (uint done = first; done < end; done += ITEMS) {
    barrier(CLK_LOCAL_MEM_FENCE);
    const uint left = key_at(&a, i), right = key_at(&b, ITEMS - 1 - i);
    const bool is_left = left <= right;
    merged[i] = is_left ? left : right;
    if (i == 0 && !is_left) taken = 0;
    if (is_left && (i + 1 == ITEMS || key_at(&a, i + 1) > key_at(&b, ITEMS - 2 - i))) taken = i + 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    const uint from_a = taken;
    for (uint distance = ITEMS / 2; distance > 0; distance /= 2) {
      const uint partner = i ^ distance;
      if (partner > i && merged[i] > merged[partner]) {
        const uint smaller = merged[partner];
        merged[partner] = merged[i];
        merged[i] = smaller;
      }
      barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (done + i < end) out[done + i] = merged[i];
    refill(&a, from_a);
    refill(&b, ITEMS - from_a);
  }
}

// Section 39.3.2 (after Crow 1984), the summed-area table of an RGB8 picture: the channels are separated and their rows are
// scanned. The sums are transposed, so that their rows are the picture's columns, and scanned again.
kernel void take_apart(global const uchar *in, global uint *channels, uint pixels) {
  const uint i = get_global_id(0);
  if (i >= pixels) return;
  for (uint k = 0; k < 3; ++k) channels[(size_t)k * pixels + i] = in[(size_t)3 * i + k];
}

// Inclusive sums of a row, in place: a work-group scans chunk after chunk, starting from the total so far.
kernel void scan_rows(global uint *rows, uint width) {
  local uint sums[AT(2 * ITEMS - 1) + 1], total;
  global uint *const row = rows + get_group_id(0) * width;
  uint before = 0;
  for (uint first = 0; first < width; first += 2 * ITEMS) {
    const uint i = get_local_id(0), j = i + ITEMS;
    const uint x = first + i < width ? row[first + i] : 0, y = first + j < width ? row[first + j] : 0;
    sums[AT(i)] = x;
    sums[AT(j)] = y;
    const uint all = scan_tree(sums, &total, 2 * ITEMS);
    if (first + i < width) row[first + i] = before + sums[AT(i)] + x;
    if (first + j < width) row[first + j] = before + sums[AT(j)] + y;
    before += all;
  }
}

#define SIDE 32  // of a tile; an additional column puts the elements of a column into different banks
#define LINES (ITEMS / SIDE)

// Local memory makes both reads and writes of neighbouring work-items contiguous.
void load_tile(local uint (*tile)[SIDE + 1], global const uint *in, uint height, uint width, uint top, uint left) {
  const uint lane = get_local_id(0) % SIDE;
  for (uint y = get_local_id(0) / SIDE; y < SIDE; y += LINES)
    if (top + y < height && left + lane < width) tile[y][lane] = in[(size_t)(top + y) * width + left + lane];
  barrier(CLK_LOCAL_MEM_FENCE);
}

// A work-group for each tile of each channel.
kernel void transpose(global const uint *in, global uint *out, uint height, uint width) {
  local uint tile[SIDE][SIDE + 1];
  const uint top = get_group_id(1) * SIDE, left = get_group_id(0) * SIDE, lane = get_local_id(0) % SIDE;
  const size_t channel = get_group_id(2) * (size_t)height * width;
  load_tile(tile, in + channel, height, width, top, left);
  for (uint x = get_local_id(0) / SIDE; x < SIDE; x += LINES)
    if (left + x < width && top + lane < height) out[channel + (size_t)(left + x) * height + top + lane] = tile[lane][x];
}

// The same, and interleaves the channels again.
kernel void transpose_together(global const uint *channels, global uint *out, uint height, uint width) {
  local uint tiles[3][SIDE][SIDE + 1];
  const uint top = get_group_id(1) * SIDE, left = get_group_id(0) * SIDE, lane = get_local_id(0) % SIDE;
  for (uint k = 0; k < 3; ++k) load_tile(tiles[k], channels + k * (size_t)height * width, height, width, top, left);
  for (uint x = get_local_id(0) / SIDE; x < SIDE; x += LINES)
    if (left + x < width && top + lane < height)
      for (uint k = 0; k < 3; ++k) out[((size_t)(left + x) * height + top + lane) * 3 + k] = tiles[k][lane][x];
}
