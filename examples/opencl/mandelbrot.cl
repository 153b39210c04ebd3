// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The Mandelbrot set by the algorithm of Mariani and Silver. If all pixels of a square's border have the same number of
// iterations, so does the inside. Any other square is divided into four, or computed if it is small. mandelbrot.cpp runs it,
// and also a version with the host between the levels.
#define SMALLEST 16
#define MOST 1000u

typedef struct {
  float x, y, step;  // of the picture's first pixel, and between pixels
  uint width;        // and height
} view;

uint iterations(view v, uint i, uint j) {
  const float x = v.x + i * v.step, y = v.y + j * v.step;
  float a = 0, b = 0;
  uint n = 0;
  for (; n < MOST && a * a + b * b < 4; ++n) {
    const float next = a * a - b * b + x;
    b = 2 * a * b + y;
    a = next;
  }
  return n;
}

/// The number of iterations on the whole border of a square, or ~0.
uint border(view v, uint x, uint y, uint size) {
  uint least = ~0u, most = 0;
  for (uint i = (uint)get_local_id(0); i < 4 * size; i += (uint)get_local_size(0)) {
    const uint k = i % size, side = i / size;
    const uint n = iterations(v,
                              side == 0   ? x
                              : side == 1 ? x + size - 1
                                          : x + k,
                              side < 2    ? y + k
                              : side == 2 ? y
                                          : y + size - 1);
    least = min(least, n);
    most = max(most, n);
  }
  least = work_group_reduce_min(least);
  most = work_group_reduce_max(most);
  return least == most ? least : ~0u;
}

/// Whether the square is done; otherwise its four parts remain.
bool square(global uint *picture, view v, uint x, uint y, uint size) {
  const uint n = border(v, x, y, size);
  if (n == ~0u && size > SMALLEST) return false;
  for (uint i = (uint)get_local_id(0); i < size * size; i += (uint)get_local_size(0)) {
    const uint px = x + i % size, py = y + i / size;
    picture[py * v.width + px] = n == ~0u ? iterations(v, px, py) : n;
  }
  return true;
}

void run(global uint *picture, view v, uint x, uint y, uint size) {
  if (square(picture, v, x, y, size) || get_local_id(0) != 0) return;
  const uint half_size = size / 2;
  for (uint k = 0; k < 4; ++k)
    enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(get_local_size(0), get_local_size(0)), ^{
      run(picture, v, x + (k & 1) * half_size, y + (k >> 1) * half_size, half_size);
    });
}

/// Draws contiguous squares of `size`, with a work-group for each.
kernel void adaptive(global uint *picture, view v, uint size) {
  const uint in_row = v.width / size, group = (uint)get_group_id(0);
  run(picture, v, group % in_row * size, group / in_row * size, size);
}

/// The same for one level: `squares` has the places of this level's squares. `next` gets the places of the next level's
/// squares, and `count` their number.
kernel void level(global uint *picture, view v, uint size, global const uint2 *squares, global uint *count,
                  global uint2 *next) {
  const uint2 place = squares[get_group_id(0)];
  if (square(picture, v, place.x, place.y, size) || get_local_id(0) != 0) return;
  const uint at = atomic_add(count, 4);
  for (uint k = 0; k < 4; ++k) next[at + k] = place + (uint2)(k & 1, k >> 1) * (size / 2);
}

/// Computes every pixel.
kernel void all(global uint *picture, view v) {
  const uint i = (uint)get_global_id(0);
  picture[i] = iterations(v, i % v.width, i / v.width);
}
