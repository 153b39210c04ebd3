// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Linear recurrences along an axis for UPSWEEP_STATE, whose name in `State` is UPSWEEP_STATE_NAME, with factors of
// UPSWEEP_STATE and of UPSWEEP_REAL (upsweep/cuda/recurrence.cuh).
#include "cuda_type.h"

#include <upsweep/cuda/recurrence.cuh>

#include <type_traits>

namespace upsweep::python {
namespace {

using T = UPSWEEP_STATE;

template <class A>
cudaError_t recur(const Recurrence &of) {
  const cuda::axis axis{of.batches, of.length, of.inner, {of.in_batch, of.in_along}, {of.out_batch, of.out_along}};
  const auto *a = static_cast<const A *>(of.a);
  const auto *b = static_cast<const T *>(of.b);
  auto *out = static_cast<T *>(of.out);
  const auto stream = static_cast<cudaStream_t>(of.stream);
  const cuda::states<T> ends(static_cast<const T *>(of.initial), static_cast<T *>(of.last));
  const Lease lease(of.device, stream, cuda::linear_recurrence_workspace_bytes<T>(axis));
  return of.is_backward != 0 ? cuda::linear_recurrence_of_axis(lease.space(), a, b, out, axis, stream, ends, cuda::backward)
                             : cuda::linear_recurrence_of_axis(lease.space(), a, b, out, axis, stream, ends);
}

const bool kIsRegistered = [] {
  RecurrenceCall(&calls)[2] = table().linear_recurrence[static_cast<int>(State::UPSWEEP_STATE_NAME)];
  calls[0] = recur<T>;
  if (!std::is_same_v<T, UPSWEEP_REAL>) {
    calls[1] = recur<UPSWEEP_REAL>;
  }
  return true;
}();

}  // namespace
}  // namespace upsweep::python
