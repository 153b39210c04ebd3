// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The prefix callback for a block that scans tile after tile: each tile continues the previous tile.
#pragma once

#include <upsweep/common/cpp17.h>
#ifdef UPSWEEP_CPP17
#include <upsweep/cuda/detail/standard.cuh>
#include <upsweep/cuda/version.cuh>

namespace upsweep::cuda {

// Every thread of the block keeps a copy, started with the total before the first tile, and passes it by reference. For a
// segmented scan T is flagged<...> and Op segmented<...>.
//
//     upsweep::cuda::running_total<int, upsweep::cuda::plus> total{0, {}};
//     for (each tile) scan.exclusive_after(in, out, upsweep::cuda::plus{}, total);
template <class T, class Op>
struct running_total {
  T total;
  Op op;

  // Takes the tile's total, and returns the total of all tiles before it.
  __device__ T operator()(const T &tile) {
    const T before = total;
    total = op(before, tile);
    return before;
  }
};

}  // namespace upsweep::cuda
#endif
