// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cl_khr_kernel_clock: each work-item reads a clock around work, in both forms. SCOPE is the clock's.
#ifdef cl_khr_kernel_clock
#ifndef SCOPE
#define SCOPE device
#endif
#define CONCAT_(a, b) a##b
#define CONCAT(a, b) CONCAT_(a, b)
#define READ CONCAT(clock_read_, SCOPE)
#define READ_HALVES CONCAT(clock_read_hilo_, SCOPE)

// out: 1 if the values of one work-item never decrease, and the form of two halves lies between its neighbours; 2 if the last
// value is also larger than the first.
kernel void ordered(global int *out) {
  const size_t i = get_global_id(0);
  const ulong first = READ();
  if (i % 3 == 0) out[i] = 0;
  const uint2 halves = READ_HALVES();
  const ulong second = (ulong)halves.hi << 32 | halves.lo;
  const ulong third = READ();
  // A clock whose unit is longer than these steps moves after some more.
  ulong last = third;
  for (int k = 0; k < 100000 && last == first; ++k) last = READ();
  out[i] = (first <= second && second <= third && third <= last) + (last > first);
}

// Each work-item waits for its own time.
kernel void wait(global int *out) {
  const size_t i = get_global_id(0);
  const ulong start = READ(), ticks = 100 * (i % 7);
  ulong now = start;
  while (now - start < ticks) now = READ();
  out[i] = now - start >= ticks;
}
#endif
