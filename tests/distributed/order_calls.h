// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random sorts, merges, searches for places of a sort, and new divisions over ranks.
#ifndef UPSWEEP_TESTS_DISTRIBUTED_ORDER_CALLS_H
#define UPSWEEP_TESTS_DISTRIBUTED_ORDER_CALLS_H

#include "random_calls.h"

#include <upsweep/distributed/merge.h>
#include <upsweep/distributed/place.h>
#include <upsweep/distributed/sort.h>
#include <upsweep/distributed/top_k.h>

namespace upsweep::distributed::test {

// The indices of a stable sort.
template <class T, class Less>
std::vector<std::uint64_t> sorted_places(const std::vector<T> &x, const Less &less) {
  std::vector<std::uint64_t> places(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    places[i] = i;
  }
  std::sort(places.begin(), places.end(),
            [&](std::uint64_t a, std::uint64_t b) { return less(x[a], x[b]) || (!less(x[b], x[a]) && a < b); });
  return places;
}
template <class T>
std::vector<T> at_places(const std::vector<T> &x, const std::vector<std::uint64_t> &places) {
  std::vector<T> there;
  for (const std::uint64_t place : places) {
    there.push_back(x[place]);
  }
  return there;
}

// -0 before 0, and NaNs last: first those without a sign.
inline bool is_float_before(float a, float b) {
  if (std::isnan(a) || std::isnan(b)) {
    return std::isnan(b) && (!std::isnan(a) || (!std::signbit(a) && std::signbit(b)));
  }
  return a < b || (a == b && std::signbit(a) && !std::signbit(b));
}

// This rank's part of another division.
template <class T, class C>
std::vector<T> part_of_division(Drawn<C> &drawn, const std::vector<T> &whole, const std::vector<std::size_t> &lengths) {
  std::size_t at = 0;
  for (unsigned r = 0; r < drawn.ranks.rank(); ++r) {
    at += lengths[r];
  }
  const auto from = whole.begin() + static_cast<std::ptrdiff_t>(at);
  return std::vector<T>(from, from + static_cast<std::ptrdiff_t>(lengths[drawn.ranks.rank()]));
}

template <class T, class C, class Less, class... Options>
void compare_sort(Drawn<C> &drawn, const std::vector<T> &x, const Less &less, Options... options) {
  const auto places = sorted_places(x, less);
  const auto sorted = at_places(x, places);
  const bool is_in_place = drawn.random() % 3 == 0;
  const std::uint64_t kind = drawn.random() % 3;
  std::vector<std::size_t> lengths = drawn.lengths;
  if (kind > 0) {
    lengths = lengths_of(drawn.n, drawn.ranks.size(), kDivisions[drawn.random() % std::size(kDivisions)], drawn.random);
  }
  const std::size_t m = lengths[drawn.ranks.rank()];
  auto in = drawn.part(x);
  const std::size_t n = in.size();
  in.resize(std::max(n, m));
  std::vector<T> other(m);
  T *out = is_in_place ? in.data() : other.data();
  if (drawn.random() % 2 == 0) {
    sort_keys(drawn.ranks, in.data(), out, n, part_of(m), options...);
    require_same(std::vector<T>(out, out + m), part_of_division(drawn, sorted, lengths), "sorted keys");
  } else {
    std::vector<std::uint64_t> indices(m);
    arg_sort(drawn.ranks, in.data(), out, indices.data(), n, options..., part_of(m));
    require_same(std::vector<T>(out, out + m), part_of_division(drawn, sorted, lengths), "keys of arg_sort");
    require_same(indices, part_of_division(drawn, places, lengths), "indices of arg_sort");
  }
}

template <class C>
void call_sort(Drawn<C> &drawn) {
  const auto x = drawn.numbers();
  switch (drawn.random() % 5) {
  case 0: compare_sort(drawn, x, std::less<>()); break;
  case 1: compare_sort(drawn, x, std::greater<>(), descending); break;
  case 2: compare_sort(drawn, drawn.floats(), is_float_before); break;
  case 3: compare_sort(drawn, drawn.floats(), [](float a, float b) { return is_float_before(b, a); }, descending); break;
  default:
    compare_sort(
        drawn, drawn.keys(), [](std::uint32_t a, std::uint32_t b) { return (a >> 2) % 8 < (b >> 2) % 8; }, key_bits(2, 5));
  }
}

template <class C>
void call_sort_pairs(Drawn<C> &drawn) {
  const auto x = drawn.numbers();
  const auto values = drawn.maps();
  const auto in = drawn.part(x);
  const auto own_values = drawn.part(values);
  std::vector<std::int64_t> keys(in.size());
  std::vector<Affine> out(in.size());
  const auto by_tens = [](std::int64_t a, std::int64_t b) { return a / 10 < b / 10; };
  const std::uint64_t kind = drawn.random() % 3;
  std::vector<std::uint64_t> places;
  if (kind == 0) {
    sort_pairs(drawn.ranks, in.data(), keys.data(), own_values.data(), out.data(), in.size());
    places = sorted_places(x, std::less<>());
  } else if (kind == 1) {
    merge_sort_pairs(drawn.ranks, in.data(), keys.data(), own_values.data(), out.data(), in.size(), by_tens);
    places = sorted_places(x, by_tens);
  } else {
    merge_sort(drawn.ranks, in.data(), keys.data(), in.size(), by_tens);
    places = sorted_places(x, by_tens);
  }
  require_same(keys, drawn.part(at_places(x, places)), "keys of pairs");
  if (kind < 2) {
    require_same(out, drawn.part(at_places(values, places)), "values of pairs");
  }
}

template <class C>
void call_merge(Drawn<C> &drawn) {
  auto a = drawn.numbers();
  const auto by_tens = [](std::int64_t x, std::int64_t y) { return x / 10 < y / 10; };
  a = at_places(a, sorted_places(a, by_tens));
  const auto own_a = drawn.part(a);
  drawn.n = drawn.random() % 3 == 0 ? drawn.n / 5 : drawn.n;
  drawn.divide();
  auto b = drawn.numbers();
  b = at_places(b, sorted_places(b, by_tens));
  const auto own_b = drawn.part(b);
  std::vector<std::int64_t> both(a), merged;
  both.insert(both.end(), b.begin(), b.end());
  const auto places = sorted_places(both, by_tens);
  merged = at_places(both, places);
  drawn.n = both.size();
  drawn.divide();
  const std::size_t m = drawn.length();
  std::vector<std::int64_t> out(m);
  if (drawn.random() % 2 == 0) {
    merge(drawn.ranks, own_a.data(), own_b.data(), out.data(), own_a.size(), own_b.size(), by_tens, part_of(m));
  } else {
    std::vector<std::int64_t> values_out(m);
    merge_pairs(drawn.ranks, own_a.data(), own_a.data(), own_b.data(), own_b.data(), out.data(), values_out.data(),
                own_a.size(), own_b.size(), by_tens, part_of(m));
    require_same(values_out, drawn.part(merged), "values of a merge");
  }
  require_same(out, drawn.part(merged), "merge");
}

template <class C>
void call_top_k(Drawn<C> &drawn) {
  const auto x = drawn.floats();
  const bool is_descending = drawn.random() % 2 == 0;
  const auto places =
      sorted_places(x, [&](float a, float b) { return is_descending ? is_float_before(b, a) : is_float_before(a, b); });
  const auto in = drawn.part(x);
  const std::uint64_t k = drawn.random() % (drawn.n + 1);
  const auto wanted = at_places(x, {places.begin(), places.begin() + static_cast<std::ptrdiff_t>(k)});
  std::vector<float> out(k), key(1);
  std::vector<std::uint64_t> indices(k), index(1);
  const auto ask = [&](auto... options) {
    if (drawn.random() % 2 == 0) {
      top_k_keys(drawn.ranks, in.data(), out.data(), in.size(), k, options...);
    } else if (drawn.random() % 2 == 0) {
      arg_top_k(drawn.ranks, in.data(), out.data(), indices.data(), in.size(), k, options...);
      require_same(indices, {places.begin(), places.begin() + static_cast<std::ptrdiff_t>(k)}, "indices of top_k");
    } else {
      std::vector<float> values(k);
      top_k_pairs(drawn.ranks, in.data(), out.data(), in.data(), values.data(), in.size(), k, options...);
      require_same(values, wanted, "values of top_k");
    }
    require_same(out, wanted, "keys of top_k");
    if (drawn.n > 0) {
      const std::uint64_t place = drawn.random() % drawn.n;
      arg_nth_element(drawn.ranks, in.data(), key.data(), index.data(), in.size(), place, options...);
      require_same(key, {x[places[place]]}, "nth element");
      require_same(index, {places[place]}, "index of the nth element");
      nth_element(drawn.ranks, in.data(), key.data(), in.size(), place, options...);
      require_same(key, {x[places[place]]}, "nth element alone");
    }
  };
  is_descending ? ask(descending) : ask();
}

template <class C>
void call_rebalance(Drawn<C> &drawn) {
  const auto x = drawn.numbers();
  const auto in = drawn.part(x);
  const part_place place = place_of(drawn.ranks, in.size());
  require(place.begin == drawn.begin && place.all == drawn.n, "place of a part");
  const std::uint64_t equal = equal_part(drawn.ranks, in.size());
  const unsigned size = drawn.ranks.size(), rank = drawn.ranks.rank();
  require(equal == drawn.n / size + (rank < drawn.n % size ? 1 : 0), "equal part");
  drawn.divide();
  std::vector<std::int64_t> out(drawn.length());
  rebalance(drawn.ranks, in.data(), out.data(), in.size(), out.size());
  require_same(out, drawn.part(x), "rebalanced elements");
}

}  // namespace upsweep::distributed::test

#endif
