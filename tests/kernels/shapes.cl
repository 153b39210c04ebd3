// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels' shapes: arguments by value, calls, blocks, address spaces, ids in three dimensions.
typedef struct {
  int weights[4];
  double scale;
  char tag;
} Settings;

// The kernel only reads one struct; each work-item changes its own copy of the other.
kernel void by_value(global int *out, const Settings fixed, Settings own, short3 small, float16 wide) {
  own.weights[get_global_id(0) % 4] += (int)get_global_id(0);
  int sum = fixed.tag + (int)fixed.scale + small.z + (int)wide.sf;
  for (int i = 0; i < 4; ++i) sum += own.weights[i] * fixed.weights[i];
  out[get_global_id(0)] = sum;
}

__attribute__((noinline)) int collatz(int n) {
  int steps = 0;
  for (; n > 1; ++steps) n = n & 1 ? 3 * n + 1 : n / 2;
  return steps;
}
int deep4(int x) { return x + (int)get_local_id(0); }
int deep3(int x) { return deep4(x) * 2; }
int deep2(int x) { return deep3(x) + deep4(x); }
int deep1(int x) { return deep2(x + 1) + collatz(x); }
kernel void inner(global int *out) { out[get_global_id(0)] = deep1((int)get_global_id(0)); }
kernel void outer(global int *out) {
  inner(out);
  int offset = 3;
  int (^add)(int) = ^(int x) {
    return x + offset;
  };
  out[get_global_id(0)] = add(out[get_global_id(0)]);
}

global int counter = 5;
constant int table[] = {2, 3, 5, 7};
int space_of(int *p) { return to_local(p) ? 1 : to_private(p) ? 2 : to_global(p) ? 3 : 0; }
kernel void spaces(global int *out) {
  local int shared[2];
  int own[2] = {0, 1};
  int *pointers[3] = {shared, own, out};
  out[get_global_id(0)] = 100 * space_of(pointers[get_global_id(0) % 3]) + 10 * table[get_global_id(0) % 4] + counter;
}

kernel void ids(global int *out) {
  size_t at = get_global_linear_id();
  out[at] = (int)(get_local_id(0) + 10 * get_local_id(1) + 100 * get_local_id(2) + 1000 * get_local_linear_id() % 7 +
                  10000 * get_local_size(0) + 100000 * get_group_id(1) + 1000000 * get_enqueued_local_size(0));
}

kernel void private_memory(global int *out, int stride) {
  int big[2048];
  for (int i = 0; i < 2048; ++i) big[(i * stride) & 2047] = i + (int)get_global_id(0);
  int sum = 0;
  for (int i = 0; i < 2048; i += 64) sum += big[i];
  out[get_global_id(0)] = sum;
}

// Neither kernel can observe the division into sub-groups. Steps forwards, backwards and with gaps, private memory, loops of
// different lengths.
int mix(int x, int y) {
  int own[5] = {x, y, x ^ y, 7, x - y};
  int sum = 0;
  for (int i = 0; i < x % 5 + 1; ++i) sum = sum * 3 + own[(i + y) % 5];
  return x > 4 * y ? sum : -sum;
}
kernel void plane(global int *out, int width) {
  int x = (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2), planes = (int)get_global_size(1) * width;
  out[z * planes + y * width + x] = mix(x, y + z);
  out[(int)get_global_size(2) * planes + z * planes + y * width + width - 1 - x] = mix(y, x) + (int)get_local_id(1);
}
kernel void line(global int *out, int width) {
  int x = (int)get_global_id(0);
  out[x] = mix(x, 3);
  out[width + 2 * x] = (int)(get_local_id(0) + 100 * get_local_size(0));
}
