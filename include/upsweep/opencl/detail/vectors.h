// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The tiles of CPUs in vectors (kernels/lanes.cl): the types and operators that have them, and their macros.
#pragma once

#include <upsweep/opencl/detail/source.h>

namespace upsweep::opencl::detail {

// Results of CPUs of at least this size bypass the caches, as in the CPU library: other stores read a line before they write
// it.
constexpr std::uint64_t kStreamedBytes = std::uint64_t(32) << 20;

inline void define_lanes(Source &source, const operation &op, const element_type &total) {
  const bool is_order = op.name == "minimum" || op.name == "maximum";
  source.define("UPS_LANE_COUNT", total.bytes == 8 ? 8 : 16);
  source.define("UPS_LANE", total.is_signed_integer() && !is_order ? "u" + total.name : total.name);
  source.define("UPS_LANE_BITS", 8 * total.bytes);
}

inline void define_streamed(Source &source, std::uint64_t bytes) {
  if (bytes >= kStreamedBytes) source.define("UPS_STREAMED", 1);
}

// Whether the array can be loaded and stored as vectors: contiguous numbers.
inline bool has_vectors(const array &a) { return a.type.is_number() && !a.indices; }

}  // namespace upsweep::opencl::detail
