// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Searches, differences, decoded runs, recurrences, compensated sums, reductions of segments, ranges and views.
#include "expect.h"

#include <upsweep/cpu/adjacent.h>
#include <upsweep/cpu/compensated.h>
#include <upsweep/cpu/find.h>
#include <upsweep/cpu/mdspan.h>
#include <upsweep/cpu/ranges.h>
#include <upsweep/cpu/recurrence.h>
#include <upsweep/cpu/run_length_decode.h>
#include <upsweep/cpu/segmented_reduce.h>
#include <upsweep/cpu/three_way_partition.h>

#include <cstdint>
#include <vector>

namespace cpu = upsweep::cpu;

// A matrix without gaps, with the members of std::mdspan.
struct Matrix {
  int *data;
  std::size_t rows, columns;
  static constexpr std::size_t rank() { return 2; }
  std::size_t extent(std::size_t d) const { return d == 0 ? rows : columns; }
  std::size_t stride(std::size_t d) const { return d == 0 ? columns : 1; }
  int *data_handle() const { return data; }
};

int main() {
  std::vector<int> in = {3, 3, 4, 1, 1, 1, 2, 6}, out(8), second(8), third(8);
  const std::size_t n = in.size();
  cpu::adjacent_difference(in.data(), out.data(), n);
  expect(out, {3, 0, 1, -3, 0, 0, 1, 4});
  int place = 0;
  cpu::find_if(in.data(), &place, n, [](int x) { return x < 3; });
  expect(std::vector{place}, {3});
  int kept[2];
  cpu::stable_partition_in_three(
      in.data(), out.data(), second.data(), third.data(), kept, n, [](int x) { return x == 1; }, [](int x) { return x == 3; });
  expect(third, {4, 2, 6});

  const std::vector<int> values = {7, 8, 9}, lengths = {2, 0, 3}, offsets = {0, 2, 2, 5};
  cpu::run_length_decode(values.data(), lengths.data(), 3, out.data());
  expect(out, {7, 7, 9, 9, 9});
  cpu::repeat(values.data(), offsets.data(), 3, out.data());
  expect(out, {7, 7, 9, 9, 9});
  cpu::sum_of_segments(in.data(), out.data(), offsets.data(), 3);
  expect(out, {6, 0, 6});
  cpu::reduce_of_rows(in.data(), out.data(), 2, 4, cpu::maximum{}, 0);
  expect(out, {4, 6});
  cpu::sum_of_axis(in.data(), out.data(), cpu::axis{1, 2, 4, {}, {}});
  expect(out, {4, 4, 6, 7});

  const std::vector<int> a = {2, 2, 2}, b = {1, 1, 1};
  const int first = 1;
  int last = 0;
  cpu::linear_recurrence(a.data(), b.data(), out.data(), 3, cpu::states(&first, &last));
  expect(out, {3, 7, 15});
  expect(std::vector{last}, {15});
  cpu::linear_recurrence_of_axis(a.data(), b.data(), out.data(), cpu::axis{3, 1, 1, {}, {}});
  expect(out, {1, 1, 1});

  const std::vector<float> small(10000, 0.1F);
  float sum = 0;
  cpu::compensated_sum(small.data(), &sum, small.size());
  expect(std::vector{sum}, {1000.0F});
  std::vector<float> sums(small.size());
  cpu::inclusive_compensated_sum(small.data(), sums.data(), small.size());
  expect(std::vector{sums.back()}, {1000.0F});

  cpu::ranges::inclusive_sum(in, out);
  expect(out, {3, 6, 10, 11, 12, 13, 15, 21});
  cpu::inclusive_sum_of_axis(Matrix{in.data(), 2, 4}, Matrix{out.data(), 2, 4}, 0);
  expect(out, {3, 3, 4, 1, 4, 4, 6, 7});
}
