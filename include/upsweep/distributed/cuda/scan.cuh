// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scans of an array of which each GPU has a part, in the order of ranks. A part may have any length, also none.
//
//   inclusive_scan   result[i] = x[0] op ... op x[i], where x is the whole array
//   exclusive_scan   result[i] = initial op x[0] op ... op x[i - 1]
//   ..._sum          the same with plus, from 0
//   ..._by_key       starts again wherever keys[i] is not equal to keys[i - 1], also of another rank
//   ..._by_flag      starts again wherever flags[i] is not 0
//
// `ranks`      communicator of GPUs (communicator.cuh). All ranks make the call, with the same operator, options and initial
//              value.
// `in`, `out`  device pointers or iterators to this rank's part; they may be the same. See cuda/scan.cuh.
// `n`          the number of elements of this part, or count_at(pointer, at_most).
// `op`         associative; it need not commute. Totals have a default constructor.
// `options`    of cuda/scan.cuh, except for `reproducible`: backward (not by key or flag), transform_input, transform_output,
//              accumulator; total_to(device pointer): each rank gets the total of the whole array, or, without elements and
//              initial value, nothing.
//
// Nothing comes to the host: a reduction of the part, one message of 256 bytes to each rank, and a scan that reads the total of
// the parts before it from device memory. 3n bytes of memory for the 2n of one GPU; the last rank does not reduce. The message
// and the launches take about 15 microseconds, which short arrays feel.
//
// Errors: at the next wait (communicator.cuh); see cuda/scan.cuh. Determinism: floating-point results depend on the lengths of
// the parts, but not on time.
#pragma once

#include <upsweep/common/cpp20.h>
#ifdef UPSWEEP_CPP20
#include <upsweep/distributed/cuda/detail/segmented_scan.cuh>

namespace upsweep::distributed {

namespace detail {

template <class T, bool kInclusive, class C, class In, class Out, class Op, class... More>
void scan_on_devices(C &ranks, const char *name, In in, Out out, gpu::Count count, Op op, gpu::InitialValue<T> initial,
                     const More &...more) {
  constexpr bool kBackward = gpu::has_option<upsweep::cuda::backward_t, More...>;
  const auto total = gpu::find_option<upsweep::cuda::total_to>(0, more...);
  constexpr bool kHasTotal = !std::is_same_v<std::decay_t<decltype(total)>, int>;
  const auto transform = gpu::find_option<upsweep::cuda::transform_input>(
                             upsweep::cuda::transform_input<gpu::Unchanged>(gpu::Unchanged{}), more...)
                             .function;
  DeviceCall<C> call(ranks, name,
                     mix(types_hash<T, std::bool_constant<kInclusive>, std::bool_constant<kHasTotal>>(),
                         mix(types_hash<Op>(), kBackward ? 1 : 0)));
  const bool is_first = call.rank() == (kBackward ? call.size() - 1 : 0);
  const bool is_last = call.rank() == (kBackward ? 0 : call.size() - 1);
  const SeedPlaces places{ranks.room()};
  FinishTotals<T, Op, kBackward> finish{
      call.check(), op, {initial.value, initial.pointer}, !kInclusive, {count.most, count.pointer}, places, nullptr};
  if constexpr (kHasTotal) {
    finish.total = gpu::place_of<T>(total);
  }
  call.gather(
      count.most,
      [&] {
        if (count.is_null || initial.is_null || (kHasTotal && finish.total == nullptr)) {
          return cudaErrorInvalidValue;
        }
        return write_total<T>(ranks, call.header(count.most), in, count, in_order_on_device<T, kBackward>(op), transform,
                              !is_last || kHasTotal);
      },
      finish);
  const auto scan = [&](auto seeded, gpu::Count number) {
    constexpr bool kSeeded = decltype(seeded)::value;
    upsweep::cuda::workspace space;
    const std::size_t largest = std::max({sizeof(T), sizeof(gpu::ElementOf<In>), sizeof(gpu::ResultOf<Out, T>)});
    const cudaError_t error = ranks.workspace_of(gpu::words_workspace_bytes(count.most, sizeof(gpu::Run<T>), largest), space);
    return error != cudaSuccess ? error
                                : gpu::scan<T, kInclusive, kSeeded>(
                                      space, in, out, number, op,
                                      gpu::InitialValue<T>{initial.value, kSeeded ? places.template seed<T>() : nullptr, false},
                                      gpu::Whole{}, ranks.stream(), of_one_gpu(more)...);
  };
  call.local([&] {
    if constexpr (kInclusive) {
      if (is_first) {
        return scan(std::false_type{}, count);
      }
      if constexpr (has_exact_identity<Op, T>) {
        return scan(std::true_type{}, count);
      } else {
        // If all parts before this one are empty, there is no total before it.
        const cudaError_t error = scan(std::true_type{}, {count.most, places.counts(), false});
        return error != cudaSuccess ? error : scan(std::false_type{}, {count.most, places.counts() + 1, false});
      }
    } else {
      return scan(std::true_type{}, count);
    }
  });
}

// Checks the types, and scans.
template <bool kInclusive, class C, class In, class Out, class N, class Op, class Initial, class... More>
void call_scan_on_devices(C &ranks, const char *name, In in, Out out, N n, Op op, Initial initial, const More &...more) {
  if constexpr (gpu::are_arrays<In, Out, N>() && are_options_of_ranks<More...>()) {
    const auto from = gpu::unwrapped(in);
    const auto to = gpu::unwrapped(out);
    using From = std::decay_t<decltype(from)>;
    using To = std::decay_t<decltype(to)>;
    if constexpr (gpu::is_request_of_scan<From, To, Op, Initial, More...>()) {
      const auto first = gpu::initial_value<From, To, Op, More...>(initial);
      using T = std::decay_t<decltype(first.value)>;
      scan_on_devices<T, kInclusive>(ranks, name, from, to, gpu::count_of(n), gpu::known_operator<T>(op), first, more...);
    }
  }
}

}  // namespace detail

template <device_communicator C, class In, class Out, class N, class Op, class... More>
void inclusive_scan(C &ranks, In in, Out out, N n, Op op, More... more) {
  detail::call_scan_on_devices<true>(ranks, "inclusive_scan", in, out, n, op, detail::gpu::FromFirst{}, more...);
}

template <device_communicator C, class In, class Out, class N, class Op, class Initial, class... More>
void exclusive_scan(C &ranks, In in, Out out, N n, Op op, Initial initial, More... more) {
  detail::call_scan_on_devices<false>(ranks, "exclusive_scan", in, out, n, op, initial, more...);
}

template <device_communicator C, class In, class Out, class N, class... More>
void inclusive_sum(C &ranks, In in, Out out, N n, More... more) {
  detail::call_scan_on_devices<true>(ranks, "inclusive_scan", in, out, n, upsweep::cuda::plus{}, detail::gpu::FromFirst{},
                                     more...);
}

template <device_communicator C, class In, class Out, class N, class... More>
void exclusive_sum(C &ranks, In in, Out out, N n, More... more) {
  detail::call_scan_on_devices<false>(ranks, "exclusive_scan", in, out, n, upsweep::cuda::plus{}, detail::gpu::FromIdentity{},
                                      more...);
}

// Equal, among the options, compares neighbouring keys; == if it is not given.
template <device_communicator C, class Keys, class In, class Out, class Op, class... More>
void inclusive_scan_by_key(C &ranks, Keys keys, In in, Out out, std::uint64_t n, Op op, More... more) {
  detail::scan_by_key_on_devices<true>(ranks, "inclusive_scan_by_key", keys, in, out, n, op, detail::gpu::FromFirst{}, more...);
}

template <device_communicator C, class Keys, class In, class Out, class Op, class Initial, class... More>
void exclusive_scan_by_key(C &ranks, Keys keys, In in, Out out, std::uint64_t n, Op op, Initial initial, More... more) {
  detail::scan_by_key_on_devices<false>(ranks, "exclusive_scan_by_key", keys, in, out, n, op, initial, more...);
}

template <device_communicator C, class Flags, class In, class Out, class Op, class... More>
void inclusive_scan_by_flag(C &ranks, Flags flags, In in, Out out, std::uint64_t n, Op op, More... more) {
  detail::call_segmented_scan_on_devices<true>(ranks, "inclusive_scan_by_flag", in, out, n, op, detail::gpu::FromFirst{},
                                               detail::gpu::by_flag(flags), more...);
}

template <device_communicator C, class Flags, class In, class Out, class Op, class Initial, class... More>
void exclusive_scan_by_flag(C &ranks, Flags flags, In in, Out out, std::uint64_t n, Op op, Initial initial, More... more) {
  detail::call_segmented_scan_on_devices<false>(ranks, "exclusive_scan_by_flag", in, out, n, op, initial,
                                                detail::gpu::by_flag(flags), more...);
}

}  // namespace upsweep::distributed
#endif
