// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sort keys as unsigned integers of the same order.
#pragma once

#include <upsweep/common/key_order.h>
#include <upsweep/cuda/operators.cuh>

namespace upsweep::cuda::detail {

template <class Key, bool kDescending>
struct KeyOrder : common::number_order<Key, kDescending> {
  static_assert(common::number_order<Key, kDescending>::kIsKnown,
                "sort keys are integers of 8 to 128 bits, half, __nv_bfloat16, float or double");
  static constexpr int kOtherBits = 0;  // of an encoded key, from the lowest on, that do not count
};

}  // namespace upsweep::cuda::detail
