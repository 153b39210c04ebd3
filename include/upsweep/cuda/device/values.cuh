// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The values of problems, and functions that choose and combine them.
#pragma once

#include <upsweep/common/options.h>
#include <upsweep/cuda/version.cuh>

namespace upsweep::cuda::detail {

using common::Unchanged;

// A value that may be known on the host, or only in device memory when the kernel runs.
template <class T>
struct Later {
  T value{};
  const T *pointer = nullptr;

  __device__ __forceinline__ T get() const { return pointer != nullptr ? *pointer : value; }
};

// Copies either of two objects. A conditional expression would choose an address, and so put both into local memory.
template <class T>
__device__ __forceinline__ T chosen(bool is_first, const T &first, const T &second) {
  T copy = second;
  if (is_first) {
    copy = first;
  }
  return copy;
}

// Combines `more` with the total before it, if there is one.
template <class Before, class More, class Op>
__device__ __forceinline__ Before combined(bool has_before, const Before &before, const More &more, Op op) {
  Before sum = more;
  if (has_before) {
    sum = op(before, more);
  }
  return sum;
}

}  // namespace upsweep::cuda::detail
