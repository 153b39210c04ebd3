// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Correct kernels, into which seeded_defects.py draws defects. `run:` has the options of `upsweep run` for a kernel: buffers
// are as large as the kernel needs them, so that a neighbouring index is outside.
#define LID ((int)get_local_id(0))
#define HERE ((int)get_global_id(0))
#define LOCAL_BARRIER barrier(CLK_LOCAL_MEM_FENCE)

// run: --global 80 --local 16 --arg zeros:float:77 --arg range:float:77 --arg int:77
kernel void saxpy(global float *y, global const float *x, int n) {
  if (HERE < n) y[HERE] = 2.0f * x[HERE] + y[HERE];
}

// run: --global 64 --local 16 --arg zeros:int:64 --arg range:int:64
kernel void stencil(global int *out, global const int *in) {
  int sum = in[HERE];
  if (HERE > 0) sum += in[HERE - 1];
  if (HERE < 63) sum += in[HERE + 1];
  out[HERE] = sum;
}

// run: --global 64 --local 32 --arg zeros:int:64 --arg range:int:64
kernel void reverse(global int *out, global const int *in) {
  local int tile[32];
  tile[LID] = in[HERE];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[HERE] = tile[31 - LID];
}

// run: --global 128 --local 64 --arg zeros:int:2 --arg range:int:128
kernel void tree(global int *out, global const int *in) {
  local int sums[64];
  sums[LID] = in[HERE];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int half_size = 32; half_size > 0; half_size /= 2) {
    if (LID < half_size) sums[LID] += sums[LID + half_size];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (LID == 0) out[get_group_id(0)] = sums[0];
}

// run: --global 128 --local 64 --arg zeros:int:128 --arg range:int:128
kernel void scan(global int *out, global const int *in) {
  local int sums[64];
  sums[LID] = in[HERE];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int step = 1; step < 64; step *= 2) {
    int other = 0;
    if (LID >= step) other = sums[LID - step];
    barrier(CLK_LOCAL_MEM_FENCE);
    sums[LID] += other;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  out[HERE] = sums[LID];
}

// run: --global 256 --local 64 --arg zeros:uint:16 --arg range:uint:256
kernel void histogram(global uint *out, global const uint *in) {
  local uint counts[16];
  if (LID < 16) counts[LID] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  atomic_inc(&counts[in[HERE] % 16]);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (LID < 16) atomic_add(&out[LID], counts[LID]);
}

// run: --global 32,32 --local 8,8 --arg zeros:float:1024 --arg range:float:1024
kernel void transpose(global float *out, global const float *in) {
  local float tile[8][9];
  const int x = get_local_id(0), y = get_local_id(1);
  tile[y][x] = in[get_global_id(1) * 32 + get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[(get_group_id(0) * 8 + y) * 32 + get_group_id(1) * 8 + x] = tile[x][y];
}

// run: --global 32,32 --local 8,8 --arg zeros:float:1024 --arg range:float:1024 --arg range:float:1024 --arg int:32
kernel void multiply(global float *c, global const float *a, global const float *b, int n) {
  local float tile_a[8][8], tile_b[8][8];
  const int x = get_local_id(0), y = get_local_id(1), column = get_global_id(0), row = get_global_id(1);
  float sum = 0;
  for (int first = 0; first < n; first += 8) {
    tile_a[y][x] = a[row * n + first + x];
    tile_b[y][x] = b[(first + y) * n + column];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < 8; ++k) sum += tile_a[y][k] * tile_b[k][x];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  c[row * n + column] = sum;
}

// run: --global 128 --local 32 --arg zeros:int:64 --arg zeros:int:1 --arg range:int:128
kernel void compact(global int *out, global int *count, global const int *in) {
  if (in[HERE] % 2 == 0) {
    const int place = atomic_inc(&count[0]);
    out[place] = in[HERE];
  }
}

// run: --global 256 --local 64 --arg zeros:int:5 --arg zeros:int:1 --arg range:int:256
kernel void last_group(global int *out, global atomic_int *done, global const int *in) {
  local int sums[64];
  local int is_last;
  sums[LID] = in[HERE];
  barrier(CLK_LOCAL_MEM_FENCE);
  if (LID == 0) {
    int sum = 0;
    for (int i = 0; i < 64; ++i) sum += sums[i];
    out[get_group_id(0)] = sum;
    is_last = atomic_fetch_add_explicit(done, 1, memory_order_acq_rel, memory_scope_device) == 3;
  }
  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  if (is_last && LID == 5) out[4] = out[0] + out[1] + out[2] + out[3];
}

// run: --global 256 --local 64 --arg zeros:int:5 --arg zeros:int:1 --arg range:int:256
kernel void last_group_fences(global int *out, global atomic_int *done, global const int *in) {
  if (LID == 0) {
    out[get_group_id(0)] = in[HERE];
    atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_release, memory_scope_device);
    if (atomic_fetch_add_explicit(done, 1, memory_order_relaxed, memory_scope_device) == 3) {
      atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_acquire, memory_scope_device);
      out[4] = out[0] + out[1] + out[2] + out[3];
    }
  }
}

// run: --global 32,16 --local 8,8 --arg zeros:float:512 --arg range:float:512 --arg int:32 --arg int:16
kernel void blur(global float *out, global const float *in, int width, int height) {
  const int x = get_global_id(0), y = get_global_id(1);
  float sum = 0;
  for (int dy = -1; dy <= 1; ++dy)
    for (int dx = -1; dx <= 1; ++dx) {
      const int px = clamp(x + dx, 0, width - 1), py = clamp(y + dy, 0, height - 1);
      sum += in[py * width + px];
    }
  out[y * width + x] = sum / 9;
}

// run: --global 32 --local 16 --arg zeros:float:128 --arg range:float:128
kernel void vectors(global float *out, global const float *in) {
  const float4 four = vload4(HERE, in);
  vstore4(four.wzyx, HERE, out);
}

typedef struct {
  int key;
  int values[3];
} Row;

// run: --global 32 --local 16 --arg range:int:128
kernel void structs(global Row *rows) {
  rows[HERE].values[2] = rows[HERE].values[0] + rows[HERE].values[1];
  rows[HERE].key += rows[HERE].values[2];
}

// run: --global 64 --local 16 --arg zeros:int:64 --arg range:int:64
kernel void private_array(global int *out, global const int *in) {
  int last[8];
  for (int i = 0; i < 8; ++i) last[i] = in[(HERE + i) % 64];
  out[HERE] = last[in[HERE] % 8];
}

// run: --global 64 --local 32 --arg zeros:float:2 --arg range:float:256 --arg range:float:256 --arg int:256
kernel void dot_product(global float *out, global const float *a, global const float *b, int n) {
  local float sums[32];
  float sum = 0;
  for (int i = HERE; i < n; i += 64) sum += a[i] * b[i];
  sums[LID] = sum;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (LID == 0) {
    for (int i = 1; i < 32; ++i) sum += sums[i];
    out[get_group_id(0)] = sum;
  }
}

// run: --global 64 --local 32 --arg random:int:64
kernel void bitonic(global int *data) {
  local int keys[32];
  keys[LID] = data[HERE];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int size = 2; size <= 32; size *= 2)
    for (int step = size / 2; step > 0; step /= 2) {
      const int other = LID ^ step;
      if (other > LID && (keys[LID] > keys[other]) == ((LID & size) == 0)) {
        const int kept = keys[LID];
        keys[LID] = keys[other];
        keys[other] = kept;
      }
      barrier(CLK_LOCAL_MEM_FENCE);
    }
  data[HERE] = keys[LID];
}

// run: --global 32,32 --local 8,8 --arg zeros:uchar:1024 --arg range:uchar:1024
kernel void life(global uchar *out, global const uchar *in) {
  const int x = get_global_id(0), y = get_global_id(1);
  int count = 0;
  for (int dy = 31; dy <= 33; ++dy)
    for (int dx = 31; dx <= 33; ++dx) count += in[(y + dy) % 32 * 32 + (x + dx) % 32] & 1;
  out[y * 32 + x] = count == 3 || count == 4;
}

// run: --global 128 --local 64 --arg zeros:int:128 --arg zeros:int:2 --arg range:int:128
kernel void group_scan(global int *out, global int *totals, global const int *in) {
  const int sum = work_group_scan_inclusive_add(in[HERE]);
  out[HERE] = sum;
  if (LID == 63) totals[get_group_id(0)] = sum;
}

// run: --global 128 --local 32 --arg zeros:int:2 --arg range:int:128
kernel void extremes(global int *out, global const int *in) {
  local int most;
  if (LID == 0) most = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  atomic_max(&most, in[HERE]);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (LID == 0) atomic_max(&out[0], most);
  if (LID == 1) atomic_add(&out[1], most);
}

// run: --global 64 --local 32 --arg zeros:int:64 --arg range:int:64
kernel void copies(global int *out, global const int *in) {
  local int tile[32];
  event_t arrived = async_work_group_copy(tile, in + get_group_id(0) * 32, 32, 0);
  wait_group_events(1, &arrived);
  const int value = tile[31 - LID];
  barrier(CLK_LOCAL_MEM_FENCE);
  tile[LID] = value;
  barrier(CLK_LOCAL_MEM_FENCE);
  event_t left = async_work_group_copy(out + get_group_id(0) * 32, tile, 32, 0);
  wait_group_events(1, &left);
}

// run: --global 32 --local 32 --arg random:int:32
kernel void odd_even(global int *data) {
  for (int round = 0; round < 32; ++round) {
    const int first = 2 * LID + round % 2;
    if (first + 1 < 32 && data[first] > data[first + 1]) {
      const int kept = data[first];
      data[first] = data[first + 1];
      data[first + 1] = kept;
    }
    barrier(CLK_GLOBAL_MEM_FENCE);
  }
}

constant int kWeights[5] = {1, 4, 6, 4, 1};

// run: --global 64 --local 32 --arg zeros:int:64 --arg range:int:68
kernel void convolution(global int *out, global const int *in) {
  local int tile[36];
  tile[LID] = in[HERE];
  if (LID < 4) tile[LID + 32] = in[HERE + 32];
  barrier(CLK_LOCAL_MEM_FENCE);
  int sum = 0;
  for (int k = 0; k < 5; ++k) sum += kWeights[k] * tile[LID + k];
  out[HERE] = sum;
}

// run: --global 64 --local 16 --arg zeros:int:64 --arg range:int:64 --arg range:int:64
kernel void gather(global int *out, global const int *in, global const int *places) {
  out[places[HERE]] = in[63 - places[HERE]];
}

// run: --global 64 --local 64 --arg zeros:int:64 --arg range:int:64 --arg local:256
kernel void ring(global int *out, global const int *in, local int *tile) {
  tile[LID] = in[HERE];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int round = 0; round < 4; ++round) {
    const int next = tile[(LID + 1) % 64];
    barrier(CLK_LOCAL_MEM_FENCE);
    tile[LID] = next;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  out[HERE] = tile[LID];
}
