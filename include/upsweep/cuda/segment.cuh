// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Segments as head flags (common/segment.h).
#pragma once

#include <upsweep/common/cpp17.h>
#ifdef UPSWEEP_CPP17
#include <upsweep/common/segment.h>
#include <upsweep/cuda/detail/standard.cuh>
#include <upsweep/cuda/version.cuh>

namespace upsweep::cuda {

using common::flagged, common::segmented;

namespace detail {
template <class T>
inline constexpr bool is_flagged = false;
template <class T>
inline constexpr bool is_flagged<flagged<T>> = true;
}  // namespace detail

}  // namespace upsweep::cuda
#endif
