// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The calls on whole arrays, with ranges in place of iterators and numbers of elements:
//
//     upsweep::cpu::ranges::inclusive_sum(in, out);
//
// `in`, `out`  random-access ranges with a size. `out` has at least the size of `in`, even if fewer elements are written
//              Errors: as in the calls without ranges; std::invalid_argument if `out` is too short.
#pragma once

#include <upsweep/common/cpp20.h>
#ifdef UPSWEEP_CPP20
#include <upsweep/cpu/reduce.h>
#include <upsweep/cpu/scan.h>
#include <upsweep/cpu/select.h>
#include <upsweep/cpu/sort.h>

#include <ranges>

namespace upsweep::cpu::ranges {

template <class R>
concept array = std::ranges::random_access_range<R> && std::ranges::sized_range<R>;

namespace detail {

template <array In, array Out>
std::uint64_t count_of(In &in, Out &out) {
  if (std::ranges::size(out) < std::ranges::size(in)) {
    throw std::invalid_argument("upsweep::cpu: the output is shorter than the input");
  }
  return std::ranges::size(in);
}

}  // namespace detail

template <array In, array Out, class Op, class... More>
void inclusive_scan(In &&in, Out &&out, Op op, More &&...more) {
  cpu::inclusive_scan(std::ranges::begin(in), std::ranges::begin(out), detail::count_of(in, out), op, more...);
}

template <array In, array Out, class Op, class Initial, class... More>
void exclusive_scan(In &&in, Out &&out, Op op, Initial initial, More &&...more) {
  cpu::exclusive_scan(std::ranges::begin(in), std::ranges::begin(out), detail::count_of(in, out), op, initial, more...);
}

template <array In, array Out, class... More>
void inclusive_sum(In &&in, Out &&out, More &&...more) {
  cpu::inclusive_sum(std::ranges::begin(in), std::ranges::begin(out), detail::count_of(in, out), more...);
}

template <array In, array Out, class... More>
void exclusive_sum(In &&in, Out &&out, More &&...more) {
  cpu::exclusive_sum(std::ranges::begin(in), std::ranges::begin(out), detail::count_of(in, out), more...);
}

// The number of kept elements.
template <array In, array Out, class Predicate, class... More>
std::uint64_t select_if(In &&in, Out &&out, Predicate predicate, More &&...more) {
  std::uint64_t kept = 0;
  cpu::select_if(std::ranges::begin(in), std::ranges::begin(out), &kept, detail::count_of(in, out), predicate, more...);
  return kept;
}

template <array In, array Out, class... More>
std::uint64_t unique(In &&in, Out &&out, More &&...more) {
  std::uint64_t kept = 0;
  cpu::unique(std::ranges::begin(in), std::ranges::begin(out), &kept, detail::count_of(in, out), more...);
  return kept;
}

template <array In, class Op, class Initial, class... More>
Initial reduce(In &&in, Op op, Initial initial, More &&...more) {
  Initial total = initial;
  cpu::reduce(std::ranges::begin(in), &total, std::ranges::size(in), op, initial, more...);
  return total;
}

// Contiguous ranges are passed as pointers.
template <std::ranges::contiguous_range In, std::ranges::contiguous_range Out, class... More>
void sort_keys(In &&in, Out &&out, More &&...more) {
  cpu::sort_keys(std::ranges::data(in), std::ranges::data(out), detail::count_of(in, out), more...);
}

template <std::ranges::contiguous_range In, std::ranges::contiguous_range Out, class... More>
void merge_sort(In &&in, Out &&out, More &&...more) {
  cpu::merge_sort(std::ranges::data(in), std::ranges::data(out), detail::count_of(in, out), more...);
}

}  // namespace upsweep::cpu::ranges
#endif
