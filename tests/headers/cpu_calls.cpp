// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Typical calls of the library for CPU threads, for several types of elements. It is compiled for the compilers' warnings, and
// never runs.
#include <upsweep/cpu/adjacent.h>
#include <upsweep/cpu/axis.h>
#include <upsweep/cpu/compensated.h>
#include <upsweep/cpu/executor.h>
#include <upsweep/cpu/executors/jthread.h>
#include <upsweep/cpu/find.h>
#include <upsweep/cpu/for_each.h>
#include <upsweep/cpu/gather.h>
#include <upsweep/cpu/histogram.h>
#include <upsweep/cpu/instructions.h>
#include <upsweep/cpu/mdspan.h>
#include <upsweep/cpu/merge.h>
#include <upsweep/cpu/numbers.h>
#include <upsweep/cpu/operators.h>
#include <upsweep/cpu/options.h>
#include <upsweep/cpu/partition.h>
#include <upsweep/cpu/ranges.h>
#include <upsweep/cpu/recurrence.h>
#include <upsweep/cpu/reduce.h>
#include <upsweep/cpu/reduce_by_key.h>
#include <upsweep/cpu/run_length.h>
#include <upsweep/cpu/run_length_decode.h>
#include <upsweep/cpu/scan.h>
#include <upsweep/cpu/segment.h>
#include <upsweep/cpu/segmented_reduce.h>
#include <upsweep/cpu/segmented_sort.h>
#include <upsweep/cpu/select.h>
#include <upsweep/cpu/select_of_rows.h>
#include <upsweep/cpu/simd.h>
#include <upsweep/cpu/sort.h>
#include <upsweep/cpu/summed_area.h>
#include <upsweep/cpu/thread_pool.h>
#include <upsweep/cpu/three_way_partition.h>
#include <upsweep/cpu/top_k.h>

#include <cstdint>
#include <type_traits>
#include <vector>

namespace up = upsweep::cpu;

namespace {

template <class T>
struct View {
  T *data;
  std::size_t rows, columns;
  static constexpr std::size_t rank() { return 2; }
  std::size_t extent(std::size_t d) const { return d == 0 ? rows : columns; }
  std::size_t stride(std::size_t d) const { return d == 0 ? columns : 1; }
  T *data_handle() const { return data; }
};

struct Particle {
  std::int32_t cell;
  float energy;
};

template <class T>
struct Arrays {
  std::size_t n = 100;
  std::vector<T> in = std::vector<T>(n), out = in, other = in, third = in;
  std::vector<std::uint8_t> flags = std::vector<std::uint8_t>(n);
  std::vector<std::uint32_t> offsets = std::vector<std::uint32_t>(n), counts = offsets;
  std::uint64_t kept = 0;
  T total = 0;
  static bool is_large(T x) { return x > 3; }
};

template <class T>
void scans(Arrays<T> a) {
  const T *const in = a.in.data();
  T *const out = a.out.data();
  const auto twice = [](T x) { return static_cast<T>(x + x); };
  up::inclusive_sum(in, out, a.n);
  up::exclusive_sum(in, out, a.n, up::calling_thread(), up::backward);
  up::exclusive_sum(a.in.begin(), a.out.begin(), a.n, up::new_threads(), up::total_to(&a.total), up::accumulator<T>);
  up::inclusive_scan(in, out, a.n, up::maximum(), up::transform_input(twice), up::transform_output(twice));
  up::exclusive_scan(in, out, up::count_at(&a.kept, a.n), up::plus(), up::initial_at(&a.total), up::reproducible);
  up::inclusive_scan_by_key(in, in, out, a.n, up::plus());
  up::exclusive_scan_by_key(in, in, out, a.n, up::plus(), T(1));
  up::inclusive_scan_by_flag(a.flags.data(), in, out, a.n, up::plus());
  up::exclusive_scan_by_flag(a.flags.data(), in, out, a.n, up::minimum(), T(1));
  up::inclusive_scan_of_segments(in, out, a.n, a.offsets.data(), 3, up::plus());
  up::exclusive_scan_of_segments(in, out, a.n, a.offsets.data(), 3, up::plus(), T(1));
  up::inclusive_scan_of_rows(in, out, a.n, 10, up::plus());
  up::exclusive_scan_of_rows(in, out, a.n, 10, up::plus(), T(1));
  const up::axis columns{1, 10, 10, {}, {}};
  up::inclusive_sum_of_axis(in, out, columns);
  up::exclusive_scan_of_axis(in, out, columns, up::maximum(), T(0));
  up::inclusive_sum_of_axis(View<const T>{in, 10, 10}, View<T>{out, 10, 10}, 1);
  up::ranges::exclusive_sum(a.in, a.out);
  up::inclusive_sum(up::gathered(in, a.offsets.data()), up::scattered(out, a.offsets.data()), a.n);
  up::adjacent_difference(in, out, a.n);
  const std::vector<up::flagged<T>> pairs(a.n);
  std::vector<up::flagged<T>> sums(a.n);
  up::inclusive_scan(pairs.data(), sums.data(), a.n, up::segmented{up::plus()});
  if constexpr (std::is_floating_point_v<T>) {
    up::compensated_sum(in, &a.total, a.n);
    up::inclusive_compensated_sum(in, out, a.n);
    up::exclusive_compensated_sum(in, out, a.n);
  }
  up::linear_recurrence(in, in, out, a.n);
  up::linear_recurrence_of_axis(in, in, out, columns);
}

template <class T>
void selections(Arrays<T> a) {
  const T *const in = a.in.data();
  T *const out = a.out.data(), *const other = a.other.data(), *const third = a.third.data();
  const auto is_large = [](T x) { return Arrays<T>::is_large(x); };
  const auto is_zero = [](T x) { return !(x > 0); };
  up::select_if(in, out, &a.kept, a.n, is_large);
  up::select_by_flag(in, a.flags.data(), out, &a.kept, a.n);
  up::select_by_bit(in, a.offsets.data(), out, &a.kept, a.n);
  up::select_by_stencil(in, a.flags.data(), out, &a.kept, a.n, [](std::uint8_t flag) { return flag == 0; });
  up::unique(in, out, &a.kept, a.n);
  up::unique_by_key(in, in, out, other, &a.kept, a.n);
  up::partition_if(in, out, &a.kept, a.n, is_large);
  up::partition_by_flag(in, a.flags.data(), out, &a.kept, a.n);
  up::stable_partition_if(in, out, other, &a.kept, a.n, is_large);
  up::stable_partition_by_flag(in, a.flags.data(), out, other, &a.kept, a.n);
  up::stable_partition_in_three(in, out, other, third, a.counts.data(), a.n, is_large, is_zero);
  up::find_if(in, &a.kept, a.n, is_large);
  up::select_if_of_rows(in, out, a.counts.data(), 10, 10, is_large);
  up::select_by_flag_of_rows(in, a.flags.data(), out, a.counts.data(), 10, 10);
  up::run_length_encode(in, out, a.counts.data(), &a.kept, a.n);
  up::run_length_decode(in, a.counts.data(), 3, out);
  up::repeat(in, a.offsets.data(), 3, out);
  up::reduce_by_key(in, in, out, other, &a.kept, a.n, up::plus());
}

template <class T>
void reductions(Arrays<T> a) {
  const T *const in = a.in.data();
  T *const out = a.out.data();
  up::sum(in, &a.total, a.n);
  up::reduce(in, &a.total, a.n, up::maximum(), T(0));
  up::transform_reduce(in, &a.total, a.n, up::plus(), [](T x) { return static_cast<T>(x * x); }, T(0), up::reproducible);
  up::indexed<T> place{};
  up::arg_min(in, &place, a.n);
  up::arg_max(in, &place, a.n);
  up::sum_of_segments(in, out, a.offsets.data(), 3);
  up::reduce_of_rows(in, out, 10, 10, up::maximum(), T(0));
  up::sum_of_axis(in, out, up::axis{1, 10, 10, {}, {}});
  up::histogram_even(in, a.counts.data(), a.n, 10, 0, 100);
  up::histogram_of_levels(in, a.counts.data(), a.n, 10, a.offsets.data());
  up::histogram_by(in, a.counts.data(), a.n, 10, [](T x) { return x > 1 ? 1 : 0; }, up::weights(a.offsets.data()));
  if constexpr (std::is_integral_v<T>) {
    up::histogram(in, a.counts.data(), 10, a.n);
    up::histogram(in, a.counts.data(), 10, up::region(5, 2, 20 * sizeof(T)), up::channels<4, 3>);
  }
  up::summed_area_table(in, out, up::image_shape{10, 10});
  up::exclusive_summed_area_table(in, out, up::image_shape{9, 9});
  up::box_filter(in, out, up::image_shape{10, 10}, 1);
}

template <class T>
void sorts(Arrays<T> a) {
  const T *const in = a.in.data();
  T *const out = a.out.data(), *const other = a.other.data();
  std::uint32_t *const indices = a.counts.data();
  up::sort_keys(in, out, a.n);
  up::sort_pairs(in, out, in, other, a.n, up::descending);
  up::arg_sort(in, out, indices, a.n);
  if constexpr (std::is_integral_v<T>) {
    up::sort_keys(in, out, a.n, up::key_bits(0, 8));
  }
  up::double_buffer<T> buffers{out, other};
  up::sort_keys(buffers, a.n);
  up::merge_sort(in, out, a.n);
  up::sort_keys_of_segments(in, out, a.n, a.offsets.data(), 3);
  up::sort_pairs_of_rows(in, out, in, other, 10, 10);
  up::arg_sort_of_rows(in, out, indices, 10, 10);
  up::merge(in, in, out, 3, 3);
  up::merge_pairs(in, in, in, in, out, other, 3, 3);
  up::merge_sort_pairs(in, out, in, other, a.n);
  up::top_k_keys(in, out, a.n, 3, up::descending);
  up::top_k_pairs(in, out, in, other, a.n, 3);
  up::arg_top_k(in, out, indices, a.n, 3);
  up::nth_element(in, &a.total, a.n, 3);
  up::arg_nth_element(in, &a.total, &a.kept, a.n, 3);
}

template <class T>
void blocks(Arrays<T> a) {
  const T *const in = a.in.data();
  std::vector<std::uint64_t> marks(up::simd::marks_of(a.n));
  up::simd::scan(in, a.out.data(), a.n, a.total, up::plus());
  up::simd::scan_marked(in, marks.data(), a.out.data(), a.n, a.total, up::plus());
  a.total = up::simd::reduce(in, a.n, up::plus());
  up::simd::mark_if(in, a.n, marks.data(), Arrays<T>::is_large);
  up::simd::mark_changes(in, a.n, marks.data());
  a.kept = up::simd::count_marks(marks.data(), a.n) + up::simd::compact(in, marks.data(), a.n, a.out.data());
  a.kept += up::simd::places(marks.data(), a.n, a.counts.data());
  const auto digit = [](T x) { return static_cast<std::size_t>(x) & 0xff; };
  up::simd::count_digits(in, a.n, a.counts.data(), digit);
  up::simd::distribute(in, a.n, a.out.data(), a.counts.data(), digit);
}

template <class T>
void all_of() {
  scans(Arrays<T>());
  selections(Arrays<T>());
  reductions(Arrays<T>());
  sorts(Arrays<T>());
  blocks(Arrays<T>());
}

}  // namespace

int main() {
  all_of<std::uint8_t>();
  all_of<int>();
  all_of<double>();
  std::vector<Particle> particles(10), others(10);
  up::sort_keys(particles.data(), others.data(), 10, up::by_members<&Particle::cell, &Particle::energy>{});
  const std::vector<std::uint8_t> bytes(10);
  std::vector<std::uint64_t> sums(10);
  up::inclusive_sum(bytes.data(), sums.data(), 10);
  std::vector<up::bfloat16> halves(10);
  up::inclusive_sum(halves.data(), halves.data(), 10, up::accumulator<float>);
  up::for_each_piece(up::default_pool(), 3, [](std::uint64_t) {});
}
