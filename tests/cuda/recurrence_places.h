// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks of linear recurrences of whole arrays and rows: every edge and alignment, both directions, states at both ends. Each
// type instantiates eight kernels, so a program tests few types.
#pragma once

#include "recurrence_check.h"

namespace upsweep::test {

template <class T>
using TuningOfRecurrence = cuda::detail::RecurrenceTuning<cuda::detail::RecurrenceProblem<T, T, T, T, false, false>>;

template <class T>
std::vector<std::size_t> sizes() {
  constexpr std::size_t kItems = TuningOfRecurrence<T>::template Geometry<true>::kItems;
  constexpr std::size_t kTile = TuningOfRecurrence<T>::template Geometry<true>::kTileItems;
  std::vector<std::size_t> all = {0, 1, 2, kItems, kItems + 1, 32 * kItems - 1, 32 * kItems + 1, kTile - 1, kTile, kTile + 1};
  if (is_short_run()) {
    return {0, 1, kItems + 1, kTile, 2 * kTile + 3};
  }
  for (const std::size_t tiles : {3, 128, 129, 530}) {
    all.push_back(tiles * kTile + generator()() % kTile);
  }
  all.push_back(16 * (kTile + 1));
  return all;
}

template <bool kBackward, class T, class... Options>
void check_call(const std::string &what, const T *a, const T *b, Placed<T> &x, const cuda::axis &of, bool are_rows,
                const std::vector<T> &initials, const std::vector<T> &expected, const std::vector<T> &expected_lasts) {
  Placed<T> first(initials, 0), last(expected_lasts.size(), 0);
  const auto call = [&](auto... options) {
    const cuda::states<T> ends(initials.empty() ? nullptr : first.data(), last.data());
    return are_rows ? cuda::linear_recurrence_of_axis(shared_space(), a, b, x.data(), of, nullptr, ends, options...)
                    : cuda::linear_recurrence(shared_space(), a, b, x.data(), of.length, nullptr, options..., ends);
  };
  cudaError_t error;
  if constexpr (kBackward) {
    error = call(cuda::backward);
  } else {
    error = call();
  }
  if (error != cudaSuccess) {
    report(__FILE__, __LINE__, (what + ": " + cudaGetErrorName(error)).c_str());
    return;
  }
  expect_same(what, x.download(), expected);
  expect_same(what + " last states", last.download(), expected_lasts);
  UPSWEEP_CHECK(x.surroundings_are_intact());
  UPSWEEP_CHECK(last.surroundings_are_intact());
}

// Checks `of.batches` rows, or a whole array, at several placements.
template <bool kBackward, class T>
void check_places(const char *name, const cuda::axis &of, bool are_rows) {
  const std::size_t n = of.batches * of.length;
  const std::vector<T> a = random_numbers<T>(n, true), b = random_numbers<T>(n, false);
  const bool has_initials = generator()() % 2 == 0;
  const std::vector<T> initials = has_initials ? random_numbers<T>(of.batches, false) : std::vector<T>();
  std::vector<T> expected(n), lasts;
  run_recurrence(of, kBackward, a, b, initials, expected, lasts);
  const std::string what = std::string(name) + (kBackward ? " backward " : " ") + text_of(of);
  for (const int shifts : {0, 1, 2, 4}) {
    Placed<T> in_a(a, shifts & 1), in_b(b, shifts >> 1 & 1), x(n, shifts >> 2);
    check_call<kBackward, T>(what + " at " + std::to_string(shifts), in_a.data(), in_b.data(), x, of, are_rows, initials,
                             expected, lasts);
  }
  Placed<T> in_a(a, 0), in_b(b, 0);
  check_call<kBackward, T>(what + " over b", in_a.data(), in_b.data(), in_b, of, are_rows, initials, expected, lasts);
  in_b.upload(b);
  check_call<kBackward, T>(what + " over a", in_a.data(), in_b.data(), in_a, of, are_rows, initials, expected, lasts);
}

template <bool kBackward, class T>
void check_whole(const char *name) {
  for (const std::size_t n : sizes<T>()) {
    check_places<kBackward, T>(name, {1, n, 1}, false);
  }
}

template <bool kBackward, class T>
void check_rows(const char *name) {
  constexpr std::size_t kItems = TuningOfRecurrence<T>::template Geometry<true>::kItems;
  constexpr std::size_t kTile = TuningOfRecurrence<T>::template Geometry<true>::kTileItems;
  const std::size_t most = is_short_run() ? 3 * kTile : 300 * kTile;
  for (const std::size_t length : {std::size_t(1), std::size_t(2), std::size_t(7), kItems - 1, kItems, kItems + 1,
                                   std::size_t(1024), kTile - 1, kTile, kTile + 4, 5 * kTile / 2, 31 * kTile, 31 * kTile + 1}) {
    const std::size_t rows = std::max<std::size_t>(1, (generator()() % most + most / 2) / length);
    check_places<kBackward, T>(name, {rows, length, 1}, true);
  }
}

}  // namespace upsweep::test
