// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The runs of equal neighbours in an array of which each rank has a part. A run belongs to the rank where it begins, also if it
// goes on in later ranks.
//
//   run_length_encode   values[r] = the first element of this rank's run r, lengths[r] = its number of elements on all ranks
//
// `ranks`            communicator (communicator.h). cpu/run_length.h explains the other arguments, here of this rank's part.
// `values`, `lengths`  they do not overlap the input, nor each other.
// `runs`             pointer to an integer, which becomes the number of runs that begin on this rank.
// `options`          an executor, and `equal` of neighbours.
//
// The elements before a part's first run are read twice. Errors: on all ranks (communicator.h); see cpu/run_length.h.
#pragma once

#include <upsweep/common/cpp20.h>
#ifdef UPSWEEP_CPP20
#include <upsweep/cpu/run_length.h>
#include <upsweep/distributed/detail/borders.h>
#include <upsweep/distributed/options.h>

namespace upsweep::distributed {

template <class C, class In, class Values, class Lengths, class Number, class N, class... More>
void run_length_encode(C &ranks, In in, Values values, Lengths lengths, Number *runs, N n, More &&...more) {
  const auto equal = cpu::detail::functor_of(equal_to{}, more...);
  using Equal = std::remove_const_t<decltype(equal)>;
  const std::uint64_t count = detail::count_of(n);
  detail::Call<C> call(ranks, "run_length_encode", detail::types_hash<detail::ValueOf<In>>());
  const auto ends = call.gather([&] {
    using namespace cpu::detail;
    require_arrays({reads("the input", in, count), writes_some("the output of values", values, count),
                    writes_some("the output of lengths", lengths, count), writes("the number of runs", runs, 1)});
    return detail::ends_of(in, count);
  });
  struct Part {
    std::uint64_t n, before;  // elements, and those before the first run that begins here
  };
  std::uint64_t own_runs = 0;
  std::vector<char> continues;
  const auto parts = call.gather([&] {
    continues = detail::continuing(ends, equal);
    auto &executor = detail::executor_of<1>(more...);
    Part own{count, 0};
    if (continues[call.rank()] != 0) {
      const cpu::detail::KeepFirstOfRun<In, Equal> marks{in, equal};
      own.before = detail::find_head<true>(marks, count, sizeof(detail::ValueOf<In>), executor);
    }
    cpu::detail::encode_runs(in + static_cast<std::ptrdiff_t>(own.before), values, lengths, &own_runs, count - own.before,
                             equal, cpu::detail::LengthOfRun<detail::ValueOf<Lengths>>(), false, executor);
    return own;
  });
  if (own_runs > 0) {
    std::uint64_t more_elements = 0;
    for (unsigned r = detail::next_with_any(ends, call.rank()); r < call.size() && continues[r] != 0;
         r = detail::next_with_any(ends, r)) {
      more_elements += parts[r].before;
      if (parts[r].before < parts[r].n) {
        break;
      }
    }
    const auto last = static_cast<std::ptrdiff_t>(own_runs - 1);
    using Length = detail::ValueOf<Lengths>;
    lengths[last] = static_cast<Length>(lengths[last] + static_cast<Length>(more_elements));
  }
  *runs = static_cast<Number>(own_runs);
}

}  // namespace upsweep::distributed
#endif
