// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The places of parts in the whole array, and other divisions of it.
//
//   place_of     the begin of this rank's part of n elements, and the number of all elements
//   equal_part   the number of elements that this rank has if all are divided equally: the parts differ by 1 at most
//   rebalance    moves the elements so that this rank has m of them; their order stays
//
// `in`, `out`  pointers to n and m trivially copyable elements, which do not overlap. The ranks' m add up to all elements.
//
// Each element is sent once, straight from `in` to `out`. Errors: on all ranks (communicator.h); std::invalid_argument for m
// that do not add up.
#pragma once

#include <upsweep/common/cpp20.h>
#ifdef UPSWEEP_CPP20
#include <upsweep/distributed/detail/divisions.h>
#include <upsweep/distributed/part_place.h>

namespace upsweep::distributed {

template <class C>
part_place place_of(C &ranks, std::uint64_t n) {
  detail::Call<C> call(ranks, "place_of", 0);
  const auto counts = call.gather([&] { return n; });
  return detail::place_among(counts, call.rank(), call.size());
}

template <class C>
std::uint64_t equal_part(C &ranks, std::uint64_t n) {
  return detail::equal_share(distributed::place_of(ranks, n).all, ranks.rank(), ranks.size());
}

template <class C, class T>
void rebalance(C &ranks, const T *in, T *out, std::uint64_t n, std::uint64_t m) {
  detail::Call<C> call(ranks, "rebalance", detail::types_hash<T>());
  struct Sides {
    std::uint64_t n, m;
  };
  const auto sides = call.gather([&] {
    using namespace cpu::detail;
    require_arrays({reads("the input", in, n), writes("the output", out, m)});
    return Sides{n, m};
  });
  detail::Lengths lengths;
  call.agree([&] {
    std::vector<std::uint64_t> given(call.size()), wanted(call.size());
    for (unsigned r = 0; r < call.size(); ++r) {
      given[r] = sides[r].n;
      wanted[r] = sides[r].m;
    }
    detail::require_sum(wanted, given);
    lengths.resize(call.size());
    for (unsigned r = 0; r < call.size(); ++r) {
      lengths.send[r] = detail::common_elements(given, call.rank(), wanted, r);
      lengths.receive[r] = detail::common_elements(given, r, wanted, call.rank());
    }
  });
  call.exchange(in, out, lengths);
}

}  // namespace upsweep::distributed
#endif
