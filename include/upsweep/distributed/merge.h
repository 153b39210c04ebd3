// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Merges of two sorted ranges of which each rank has parts: stable, equal elements of `a` come first.
//
//   merge        merges two sorted ranges
//   merge_pairs  merges keys together with their values
//
// `ranks`    communicator (communicator.h).
// `a`, `b`   pointers to this rank's a_count and b_count elements. Each of the two ranges is sorted over all ranks.
// `out`      pointer to this rank's part of the result, which overlaps no other array.
// `options`  an executor; `less`, or descending and by_members, as in cpu/merge.h; part_of(m): this rank gets m elements,
//            a_count + b_count by default.
//
// The exact places that divide both ranges are found in small messages, each element is sent once, and a rank merges once. It
// allocates the size of its part of the result. Errors: on all ranks (communicator.h). If a range is not sorted, the call
// throws std::invalid_argument, or the result is a permutation of the elements.
#pragma once

#include <upsweep/common/cpp20.h>
#ifdef UPSWEEP_CPP20
#include <upsweep/cpu/merge.h>
#include <upsweep/distributed/detail/sort_parts.h>

namespace upsweep::distributed {

namespace detail {

template <class C, class Key, class Value, class... More>
void merge_ranges(C &ranks, const char *name, const Key *a, const Value *a_values, const Key *b, const Value *b_values,
                  Key *out, Value *values_out, std::uint64_t a_count, std::uint64_t b_count, More &...more) {
  constexpr bool kHasValues = Pairs<Key, Value>::kHasValues;
  const auto less = cpu::detail::less_of<Key>(more...);
  using Less = std::remove_const_t<decltype(less)>;
  auto &executor = executor_of<1>(more...);
  const std::uint64_t both = cpu::detail::count_of_both(a_count, b_count), wanted = wanted_part(both, more...);
  Call<C> call(ranks, name, types_hash<Key, Value>());
  const auto sides = call.gather([&] {
    using namespace cpu::detail;
    require_arrays({reads("the first range", a, a_count), reads("the second range", b, b_count),
                    writes("the output", out, wanted),
                    reads("the values of the first range", a_values, kHasValues ? a_count : 0),
                    reads("the values of the second range", b_values, kHasValues ? b_count : 0),
                    writes("the output of values", values_out, kHasValues ? wanted : 0)});
    return Sides{both, wanted};
  });
  std::uint64_t all = 0;
  const auto begins = begins_of_parts(call, sides, all);
  std::vector<typename Splitters<C, Key, Less>::Run> runs;
  call.agree([&] { runs = {{a, a_count, call.rank()}, {b, b_count, call.size() + call.rank()}}; });
  const auto cuts = Splitters<C, Key, Less>(call, runs, less).find(begins, all);
  // The received elements of each range are sorted, since the range is sorted over all ranks.
  Lengths lengths[2];
  call.agree([&] {
    for (std::size_t k = 0; k < 2; ++k) {
      lengths[k].resize(call.size());
      lengths_of_run(lengths[k], cuts, k, runs[k].n);
    }
  });
  Pairs<Key, Value> received[2];
  std::uint64_t counts[2]{};
  for (std::size_t k = 0; k < 2; ++k) {
    call.exchange_lengths(lengths[k]);
    counts[k] = sum_of(lengths[k].receive);
  }
  call.agree([&] {
    for (std::size_t k = 0; k < 2; ++k) {
      received[k].allocate(counts[k]);
    }
  });
  for (std::size_t k = 0; k < 2; ++k) {
    call.exchange(k == 0 ? a : b, received[k].keys.get(), lengths[k]);
    if constexpr (kHasValues) {
      call.exchange(k == 0 ? a_values : b_values, received[k].values.get(), lengths[k]);
    }
  }
  call.agree([&] {
    const Key *first = received[0].keys.get(), *second = received[1].keys.get();
    if constexpr (kHasValues) {
      cpu::merge_pairs(first, static_cast<const Value *>(received[0].values.get()), second,
                       static_cast<const Value *>(received[1].values.get()), out, values_out, counts[0], counts[1], less,
                       executor);
    } else {
      cpu::merge(first, second, out, counts[0], counts[1], less, executor);
    }
  });
}

}  // namespace detail

template <class C, class Key, class... More>
void merge(C &ranks, const Key *a, const Key *b, Key *out, std::uint64_t a_count, std::uint64_t b_count, More &&...more) {
  detail::merge_ranges<C, Key, detail::NoValue>(ranks, "merge", a, nullptr, b, nullptr, out, nullptr, a_count, b_count,
                                                more...);
}

template <class C, class Key, class Value, class... More>
void merge_pairs(C &ranks, const Key *a_keys, const Value *a_values, const Key *b_keys, const Value *b_values, Key *keys_out,
                 Value *values_out, std::uint64_t a_count, std::uint64_t b_count, More &&...more) {
  detail::merge_ranges(ranks, "merge_pairs", a_keys, a_values, b_keys, b_values, keys_out, values_out, a_count, b_count,
                       more...);
}

}  // namespace upsweep::distributed
#endif
