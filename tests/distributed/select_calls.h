// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random selections, runs and histograms over ranks.
#ifndef UPSWEEP_TESTS_DISTRIBUTED_SELECT_CALLS_H
#define UPSWEEP_TESTS_DISTRIBUTED_SELECT_CALLS_H

#include "random_calls.h"

#include <upsweep/distributed/histogram.h>
#include <upsweep/distributed/reduce_by_key.h>
#include <upsweep/distributed/run_length.h>
#include <upsweep/distributed/select.h>

namespace upsweep::distributed::test {

// The marked elements of this rank's part.
template <class T, class C>
std::vector<T> marked(const Drawn<C> &drawn, const std::vector<T> &x, const std::vector<char> &marks) {
  std::vector<T> kept;
  for (std::size_t i = drawn.begin; i < drawn.begin + drawn.length(); ++i) {
    if (marks[i] != 0) {
      kept.push_back(x[i]);
    }
  }
  return kept;
}

template <class C>
void call_select(Drawn<C> &drawn) {
  const auto x = drawn.numbers();
  const std::uint64_t rare = 1 + drawn.random() % 4;
  std::vector<char> marks(x.size());
  std::uint64_t all = 0, total = 99;
  for (char &mark : marks) {
    mark = drawn.random() % rare == 0 ? 1 : 0;
    all += mark != 0 ? 1U : 0U;
  }
  const auto own = drawn.part(marks);
  std::vector<std::uint32_t> bits(own.size() / 32 + 1);
  for (std::size_t i = 0; i < own.size(); ++i) {
    bits[i / 32] |= std::uint32_t(own[i] != 0 ? 1 : 0) << (i % 32);
  }
  auto in = drawn.part(x);
  const std::size_t n = in.size();
  std::vector<std::int64_t> other(n);
  std::int64_t *out = drawn.random() % 3 == 0 ? in.data() : other.data();
  std::size_t kept = 99;
  switch (drawn.random() % 4) {
  case 0: {
    for (std::size_t i = 0; i < x.size(); ++i) {
      all -= marks[i] != 0 ? 1U : 0U;
      marks[i] = x[i] % 2 != 0;
      all += marks[i] != 0 ? 1U : 0U;
    }
    select_if(drawn.ranks, in.data(), out, &kept, n, [](std::int64_t e) { return e % 2 != 0; }, total_to(&total));
    break;
  }
  case 1: select_by_flag(drawn.ranks, in.data(), own.data(), out, &kept, n, total_to(&total)); break;
  case 2: select_by_bit(drawn.ranks, in.data(), bits.data(), out, &kept, n, total_to(&total)); break;
  default:
    select_by_stencil(drawn.ranks, in.data(), own.data(), out, &kept, n, [](char c) { return c == 1; }, total_to(&total));
  }
  require_same(std::vector<std::int64_t>(out, out + kept), marked(drawn, x, marks), "selection");
  require(total == all, "number of selected elements");
}

template <class C>
void call_unique(Drawn<C> &drawn) {
  const auto keys = drawn.keys();
  const auto values = drawn.numbers();
  std::vector<char> marks(keys.size());
  for (std::size_t i = 0; i < keys.size(); ++i) {
    marks[i] = i == 0 || keys[i] / 2 != keys[i - 1] / 2;
  }
  const auto equal = [](std::uint32_t a, std::uint32_t b) { return a / 2 == b / 2; };
  auto in = drawn.part(keys);
  auto own_values = drawn.part(values);
  const std::size_t n = in.size();
  std::vector<std::uint32_t> other(n);
  std::vector<std::int64_t> other_values(n);
  const bool is_in_place = drawn.random() % 3 == 0;
  std::uint32_t *out = is_in_place ? in.data() : other.data();
  std::int64_t *out_values = is_in_place ? own_values.data() : other_values.data();
  std::uint32_t kept = 99;
  if (drawn.random() % 2 == 0) {
    unique(drawn.ranks, in.data(), out, &kept, n, equal);
  } else {
    unique_by_key(drawn.ranks, in.data(), own_values.data(), out, out_values, &kept, n, equal);
    require_same(std::vector<std::int64_t>(out_values, out_values + kept), marked(drawn, values, marks), "unique values");
  }
  require_same(std::vector<std::uint32_t>(out, out + kept), marked(drawn, keys, marks), "unique keys");
}

template <class T, class C, class Op>
void compare_runs(Drawn<C> &drawn, const std::vector<T> &values, const Op &op) {
  const auto keys = drawn.keys();
  std::vector<std::uint32_t> firsts, lengths;
  std::vector<T> totals;
  std::vector<std::size_t> begins;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (i == 0 || keys[i] != keys[i - 1]) {
      begins.push_back(i);
      firsts.push_back(keys[i]);
      lengths.push_back(1);
      totals.push_back(values[i]);
    } else {
      ++lengths.back();
      totals.back() = op(totals.back(), values[i]);
    }
  }
  // The runs that begin in this part.
  const auto from = std::lower_bound(begins.begin(), begins.end(), drawn.begin) - begins.begin();
  const auto to = std::lower_bound(begins.begin(), begins.end(), drawn.begin + drawn.length()) - begins.begin();
  const auto own = [&](const auto &all) { return std::decay_t<decltype(all)>(all.begin() + from, all.begin() + to); };
  const auto in = drawn.part(keys);
  const auto own_values = drawn.part(values);
  std::vector<std::uint32_t> found_firsts(in.size()), found_lengths(in.size());
  std::vector<T> found_totals(in.size());
  std::size_t runs = 99;
  run_length_encode(drawn.ranks, in.data(), found_firsts.data(), found_lengths.data(), &runs, in.size());
  require(runs == static_cast<std::size_t>(to - from), "number of runs");
  found_firsts.resize(runs);
  found_lengths.resize(runs);
  require_same(found_firsts, own(firsts), "first elements of runs");
  require_same(found_lengths, own(lengths), "lengths of runs");
  found_firsts.assign(in.size(), 0);
  reduce_by_key(drawn.ranks, in.data(), own_values.data(), found_firsts.data(), found_totals.data(), &runs, in.size(), op);
  require(runs == static_cast<std::size_t>(to - from), "number of keys");
  found_firsts.resize(runs);
  found_totals.resize(runs);
  require_same(found_firsts, own(firsts), "keys of runs");
  require_same(found_totals, own(totals), "totals of runs");
}

template <class C>
void call_runs(Drawn<C> &drawn) {
  if (drawn.random() % 2 == 0) {
    compare_runs<Affine>(drawn, drawn.maps(), Compose{});
  } else {
    compare_runs<std::int64_t>(drawn, drawn.numbers(), plus{});
  }
}

template <class C>
void call_histogram(Drawn<C> &drawn) {
  const auto x = drawn.numbers();
  const auto in = drawn.part(x);
  const std::uint64_t bins = 1 + drawn.random() % 200;
  std::vector<std::uint32_t> counts(bins), wanted(bins);
  std::vector<double> sums(bins), wanted_sums(bins);
  std::vector<std::uint8_t> weight(in.size());
  const auto bin_of = [&](std::int64_t e) { return e >= 0 && static_cast<std::uint64_t>(e) < bins ? e : std::int64_t(-1); };
  for (const std::int64_t e : x) {
    if (bin_of(e) >= 0) {
      ++wanted[static_cast<std::size_t>(e)];
      wanted_sums[static_cast<std::size_t>(e)] += static_cast<double>(e % 7);
    }
  }
  for (std::size_t i = 0; i < in.size(); ++i) {
    weight[i] = static_cast<std::uint8_t>((in[i] % 7 + 7) % 7);
  }
  switch (drawn.random() % 4) {
  case 0: histogram(drawn.ranks, in.data(), counts.data(), bins, in.size()); break;
  case 1: histogram_by(drawn.ranks, in.data(), counts.data(), in.size(), bins, bin_of); break;
  case 2:
    histogram_even(drawn.ranks, in.data(), counts.data(), in.size(), bins, std::int64_t(0), static_cast<std::int64_t>(bins));
    break;
  default: {
    std::vector<std::int64_t> levels(bins + 1);
    for (std::size_t i = 0; i <= bins; ++i) {
      levels[i] = static_cast<std::int64_t>(i);
    }
    histogram_of_levels(drawn.ranks, in.data(), counts.data(), in.size(), bins, levels.data());
  }
  }
  require_same(counts, wanted, "histogram");
  histogram(drawn.ranks, in.data(), sums.data(), bins, in.size(), weights(weight.data()));
  require_same(sums, wanted_sums, "sums of weights");
}

}  // namespace upsweep::distributed::test

#endif
