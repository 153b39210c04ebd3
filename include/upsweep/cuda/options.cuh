// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Options of a device-wide call follow its arrays and its operator, in any order. common/options.h describes each option.
// Pointers are device pointers, and their values are read when the call runs.
//
//     upsweep::cuda::exclusive_sum(space, in, out, n, stream, upsweep::cuda::backward, upsweep::cuda::total_to(out + n));
#pragma once

#include <upsweep/common/cpp17.h>
#ifdef UPSWEEP_CPP17
#include <upsweep/common/key_order.h>
#include <upsweep/common/options.h>
#include <upsweep/cuda/version.cuh>

namespace upsweep::cuda {

using common::accumulator, common::accumulator_t, common::backward, common::backward_t, common::by_members, common::channels,
    common::channels_t, common::count_at, common::descending, common::descending_t, common::double_buffer, common::initial_at,
    common::key_bits, common::region, common::repeated, common::reproducible, common::reproducible_t, common::states,
    common::total_to, common::transform_input, common::transform_output, common::weights;

namespace detail {

using common::find_option, common::has_option, common::option_of, common::states_of;

}  // namespace detail

}  // namespace upsweep::cuda
#endif
