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
// in, out  arrays
// indices  array of n integers. Those of an output differ from each other; nothing checks that they are within the array, nor
//          that elements of an indexed array do not overlap those of others
//
// They can be the inputs, keys, flags, stencils and the first output of scans (scan.h, segments.h, compensated.h), the inputs
// of reductions of whole arrays and of searches (reduce.h, find.h), and the inputs, keys, flags, stencils and the first output
// of selections, partitions and reductions by key (select.h, partition.h, reduce_by_key.h: of the latter the totals). To other
// calls they are CL_INVALID_VALUE.
#pragma once

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
