// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The layout of an array's rows along an axis, and its checks.
#pragma once

#include <upsweep/common/shape.h>
#include <upsweep/cuda/device/arguments.cuh>

#include <cstdint>

namespace upsweep::cuda {

using common::axis;
using common::axis_strides;

namespace detail {

inline bool is_too_large(const axis &of) {
  return of.batches > kMostElements || of.length > kMostElements || of.inner > kMostElements ||
         common::product(common::product(of.batches, of.length), of.inner) > kMostElements;
}

// Replaces strides of 0 by the strides of an array without gaps. An unused stride gets a value that spaces rows evenly.
inline axis_strides whole_strides(const axis &of, axis_strides strides) {
  strides = common::complete_strides(of, strides);
  if (of.length == 1) {
    strides.along = of.batches > 1 ? strides.batch : of.inner;
  }
  if (of.batches == 1) {
    strides.batch = of.length * strides.along;
  }
  return strides;
}

// The number of elements from the first place to the last; larger than any memory if places overlap or are out of reach.
inline std::uint64_t extent_of(const axis &of, const axis_strides &strides) {
  const common::extent extent = common::extent_of_axis(of, strides, kFarthestElement);
  return extent.is == common::fault::none ? extent.elements : ~std::uint64_t(0);
}

inline bool is_same(const axis_strides &a, const axis_strides &b) { return a.batch == b.batch && a.along == b.along; }

template <class In, class Out>
bool may_be_together(In in, Out out, const axis &of, const axis_strides &in_strides, const axis_strides &out_strides) {
  if constexpr (is_contiguous<In> && is_contiguous<Out>) {
    const auto in_begin = reinterpret_cast<std::uintptr_t>(in);
    const auto out_begin = reinterpret_cast<std::uintptr_t>(out);
    const std::uintptr_t in_end = in_begin + extent_of(of, in_strides) * sizeof(*in);
    const std::uintptr_t out_end = out_begin + extent_of(of, out_strides) * sizeof(*out);
    return in_end <= out_begin || out_end <= in_begin ||
           (in_begin == out_begin && sizeof(*in) == sizeof(*out) && is_same(in_strides, out_strides));
  } else {
    return true;
  }
}

}  // namespace detail

}  // namespace upsweep::cuda
