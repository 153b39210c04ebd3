// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The CPU library's functions for one type: UPSWEEP_TYPE, whose name in `Type` is UPSWEEP_TYPE_NAME.
#include "cpu_type.h"
#include "scan_by.h"

#include <upsweep/cpu/axis.h>
#include <upsweep/cpu/histogram.h>
#include <upsweep/cpu/merge.h>
#include <upsweep/cpu/segmented_reduce.h>
#include <upsweep/cpu/segmented_sort.h>
#include <upsweep/cpu/select.h>
#include <upsweep/cpu/summed_area.h>
#include <upsweep/cpu/top_k.h>

#include <algorithm>
#include <limits>
#include <type_traits>

namespace upsweep::python {
namespace {

// Calls of the CPU library with at most this many bytes stay on the calling thread (executor.h).
constexpr std::uint64_t kAloneBytes = std::uint64_t(128) << 10;

using T = UPSWEEP_TYPE;
// The type of NumPy's sums.
template <class A>
using WideOf =
    std::conditional_t<!std::is_integral_v<A>, A, std::conditional_t<std::is_signed_v<A>, std::int64_t, std::uint64_t>>;

template <class A, class Op>
A initial_of(const Scan &of) {
  return of.initial != nullptr ? *static_cast<const A *>(of.initial) : cpu::identity<Op, A>::value();
}

// The minimum of NaNs alone is NaN, as in NumPy's fmin. The caller has refused minima of no elements.
template <class A, class Op>
A initial_of_reduction(const Scan &of) {
  if constexpr (common::is_order_operator<Op> && common::is_float<A>) {
    if (of.initial == nullptr) {
      return static_cast<A>(std::numeric_limits<float>::quiet_NaN());
    }
  }
  return initial_of<A, Op>(of);
}

template <class Out, class Op>
void scan_segments(const Scan &of, const T *in, Out *out, thread_pool &pool) {
  const std::uint64_t n = of.length;
  if (of.is_backward != 0) {
    throw std::invalid_argument("backward scans of segments are not supported");
  }
  if (of.is_exclusive != 0) {
    cpu::exclusive_scan_by_flag(of.flags, in, out, n, Op{}, initial_of<Out, Op>(of), pool);
  } else {
    cpu::inclusive_scan_by_flag(of.flags, in, out, n, Op{}, pool);
  }
}

template <class Out, class Op>
void scan(const Scan &of, thread_pool &pool) {
  const auto *in = static_cast<const T *>(of.in);
  auto *out = static_cast<Out *>(of.out);
  if (of.flags != nullptr) {
    scan_segments<Out, Op>(of, in, out, pool);
    return;
  }
  const cpu::axis axis{of.batches, of.length, of.inner, {of.in_batch, of.in_along}, {of.out_batch, of.out_along}};
  if (of.is_exclusive != 0) {
    const Out initial = initial_of<Out, Op>(of);
    if (of.is_backward != 0) {
      cpu::exclusive_scan_of_axis(in, out, axis, Op{}, initial, pool, cpu::backward);
    } else {
      cpu::exclusive_scan_of_axis(in, out, axis, Op{}, initial, pool);
    }
  } else if (of.is_backward != 0) {
    cpu::inclusive_scan_of_axis(in, out, axis, Op{}, pool, cpu::backward);
  } else {
    cpu::inclusive_scan_of_axis(in, out, axis, Op{}, pool);
  }
}

template <class Out, class Op>
void reduce(const Scan &of, thread_pool &pool) {
  const cpu::axis axis{of.batches, of.length, of.inner, {of.in_batch, of.in_along}, {}};
  const auto *in = static_cast<const T *>(of.in);
  // reduce_of_axis divides the elements differently, so its sums would be rounded differently.
  if (of.inner == 1 && of.batches == 1 && of.in_along <= 1) {
    cpu::reduce(in, static_cast<Out *>(of.out), of.length, Op{}, initial_of_reduction<Out, Op>(of), pool);
  } else {
    cpu::reduce_of_axis(in, static_cast<Out *>(of.out), axis, Op{}, initial_of_reduction<Out, Op>(of), pool);
  }
}

void select(const Array &of, thread_pool &pool) {
  cpu::select_by_flag(static_cast<const T *>(of.in), static_cast<const std::uint8_t *>(of.other), static_cast<T *>(of.out),
                      static_cast<std::uint64_t *>(of.results), of.n, pool);
}

void unique(const Array &of, thread_pool &pool) {
  cpu::unique(static_cast<const T *>(of.in), static_cast<T *>(of.out), static_cast<std::uint64_t *>(of.results), of.n, pool);
}

// call(), or call(cpu::descending).
template <class Call>
void call_in_order(std::int32_t is_descending, const Call &call) {
  is_descending != 0 ? call(cpu::descending) : call();
}

void sort(const Array &of, thread_pool &pool) {
  const auto *in = static_cast<const T *>(of.in);
  auto *out = static_cast<T *>(of.out);
  const auto *offsets = static_cast<const std::uint64_t *>(of.other);
  auto *values = static_cast<std::uint64_t *>(of.results);
  call_in_order(of.is_descending, [&](auto... order) {
    if (offsets != nullptr && values != nullptr) {
      cpu::sort_pairs_of_segments(in, out, values, values, of.n, offsets, of.size, pool, order...);
    } else if (offsets != nullptr) {
      cpu::sort_keys_of_segments(in, out, of.n, offsets, of.size, pool, order...);
    } else if (of.n == of.size && values != nullptr) {
      cpu::arg_sort(in, out, values, of.n, pool, order...);
    } else if (of.n == of.size) {
      cpu::sort_keys(in, out, of.n, pool, order...);
    } else if (values != nullptr) {
      cpu::arg_sort_of_rows(in, out, values, of.n / of.size, of.size, pool, order...);
    } else {
      cpu::sort_keys_of_rows(in, out, of.n / of.size, of.size, pool, order...);
    }
  });
}

void ranks(const Ranks &of, thread_pool &pool) {
  call_in_order(of.is_descending, [&](auto... order) {
    const auto row = [&](std::uint64_t r) {
      const auto *in = static_cast<const T *>(of.in) + r * of.length;
      auto *out = static_cast<T *>(of.out) + r * of.count;
      auto *indices = of.indices + r * of.count;
      if (of.first == 0) {
        cpu::arg_top_k(in, out, indices, of.length, of.count, pool, order...);
      } else {
        cpu::arg_nth_element(in, out, indices, of.length, of.first, pool, order...);
      }
    };
    // Many rows are distributed, and each is sorted by one thread, since the pool is already busy. Few rows are sorted one
    // after another, each by all threads.
    if (of.rows < pool.concurrency() || of.rows * of.length * sizeof(T) <= kAloneBytes) {
      for (std::uint64_t r = 0; r < of.rows; ++r) {
        row(r);
      }
    } else {
      cpu::for_each_piece(pool, of.rows, row);
    }
  });
}

// NumPy's order: NaNs are last, and the zeros are equal.
template <bool kIsDescending>
struct Before {
  bool operator()(T x, T y) const {
    if constexpr (kIsDescending) {
      return Before<false>()(y, x);
    } else {
      return x < y || (common::is_nan(y) && !common::is_nan(x));
    }
  }
};

template <class Less>
void merge_by(const Merge &of, const Less &less, thread_pool &pool) {
  const auto *a = static_cast<const T *>(of.a), *b = static_cast<const T *>(of.b);
  auto *out = static_cast<T *>(of.out);
  if (of.values_out != nullptr) {
    cpu::merge_pairs(a, of.a_values, b, of.b_values, out, of.values_out, of.a_count, of.b_count, less, pool);
  } else {
    cpu::merge(a, b, out, of.a_count, of.b_count, less, pool);
  }
}

void merge(const Merge &of, thread_pool &pool) {
  of.is_descending != 0 ? merge_by(of, Before<true>(), pool) : merge_by(of, Before<false>(), pool);
}

// The last bin whose lower edge is not above the number. It is estimated for even bins, and searched if the estimate is wrong
// by more than a rounding. Bins between equal edges are empty.
template <class Edge>
struct BinOfEdges {
  const Edge *edges;
  std::uint64_t bins;
  double scale;

  std::uint64_t operator()(T element) const {
    const auto x = static_cast<Edge>(element);
    if (!(x >= edges[0] && x <= edges[bins])) {
      return bins;  // outside all bins, or NaN
    }
    // With infinite, equal or denormal edges the estimate may be NaN, which counts as the last bin.
    const double guess = (static_cast<double>(x) - static_cast<double>(edges[0])) * scale;
    const std::uint64_t bin = guess < static_cast<double>(bins - 1) ? static_cast<std::uint64_t>(guess) : bins - 1;
    if (is_in(x, bin)) {
      return bin;
    }
    const std::uint64_t next = x < edges[bin] ? bin - 1 : bin + 1;
    return is_in(x, next) ? next : static_cast<std::uint64_t>(std::upper_bound(edges, edges + bins, x) - edges) - 1;
  }

private:
  bool is_in(Edge x, std::uint64_t bin) const { return x >= edges[bin] && (bin + 1 == bins || x < edges[bin + 1]); }
};

template <class Edge>
void histogram_between(const Histogram &of, thread_pool &pool) {
  const auto *edges = static_cast<const Edge *>(of.edges);
  const double width = static_cast<double>(edges[of.bins]) - static_cast<double>(edges[0]);
  const BinOfEdges<Edge> bin{edges, of.bins, static_cast<double>(of.bins) / width};
  const auto *in = static_cast<const T *>(of.in);
  if (of.weights != nullptr) {
    cpu::histogram(in, static_cast<double *>(of.counts), of.bins, of.n, bin, cpu::weights(of.weights), pool);
  } else {
    cpu::histogram(in, static_cast<std::uint64_t *>(of.counts), of.bins, of.n, bin, pool);
  }
}

void histogram(const Histogram &of, thread_pool &pool) {
  if constexpr (std::is_integral_v<T> && sizeof(T) == 8) {
    if (of.are_exact != 0) {
      histogram_between<T>(of, pool);
      return;
    }
  }
  histogram_between<double>(of, pool);
}

template <class Out>
void summed_area_to(const Image &of, thread_pool &pool) {
  const cpu::image_shape shape{of.height, of.width, of.channels, of.in_pitch, 0};
  for (std::uint64_t image = 0; image < of.images; ++image) {
    cpu::summed_area_table(static_cast<const T *>(of.in) + image * of.height * of.in_pitch,
                           static_cast<Out *>(of.out) + image * of.height * of.width * of.channels, shape, pool);
  }
}
void summed_area(const Image &of, thread_pool &pool) {
  if (of.is_wide != 0) {
    summed_area_to<WideOf<T>>(of, pool);
  } else {
    summed_area_to<T>(of, pool);
  }
}

void box_filter(const Image &of, thread_pool &pool) {
  const cpu::image_shape shape{of.height, of.width, of.channels, of.in_pitch, 0, of.images};
  const auto *in = static_cast<const T *>(of.in);
  auto *out = static_cast<T *>(of.out);
  const cpu::repeated times(static_cast<unsigned>(of.times));
  if (of.radii != nullptr) {
    cpu::box_filter(in, out, shape, of.radii, times, pool);
  } else {
    cpu::box_filter(in, out, shape, of.radius, times, pool);
  }
}

// A template, so that operators that the type lacks are not instantiated.
template <class Element>
constexpr Calls make_calls() {
  Calls calls{};
  const auto set = [&]<class Op>(Operator op, Op) {
    calls.scan[static_cast<int>(op)] = scan<Element, Op>;
    calls.reduce[static_cast<int>(op)] = reduce<Element, Op>;
  };
  set(Operator::minimum, cpu::minimum{});
  set(Operator::maximum, cpu::maximum{});
  if constexpr (!std::is_integral_v<Element> || std::is_unsigned_v<Element>) {
    set(Operator::plus, cpu::plus{});
    set(Operator::multiplies, cpu::multiplies{});
  }
  if constexpr (std::is_unsigned_v<Element>) {
    set(Operator::bit_and, cpu::bit_and{});
    set(Operator::bit_or, cpu::bit_or{});
    set(Operator::bit_xor, cpu::bit_xor{});
  }
  if constexpr (!std::is_same_v<Element, WideOf<Element>>) {
    calls.scan_wide = scan<WideOf<Element>, cpu::plus>;
    calls.reduce_wide = reduce<WideOf<Element>, cpu::plus>;
  }
  calls.scan_by = scan_by<Element>;
  calls.reduce_by = reduce_by<Element>;
  calls.select = select;
  calls.unique = unique;
  calls.sort = sort;
  calls.ranks = ranks;
  calls.merge = merge;
  calls.histogram = histogram;
  calls.summed_area = summed_area;
  calls.box_filter = box_filter;
  return calls;
}

}  // namespace

template <>
const Calls &calls_of<Type::UPSWEEP_TYPE_NAME>() {
  static constexpr Calls kCalls = make_calls<T>();
  return kCalls;
}

}  // namespace upsweep::python
