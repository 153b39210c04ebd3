// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Options of a call; they and its executor are passed behind its other arguments, in any order. common/options.h says what each
// one does.
//
//     upsweep::cpu::exclusive_sum(in, out, n, pool, upsweep::cpu::backward, upsweep::cpu::total_to(out + n));
#pragma once

#include <upsweep/common/cpp20.h>
#ifdef UPSWEEP_CPP20
#include <upsweep/common/key_order.h>
#include <upsweep/common/options.h>

namespace upsweep::cpu {

using common::accumulator, common::accumulator_t, common::backward, common::backward_t, common::by_members, common::channels,
    common::channels_t, common::count_at, common::descending, common::descending_t, common::double_buffer, common::initial_at,
    common::key_bits, common::region, common::repeated, common::reproducible, common::reproducible_t, common::states,
    common::total_to, common::transform_input, common::transform_output, common::weights;

namespace detail {

using common::find_option, common::has_option, common::option_of, common::states_of, common::Unchanged;

template <class T>
inline constexpr bool is_option =
    common::is_scan_option<T> || std::is_same_v<T, descending_t> || std::is_same_v<T, key_bits> || std::is_same_v<T, repeated>;
template <auto... kMembers>
inline constexpr bool is_option<by_members<kMembers...>> = true;
template <class T>
inline constexpr bool is_option<states<T>> = true;
template <int kChannels, int kCounted>
inline constexpr bool is_option<channels_t<kChannels, kCounted>> = true;
template <class Weights>
inline constexpr bool is_option<weights<Weights>> = true;

}  // namespace detail

}  // namespace upsweep::cpu
#endif
