// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The operators and options of calls over ranks. The library for CPU threads has the same ones
// (cpu/options.h). They mean the whole array here. One option is new: part_of (part_of.h).
//
// Options are the same on all ranks. The executor may be another on each.
#pragma once

#include <upsweep/common/cpp20.h>
#ifdef UPSWEEP_CPP20
#include <upsweep/cpu/operators.h>
#include <upsweep/cpu/options.h>
#include <upsweep/cpu/thread_pool.h>
#include <upsweep/distributed/part_of.h>

namespace upsweep::distributed {

using cpu::accumulator, cpu::accumulator_t, cpu::backward, cpu::backward_t, cpu::by_members, cpu::channels, cpu::channels_t,
    cpu::count_at, cpu::descending, cpu::descending_t, cpu::initial_at, cpu::key_bits, cpu::reproducible, cpu::reproducible_t,
    cpu::total_to, cpu::transform_input, cpu::transform_output, cpu::weights;
using cpu::bit_and, cpu::bit_or, cpu::bit_xor, cpu::equal_to, cpu::identity, cpu::maximum, cpu::minimum, cpu::multiplies,
    cpu::plus;
using cpu::calling_thread, cpu::default_pool, cpu::thread_pool;

}  // namespace upsweep::distributed

template <>
inline constexpr bool upsweep::cpu::detail::is_option<upsweep::distributed::part_of> = true;
#endif
