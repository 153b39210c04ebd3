// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls of the library that peers.py compares with NumPy's and OpenCV's.
#include "turns.h"

#include <upsweep/cpu/axis.h>
#include <upsweep/cpu/select.h>
#include <upsweep/cpu/sort.h>
#include <upsweep/cpu/summed_area.h>

using upsweep::cpu::default_pool;

extern "C" {
void peer_copy(const void *in, void *out, std::uint64_t bytes) { upsweep::bench::copy(default_pool(), out, in, bytes); }
void peer_sum(const float *in, float *out, std::uint64_t n) { upsweep::cpu::inclusive_sum(in, out, n); }
void peer_axis(const float *in, float *out, std::uint64_t batches, std::uint64_t length, std::uint64_t inner) {
  upsweep::cpu::inclusive_sum_of_axis(in, out, upsweep::cpu::axis{batches, length, inner, {}, {}});
}
void peer_sort(const std::uint32_t *in, std::uint32_t *out, std::uint64_t n) { upsweep::cpu::sort_keys(in, out, n); }
void peer_table_f32(const float *in, double *out, std::uint64_t height, std::uint64_t width) {
  upsweep::cpu::exclusive_summed_area_table(in, out, {height, width});
}
void peer_table_rgb8(const std::uint8_t *in, std::int32_t *out, std::uint64_t height, std::uint64_t width) {
  upsweep::cpu::exclusive_summed_area_table(in, out, {height, width, 3});
}
}
