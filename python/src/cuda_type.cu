// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The CUDA library's functions of one group, UPSWEEP_GROUP_..., for one type: UPSWEEP_TYPE, whose name in `Type` is
// UPSWEEP_TYPE_NAME.
#include "cuda_type.h"

#include <upsweep/cuda/axis.cuh>
#include <upsweep/cuda/histogram.cuh>
#include <upsweep/cuda/merge.cuh>
#include <upsweep/cuda/segmented_reduce.cuh>
#include <upsweep/cuda/segmented_sort.cuh>
#include <upsweep/cuda/select.cuh>
#include <upsweep/cuda/sort.cuh>
#include <upsweep/cuda/summed_area.cuh>
#include <upsweep/cuda/top_k_of_rows.cuh>

#include <limits>
#include <type_traits>

namespace upsweep::python {
namespace {

using T = UPSWEEP_TYPE;
constexpr int kType = static_cast<int>(Type::UPSWEEP_TYPE_NAME);
// The type of NumPy's sums.
template <class A>
using WideOf =
    std::conditional_t<!std::is_integral_v<A>, A, std::conditional_t<std::is_signed_v<A>, std::int64_t, std::uint64_t>>;
template <class A>
constexpr bool kIsSigned = std::is_integral_v<A> && std::is_signed_v<A>;

// Each kind of scan along an axis is 1.3 MB of code for one GPU architecture, so only sums run backward; other backward scans
// use reversed copies.
template <class Op>
constexpr bool kHasBackward = std::is_same_v<Op, cuda::plus>;

[[maybe_unused]] cuda::axis axis_of(const Scan &of) {
  return {of.batches, of.length, of.inner, {of.in_batch, of.in_along}, {of.out_batch, of.out_along}};
}

template <class A, class Op>
A initial_of(const Scan &of) {
  return of.initial != nullptr ? *static_cast<const A *>(of.initial) : cuda::identity<Op, A>::value();
}

// The minimum of NaNs alone is NaN, as in NumPy's fmin. The caller has refused minima of no elements.
template <class A, class Op>
A initial_of_reduction(const Scan &of) {
  if constexpr (std::is_same_v<Op, cuda::minimum> || std::is_same_v<Op, cuda::maximum>) {
    using Half = common::half_format<A>;
    if constexpr (Half::kExists) {
      if (of.initial == nullptr) {
        return Half::of_bits(Half::kNaN);
      }
    } else if constexpr (std::is_floating_point_v<A>) {
      if (of.initial == nullptr) {
        return std::numeric_limits<A>::quiet_NaN();
      }
    }
  }
  return initial_of<A, Op>(of);
}

template <class Out, class Op>
cudaError_t scan(const Scan &of) {
  const auto *in = static_cast<const T *>(of.in);
  auto *out = static_cast<Out *>(of.out);
  const auto stream = static_cast<cudaStream_t>(of.stream);
  const cuda::axis axis = axis_of(of);
  const Lease lease(of.device, stream, cuda::axis_scan_workspace_bytes<Out, T, Out>(axis));
  if (of.is_backward != 0) {
    if constexpr (kHasBackward<Op>) {
      if (of.is_exclusive == 0) {
        return cuda::inclusive_scan_of_axis(lease.space(), in, out, axis, Op{}, stream, cuda::backward);
      }
    }
    return cudaErrorNotSupported;
  }
  return of.is_exclusive != 0
             ? cuda::exclusive_scan_of_axis(lease.space(), in, out, axis, Op{}, initial_of<Out, Op>(of), stream)
             : cuda::inclusive_scan_of_axis(lease.space(), in, out, axis, Op{}, stream);
}

template <class Out, class Op>
cudaError_t scan_segments(const Scan &of) {
  const auto *in = static_cast<const T *>(of.in);
  auto *out = static_cast<Out *>(of.out);
  const auto stream = static_cast<cudaStream_t>(of.stream);
  const Lease lease(of.device, stream, cuda::scan_workspace_bytes<Out>(of.length));
  if (of.is_backward != 0) {
    return cudaErrorNotSupported;
  }
  return of.is_exclusive != 0
             ? cuda::exclusive_scan_by_flag(lease.space(), of.flags, in, out, of.length, Op{}, initial_of<Out, Op>(of), stream)
             : cuda::inclusive_scan_by_flag(lease.space(), of.flags, in, out, of.length, Op{}, stream);
}

template <class Out, class Op>
cudaError_t reduce(const Scan &of) {
  const auto stream = static_cast<cudaStream_t>(of.stream);
  const auto *in = static_cast<const T *>(of.in);
  auto *out = static_cast<Out *>(of.out);
  if (of.batches == 1 && of.inner == 1 && of.in_along <= 1) {
    const Lease lease(of.device, stream, cuda::reduce_workspace_bytes<Out>());
    return cuda::reduce(lease.space(), in, out, of.length, Op{}, initial_of_reduction<Out, Op>(of), stream);
  }
  const cuda::axis axis{of.batches, of.length, of.inner, {of.in_batch, of.in_along}, {}};
  const Lease lease(of.device, stream, cuda::axis_reduce_workspace_bytes<Out>(axis));
  return cuda::reduce_of_axis(lease.space(), in, out, axis, Op{}, initial_of_reduction<Out, Op>(of), stream);
}

template <class Element>
cudaError_t select(const Array &of) {
  const auto stream = static_cast<cudaStream_t>(of.stream);
  const Lease lease(of.device, stream, cuda::select_workspace_bytes<Element>(of.n));
  return cuda::select_by_flag(lease.space(), static_cast<const Element *>(of.in), static_cast<const std::uint8_t *>(of.other),
                              static_cast<Element *>(of.out), static_cast<std::uint64_t *>(of.results), of.n, stream);
}

template <class Element>
cudaError_t unique(const Array &of) {
  const auto stream = static_cast<cudaStream_t>(of.stream);
  const Lease lease(of.device, stream, cuda::select_workspace_bytes<Element>(of.n));
  return cuda::unique(lease.space(), static_cast<const Element *>(of.in), static_cast<Element *>(of.out),
                      static_cast<std::uint64_t *>(of.results), of.n, stream);
}

// Sorts overwrite their workspace, so it comes from the stream's pool.
template <class Element, class... Order>
cudaError_t sort_by(const Array &of, Order... order) {
  const auto stream = static_cast<cudaStream_t>(of.stream);
  const auto *in = static_cast<const Element *>(of.in);
  auto *out = static_cast<Element *>(of.out);
  auto *indices = static_cast<std::uint64_t *>(of.results);
  const auto *offsets = static_cast<const std::uint64_t *>(of.other);
  if (offsets != nullptr && indices == nullptr) {
    return cuda::sort_keys_of_segments(cuda::stream_pool, in, out, of.n, offsets, of.size, stream, order...);
  }
  if (offsets != nullptr) {
    return cuda::sort_pairs_of_segments(cuda::stream_pool, in, out, static_cast<const std::uint64_t *>(indices), indices, of.n,
                                        offsets, of.size, stream, order...);
  }
  if (indices == nullptr) {
    return of.n == of.size ? cuda::sort_keys(cuda::stream_pool, in, out, of.n, stream, order...)
                           : cuda::sort_keys_of_rows(cuda::stream_pool, in, out, of.n / of.size, of.size, stream, order...);
  }
  return of.n == of.size
             ? cuda::arg_sort(cuda::stream_pool, in, out, indices, of.n, stream, order...)
             : cuda::arg_sort_of_rows(cuda::stream_pool, in, out, indices, of.n / of.size, of.size, stream, order...);
}
template <class Element>
cudaError_t sort_any(const Array &of) {
  return of.is_descending != 0 ? sort_by<Element>(of, cuda::descending) : sort_by<Element>(of);
}

template <class Element, class... Order>
cudaError_t ranks_by(const Ranks &of, Order... order) {
  const auto stream = static_cast<cudaStream_t>(of.stream);
  const auto *in = static_cast<const Element *>(of.in);
  auto *out = static_cast<Element *>(of.out);
  return of.first == 0
             ? cuda::arg_top_k_of_rows(cuda::stream_pool, in, out, of.indices, of.rows, of.length, of.count, stream, order...)
             : cuda::arg_nth_element_of_rows(cuda::stream_pool, in, out, of.indices, of.rows, of.length, of.first, stream,
                                             order...);
}
template <class Element>
cudaError_t ranks(const Ranks &of) {
  return of.is_descending != 0 ? ranks_by<Element>(of, cuda::descending) : ranks_by<Element>(of);
}

// NumPy's order: NaNs are last, and the zeros are equal.
template <class Element>
struct Before {
  bool is_descending;

  __device__ bool operator()(const Element &x, const Element &y) const { return is_descending ? is_less(y, x) : is_less(x, y); }
  __device__ static bool is_less(const Element &x, const Element &y) { return x < y || (y != y && x == x); }
};

template <class Element>
cudaError_t merge(const Merge &of) {
  const auto stream = static_cast<cudaStream_t>(of.stream);
  const auto *a = static_cast<const Element *>(of.a), *b = static_cast<const Element *>(of.b);
  auto *out = static_cast<Element *>(of.out);
  const Before<Element> less{of.is_descending != 0};
  return of.values_out == nullptr
             ? cuda::merge(a, b, out, of.a_count, of.b_count, stream, less)
             : cuda::merge_pairs(a, of.a_values, b, of.b_values, out, of.values_out, of.a_count, of.b_count, stream, less);
}

// The bin of a number between increasing edges: estimated as if the edges were even, then corrected by comparing with the
// edges.
template <class Element>
struct BinOfEdges {
  const double *edges;
  std::int64_t bins;

  __device__ std::int64_t operator()(Element element) const {
    const auto x = static_cast<double>(element);
    const double low = edges[0], high = edges[bins];
    if (!(x >= low && x <= high)) {
      return -1;  // outside all bins, or NaN
    }
    // With infinite or equal edges the estimate may be NaN, which counts as the last bin.
    const double guess = (x - low) * (static_cast<double>(bins) / (high - low));
    std::int64_t bin = guess < static_cast<double>(bins - 1) ? static_cast<std::int64_t>(guess) : bins - 1;
    while (bin > 0 && x < edges[bin]) {
      --bin;
    }
    while (bin + 1 < bins && x >= edges[bin + 1]) {
      ++bin;
    }
    return bin;
  }
};

template <class Element>
cudaError_t histogram(const Histogram &of) {
  if (of.weights != nullptr || of.are_exact != 0) {
    return cudaErrorNotSupported;
  }
  const BinOfEdges<Element> bin{static_cast<const double *>(of.edges), static_cast<std::int64_t>(of.bins)};
  return cuda::histogram_by(static_cast<const Element *>(of.in), static_cast<std::uint64_t *>(of.counts), of.n, of.bins, bin,
                            static_cast<cudaStream_t>(of.stream));
}

[[maybe_unused]] cuda::image_shape shape_of(const Image &of) {
  cuda::image_shape shape;
  shape.height = of.height;
  shape.width = of.width;
  shape.channels = of.channels;
  shape.in_pitch = of.in_pitch;
  shape.images = of.images;
  return shape;
}

template <class Element, class Out>
cudaError_t summed_area(const Image &of) {
  const auto stream = static_cast<cudaStream_t>(of.stream);
  const cuda::image_shape shape = shape_of(of);
  const Lease lease(of.device, stream, cuda::summed_area_workspace_bytes<Out>(shape));
  return cuda::summed_area_table(lease.space(), static_cast<const Element *>(of.in), static_cast<Out *>(of.out), shape, stream);
}

template <class Element>
cudaError_t box_filter(const Image &of) {
  const auto stream = static_cast<cudaStream_t>(of.stream);
  const auto *in = static_cast<const Element *>(of.in);
  auto *out = static_cast<Element *>(of.out);
  const cuda::repeated times(static_cast<unsigned>(of.times));
  return of.radii != nullptr ? cuda::box_filter(cuda::stream_pool, in, out, shape_of(of), of.radii, stream, times)
                             : cuda::box_filter(cuda::stream_pool, in, out, shape_of(of), of.radius, stream, times);
}

// A template, so that operators that the type lacks are not instantiated.
template <class Element>
bool set_calls() {
  const auto set_scan = [](Operator op, ScanCall call) { table().scan[kType][static_cast<int>(op)] = call; };
  const auto set_reduce = [](Operator op, ScanCall call) { table().reduce[kType][static_cast<int>(op)] = call; };
#if defined(UPSWEEP_GROUP_PLUS)
  if constexpr (!kIsSigned<Element>) {
    set_scan(Operator::plus, scan<Element, cuda::plus>);
  }
#elif defined(UPSWEEP_GROUP_SEGMENTS)
  if constexpr (!kIsSigned<Element>) {
    table().scan_segments[kType][static_cast<int>(Operator::plus)] = scan_segments<Element, cuda::plus>;
  }
#elif defined(UPSWEEP_GROUP_WIDE)
  if constexpr (!std::is_same_v<Element, WideOf<Element>>) {
    table().scan_wide[kType] = scan<WideOf<Element>, cuda::plus>;
  }
#elif defined(UPSWEEP_GROUP_MULTIPLIES)
  if constexpr (!kIsSigned<Element>) {
    set_scan(Operator::multiplies, scan<Element, cuda::multiplies>);
  }
#elif defined(UPSWEEP_GROUP_MINIMUM)
  set_scan(Operator::minimum, scan<Element, cuda::minimum>);
#elif defined(UPSWEEP_GROUP_MAXIMUM)
  set_scan(Operator::maximum, scan<Element, cuda::maximum>);
#elif defined(UPSWEEP_GROUP_REDUCE)
  set_reduce(Operator::minimum, reduce<Element, cuda::minimum>);
  set_reduce(Operator::maximum, reduce<Element, cuda::maximum>);
  if constexpr (!kIsSigned<Element>) {
    set_reduce(Operator::plus, reduce<Element, cuda::plus>);
    set_reduce(Operator::multiplies, reduce<Element, cuda::multiplies>);
  }
  if constexpr (!std::is_same_v<Element, WideOf<Element>>) {
    table().reduce_wide[kType] = reduce<WideOf<Element>, cuda::plus>;
  }
#elif defined(UPSWEEP_GROUP_SORT)
  table().sort[kType] = sort_any<Element>;
#elif defined(UPSWEEP_GROUP_RANKS)
  table().ranks[kType] = ranks<Element>;
#elif defined(UPSWEEP_GROUP_MERGE)
  table().merge[kType] = merge<Element>;
#elif defined(UPSWEEP_GROUP_FILTER)
  table().box_filter[kType] = box_filter<Element>;
#elif defined(UPSWEEP_GROUP_COMPACT)
  table().select[kType] = select<Element>;
  table().unique[kType] = unique<Element>;
#elif defined(UPSWEEP_GROUP_HISTOGRAM)
  table().histogram[kType] = histogram<Element>;
#elif defined(UPSWEEP_GROUP_AREA)
  table().summed_area[kType] = summed_area<Element, Element>;
  table().summed_area_wide[kType] = summed_area<Element, WideOf<Element>>;
#else
#error "no group is named"
#endif
  (void)set_scan;
  (void)set_reduce;
  return true;
}

[[maybe_unused]] const bool is_set = set_calls<T>();

}  // namespace
}  // namespace upsweep::python
