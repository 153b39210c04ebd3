// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The places of GPUs' parts in the whole array, and other divisions of it.
//
//   place_of     the begin of this rank's part of n elements, and the number of all elements
//   equal_part   the number of elements that this rank has if all are divided equally: the parts differ by 1 at most
//   rebalance    moves the elements so that this rank has m of them; their order stays
//
// `in`, `out`  device pointers to n and m elements, which do not overlap. The ranks' m add up to all elements.
//
// The host waits for the lengths of all parts. Each element is sent once, straight from `in` to `out`; the exchange is queued.
// Errors: on all ranks (communicator.cuh); std::invalid_argument for m that do not add up.
#pragma once

#include <upsweep/common/cpp20.h>
#ifdef UPSWEEP_CPP20
#include <upsweep/distributed/cuda/detail/merge_parts.cuh>
#include <upsweep/distributed/part_place.h>

namespace upsweep::distributed {

template <device_communicator C>
part_place place_of(C &ranks, std::uint64_t n) {
  detail::DeviceCall<C> call(ranks, "place_of", 0);
  const auto counts = call.gather_on_host(n);
  return detail::place_among(counts, call.rank(), call.size());
}

template <device_communicator C>
std::uint64_t equal_part(C &ranks, std::uint64_t n) {
  return detail::equal_share(distributed::place_of(ranks, n).all, ranks.rank(), ranks.size());
}

template <device_communicator C, class T>
void rebalance(C &ranks, const T *in, T *out, std::uint64_t n, std::uint64_t m) {
  static_assert(std::is_trivially_copyable_v<T>, "upsweep: the elements are not trivially copyable");
  detail::DeviceCall<C> call(ranks, "rebalance", detail::types_hash<T>());
  call.local([&] {
    const bool are_right = (n == 0 || in != nullptr) && (m == 0 || out != nullptr) &&
                           detail::gpu::are_apart(in, n, static_cast<const T *>(out), m);
    return are_right ? cudaSuccess : cudaErrorInvalidValue;
  });
  const detail::Division division(call.gather_on_host(detail::PartSides{n, m}));
  // Element i of the whole array goes to the rank whose results have place i.
  std::vector<std::uint64_t> send_at(call.size()), send(call.size()), receive_at(call.size()), receive(call.size());
  const auto common = [&](std::uint64_t a, std::uint64_t a_end, std::uint64_t b, std::uint64_t b_end) {
    return detail::Slice{std::max(a, b), std::max(std::max(a, b), std::min(a_end, b_end))};
  };
  std::uint64_t given = 0, wanted = 0, own_given = 0, own_wanted = 0;
  for (unsigned r = 0; r < call.rank(); ++r) {
    own_given += division.given[r];
    own_wanted += division.wanted[r];
  }
  for (unsigned r = 0; r < call.size(); ++r) {
    const detail::Slice sent = common(own_given, own_given + n, wanted, wanted + division.wanted[r]);
    const detail::Slice received = common(own_wanted, own_wanted + m, given, given + division.given[r]);
    send[r] = sent.length() * sizeof(T);
    send_at[r] = sent.length() > 0 ? (sent.begin - own_given) * sizeof(T) : 0;
    receive[r] = received.length() * sizeof(T);
    receive_at[r] = received.length() > 0 ? (received.begin - own_wanted) * sizeof(T) : 0;
    given += division.given[r];
    wanted += division.wanted[r];
  }
  ranks.all_to_all(in, send_at.data(), send.data(), out, receive_at.data(), receive.data(), call.stream());
}

}  // namespace upsweep::distributed
#endif
