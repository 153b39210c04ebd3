// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The calls of a library. All three libraries have the same names and arguments. A source defines these before it includes this
// header:
//
//   up            an alias of the library's namespace.
//   Memory        a.as<T>(first): an array of Ts from element `first` on.
//   IsOdd         a predicate of ints.
//   require(x)    throws a std::runtime_error if the result of a call is an error.
//
// It passes the last argument of the calls: the queue, the stream, or none.
#ifndef UPSWEEP_BENCH_OPENCL_LIBRARY_CALLS_H
#define UPSWEEP_BENCH_OPENCL_LIBRARY_CALLS_H

#include "call.h"

#include <type_traits>
#include <utility>

namespace upsweep::bench {
namespace {

struct Arrays {
  Memory words, numbers, offsets, keys, heads, flags, sorted;  // as in Contents
  Memory out, second;                                          // 8 n and 4 n bytes
  Memory few;                                                  // 4096 bytes
  std::size_t n, height, width, segments;
};

constexpr std::size_t kRow = 1024;  // elements of a row
constexpr std::size_t kFirst = 16;  // elements of top_k

// Memory for all arrays: make(bytes, contents or null).
template <class Make>
Arrays arrays_of(const Contents &c, const Make &make) {
  const auto with = [&](const auto &from) { return make(from.size() * sizeof(from[0]), from.data()); };
  return {with(c.words),
          with(c.numbers),
          with(c.offsets),
          with(c.keys),
          with(c.heads),
          with(c.flags),
          with(c.sorted),
          make(8 * c.n, nullptr),
          make(4 * c.n, nullptr),
          make(4096, nullptr),
          c.n,
          c.height,
          c.width,
          c.segments()};
}

struct Calls {
  std::string by;
  std::function<void()> wait;
  std::vector<Call> all;

  template <class Run>
  void add(const char *call, const char *type, double bytes, const Run &run) {
    const auto checked = [run] {
      if constexpr (std::is_void_v<decltype(run())>) {
        run();
      } else {
        require(run());
      }
    };
    all.push_back({call, type, by, bytes, checked, wait});
  }
};

template <class... On>
void add_scans(Calls &to, const Arrays &a, const On &...on) {
  const std::size_t n = a.n;
  const double size = double(n);
  const auto x = a.words.as<int>(), out = a.out.as<int>();
  const auto f = a.numbers.as<float>(), f_out = a.out.as<float>();
  const auto keys = a.keys.as<int>();
  to.add("sum", "i32", 8 * size, [=] { return up::inclusive_sum(x, out, n, on...); });
  to.add("sum", "f32", 8 * size, [=] { return up::inclusive_sum(f, f_out, n, on...); });
  to.add("max", "i32", 8 * size, [=] { return up::inclusive_scan(x, out, n, up::maximum{}, on...); });
  to.add("sum", "i64", 16 * size,
         [=] { return up::inclusive_sum(a.words.as<std::int64_t>(), a.out.as<std::int64_t>(), n, on...); });
  to.add("sum", "u8", 2 * size,
         [=] { return up::inclusive_sum(a.words.as<std::uint8_t>(), a.out.as<std::uint8_t>(), n, on...); });
  to.add("exclusive sum", "i32", 8 * size, [=] { return up::exclusive_sum(x, out, n, on...); });
  to.add("exclusive sum", "f32", 8 * size, [=] { return up::exclusive_sum(f, f_out, n, on...); });
  to.add("sum by key", "i32", 12 * size, [=] { return up::inclusive_scan_by_key(keys, x, out, n, up::plus{}, on...); });
  to.add("sum by flag", "i32", 9 * size,
         [=] { return up::inclusive_scan_by_flag(a.heads.as<std::uint8_t>(), x, out, n, up::plus{}, on...); });
  to.add("sum of segments", "i32", 8 * size + 4 * double(a.segments), [=] {
    return up::inclusive_scan_of_segments(x, out, n, a.offsets.as<std::uint32_t>(), a.segments, up::plus{}, on...);
  });
  to.add("sum of rows", "i32", 8 * size, [=] { return up::inclusive_scan_of_rows(x, out, n, kRow, up::plus{}, on...); });
  to.add("sum of columns", "f32", 8 * size,
         [=] { return up::inclusive_sum_of_axis(f, f_out, up::axis{1, a.height, a.width, {}, {}}, on...); });
  to.add("recurrence", "f32", 12 * size, [=] { return up::linear_recurrence(f, a.numbers.as<float>(n), f_out, n, on...); });
  to.add("recurrence of rows", "f32", 12 * size, [=] {
    return up::linear_recurrence_of_axis(f, a.numbers.as<float>(n), f_out, up::axis{n / kRow, kRow, 1, {}, {}}, on...);
  });
}

template <class... On>
void add_compactions(Calls &to, const Arrays &a, const On &...on) {
  const std::size_t n = a.n;
  const double size = double(n), runs = double(a.segments);
  const auto x = a.words.as<int>(), out = a.out.as<int>(), keys = a.keys.as<int>(), second = a.second.as<int>();
  const auto flags = a.flags.as<std::uint8_t>();
  const auto count = a.few.as<std::uint32_t>();
  const IsOdd is_odd;
  to.add("select 50 %", "i32", 6 * size, [=] { return up::select_if(x, out, count, n, is_odd, on...); });
  to.add("select by flag", "i32", 7 * size, [=] { return up::select_by_flag(x, flags, out, count, n, on...); });
  to.add("partition", "i32", 8 * size, [=] { return up::partition_if(x, out, count, n, is_odd, on...); });
  to.add("stable partition", "i32", 8 * size, [=] { return up::stable_partition_if(x, out, second, count, n, is_odd, on...); });
  to.add("unique", "i32", 4 * size + 4 * runs, [=] { return up::unique(keys, out, count, n, on...); });
  to.add("run lengths", "i32", 4 * size + 8 * runs, [=] { return up::run_length_encode(keys, out, second, count, n, on...); });
  to.add("reduce by key", "i32", 8 * size + 8 * runs,
         [=] { return up::reduce_by_key(keys, x, second, out, count, n, up::plus{}, on...); });
}

template <class... On>
void add_reductions(Calls &to, const Arrays &a, const On &...on) {
  const std::size_t n = a.n, rows = n / kRow;
  const double size = double(n);
  const auto x = a.words.as<int>(), out = a.out.as<int>();
  const auto f = a.numbers.as<float>(), f_out = a.out.as<float>();
  const auto best = a.out.as<up::indexed<int>>();
  const auto offsets = a.offsets.as<std::uint32_t>();
  const auto counts = a.few.as<std::uint32_t>();
  to.add("total", "i32", 4 * size, [=] { return up::sum(x, out, n, on...); });
  to.add("total", "f32", 4 * size, [=] { return up::sum(f, f_out, n, on...); });
  to.add("largest", "i32", 4 * size, [=] { return up::reduce(x, out, n, up::maximum{}, 0, on...); });
  to.add("arg_max", "i32", 4 * size, [=] { return up::arg_max(x, best, n, on...); });
  to.add("totals of segments", "i32", 4 * size + 8 * double(a.segments),
         [=] { return up::sum_of_segments(x, out, offsets, a.segments, on...); });
  to.add("totals of rows", "f32", 4 * size, [=] { return up::sum_of_rows(f, f_out, rows, kRow, on...); });
  to.add("totals of columns", "f32", 4 * size,
         [=] { return up::sum_of_axis(f, f_out, up::axis{1, a.height, a.width, {}, {}}, on...); });
  to.add("arg_max of rows", "i32", 4 * size, [=] { return up::arg_max_of_rows(x, best, rows, kRow, on...); });
  to.add("histogram 256", "u8", size,
         [=] { return up::histogram_even(a.words.as<std::uint8_t>(), counts, n, 256, 0, 256, on...); });
  to.add("histogram 256", "u32", 4 * size,
         [=] { return up::histogram_even(a.words.as<std::uint32_t>(), counts, n, 256, 0, 1 << 30, on...); });
}

template <class... On>
void add_sorts(Calls &to, const Arrays &a, const On &...on) {
  using U32 = std::uint32_t;
  const std::size_t n = a.n, rows = n / kRow;
  const double size = double(n);
  const auto x = a.words.as<U32>(), values = a.words.as<U32>(n), out = a.out.as<U32>(), second = a.second.as<U32>();
  const auto offsets = a.offsets.as<U32>();
  to.add("sort", "u32", 8 * size, [=] { return up::sort_keys(x, out, n, on...); });
  to.add("sort", "u64", 16 * size,
         [=] { return up::sort_keys(a.words.as<std::uint64_t>(), a.out.as<std::uint64_t>(), n, on...); });
  to.add("sort", "f32", 8 * size, [=] { return up::sort_keys(a.numbers.as<float>(), a.out.as<float>(), n, on...); });
  to.add("sort pairs", "u32, u32", 16 * size, [=] { return up::sort_pairs(x, out, values, second, n, on...); });
  to.add("sort of segments", "u32", 8 * size, [=] { return up::sort_keys_of_segments(x, out, n, offsets, a.segments, on...); });
  to.add("sort of rows", "u32", 8 * size, [=] { return up::sort_keys_of_rows(x, out, rows, kRow, on...); });
  to.add("merge", "u32", 8 * size,
         [=] { return up::merge(a.sorted.as<U32>(), a.sorted.as<U32>(n / 2), out, n / 2, n / 2, on...); });
  to.add("merge sort", "u32", 8 * size, [=] { return up::merge_sort(x, out, n, on...); });
  to.add("top 16", "u32", 4 * size, [=] { return up::top_k_keys(x, out, n, kFirst, on...); });
  to.add("median", "u32", 4 * size, [=] { return up::nth_element(x, out, n, n / 2, on...); });
}

template <class... On>
void add_images(Calls &to, const Arrays &a, const On &...on) {
  const double size = double(a.n);
  const up::image_shape grey{a.height, a.width}, rgb{a.height / 2, a.width / 2, 3};  // of n and n / 4 pixels
  const auto bytes = a.words.as<std::uint8_t>();
  to.add("summed areas", "f32", 8 * size,
         [=] { return up::summed_area_table(a.numbers.as<float>(), a.out.as<float>(), grey, on...); });
  to.add("summed areas", "RGB8 to 3 u32", 3.75 * size,
         [=] { return up::summed_area_table(bytes, a.out.as<std::uint32_t>(), rgb, on...); });
  to.add("box filter", "RGB8", 1.5 * size, [=] { return up::box_filter(bytes, a.out.as<std::uint8_t>(), rgb, 8, on...); });
}

}  // namespace
}  // namespace upsweep::bench

#endif
