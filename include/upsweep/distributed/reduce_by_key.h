// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The totals of runs of equal keys in an array of which each rank has a part. A run belongs to the rank where it begins, also
// if it goes on in later ranks.
//
//   reduce_by_key   out_keys[r] = the key of this rank's run r, totals[r] = values[i] op values[i + 1] op ... over its elements
//                   on all ranks
//
// `ranks`  communicator (communicator.h). cpu/reduce_by_key.h explains the other arguments, here of this rank's part.
// `runs`   pointer to an integer, which becomes the number of runs that begin on this rank.
//
// The elements before a part's first run, and a last run that goes on in another rank, are read twice. Determinism: the bits
// depend on the lengths of the parts, where op rounds. Errors: on all ranks (communicator.h); see cpu/reduce_by_key.h.
#pragma once

#include <upsweep/common/cpp20.h>
#ifdef UPSWEEP_CPP20
#include <upsweep/cpu/reduce.h>
#include <upsweep/cpu/reduce_by_key.h>
#include <upsweep/distributed/detail/borders.h>
#include <upsweep/distributed/detail/totals.h>
#include <upsweep/distributed/options.h>

namespace upsweep::distributed {

template <class C, class Key, class Values, class OutKeys, class Totals, class Number, class N, class Op, class... More>
void reduce_by_key(C &ranks, const Key *keys, Values values, OutKeys out_keys, Totals totals, Number *runs, N n, Op op,
                   More &&...more) {
  const auto equal = cpu::detail::functor_of(equal_to{}, more...);
  using Equal = std::remove_const_t<decltype(equal)>;
  using T = cpu::detail::Accumulator<Values, Totals, Op, More...>;
  static_assert(std::is_trivially_copyable_v<T>, "totals must be trivially copyable");
  const std::uint64_t count = detail::count_of(n);
  detail::Call<C> call(ranks, "reduce_by_key", detail::types_hash<Key, T>());
  const auto ends = call.gather([&] {
    using namespace cpu::detail;
    require_arrays({reads("keys", keys, count), reads("values", values, count),
                    writes_some("the output of keys", out_keys, count), writes_some("the totals", totals, count),
                    writes("the number of runs", runs, 1)});
    return detail::ends_of(keys, count);
  });
  struct Part {
    detail::PartTotal<T> before;  // of the elements before the first run that begins here
    bool is_all;
  };
  std::uint64_t own_runs = 0;
  std::vector<char> continues;
  detail::PartTotal<T> last;  // of the last run, if it goes on
  const auto parts = call.gather([&] {
    continues = detail::continuing(ends, equal);
    auto &executor = detail::executor_of<1>(more...);
    const cpu::detail::KeepFirstOfRun<const Key *, Equal> marks{keys, equal};
    const auto total_of = [&](std::uint64_t begin, std::uint64_t end) {
      detail::PartTotal<T> total;
      cpu::detail::reduce(values + static_cast<std::ptrdiff_t>(begin), &total.value, end - begin, op,
                          static_cast<const T *>(nullptr), cpu::detail::Unchanged(), executor);
      total.is_known = end > begin;
      return total;
    };
    std::uint64_t begin = 0;
    if (continues[call.rank()] != 0) {
      begin = detail::find_head<true>(marks, count, sizeof(Key), executor);
    }
    const Part own{total_of(0, begin), begin == count};
    const unsigned next = detail::next_with_any(ends, call.rank());
    if (begin < count && next < call.size() && continues[next] != 0) {
      last = total_of(detail::find_head<false>(marks, count, sizeof(Key), executor), count);
    }
    const auto from = static_cast<std::ptrdiff_t>(begin);
    cpu::detail::encode_runs(keys + begin, out_keys, totals, &own_runs, count - begin, equal,
                             cpu::detail::TotalOfRun<T, Values, Op>{{values + from, {}, count - begin}, {op}}, false, executor);
    return own;
  });
  call.agree([&] {
    if (last.is_known) {
      for (unsigned r = detail::next_with_any(ends, call.rank()); r < call.size() && continues[r] != 0;
           r = detail::next_with_any(ends, r)) {
        last = join(last, parts[r].before, op);
        if (!parts[r].is_all) {
          break;
        }
      }
      totals[static_cast<std::ptrdiff_t>(own_runs - 1)] = static_cast<cpu::detail::ElementToWrite<Totals>>(last.value);
    }
  });
  *runs = static_cast<Number>(own_runs);
}

}  // namespace upsweep::distributed
#endif
