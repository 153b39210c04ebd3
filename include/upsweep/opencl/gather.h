// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Inputs and outputs by index, fused with the call that reads or writes them: no array of gathered elements is made.
//
//   gathered(in, indices)    an input whose element i is in[indices[i]]
//   scattered(out, indices)  an output whose element i is out[indices[i]]
//
//     up::inclusive_sum(up::gathered(x, order), out, n, queue);         // sums in another order
//     up::exclusive_sum(x, up::scattered(out, order), n, queue);        // results to other places
//     up::select_if(up::gathered(x, order), out, kept, n, is_odd, queue);
//
// `in`, `out`  arrays.
// `indices`    array of n integers. Indices of an output must differ. Neither the range of indices nor the overlap of indexed
//              elements with other arrays is checked.
//
// Scans, selections and partitions accept them as inputs, keys, flags, stencils and the first output (scan.h, segments.h,
// compensated.h, select.h, partition.h). Reductions by key accept them as inputs, keys and totals (reduce_by_key.h),
// reductions of whole arrays and searches as inputs (reduce.h, find.h). All other calls return CL_INVALID_VALUE.
#pragma once

#include <upsweep/common/cpp20.h>
#ifdef UPSWEEP_CPP20
#include <upsweep/opencl/array.h>

namespace upsweep::opencl {

inline array gathered(array in, const array &indices) {
  in.indices = std::make_shared<const array>(indices);
  return in;
}

inline array scattered(array out, const array &indices) {
  out.indices = std::make_shared<const array>(indices);
  out.is_scattered = true;
  return out;
}

}  // namespace upsweep::opencl
#endif
