// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The common checks of selections by rank in rows: all calls, against std::stable_sort of each row.
#pragma once

#include "sort_check.h"

#include <upsweep/cuda/top_k_of_rows.cuh>

#include <set>

namespace upsweep::test {

// The indices within each row, for all rows in turn.
template <class Key, class IsBefore>
std::vector<std::uint32_t> sorted_rows(const std::vector<Key> &keys, std::size_t rows, std::size_t length, IsBefore before) {
  std::vector<std::uint32_t> places(keys.size());
  for (std::size_t row = 0; row < rows; ++row) {
    const Key *const of_row = keys.data() + row * length;
    const auto begin = places.begin() + static_cast<std::ptrdiff_t>(row * length);
    const auto end = begin + static_cast<std::ptrdiff_t>(length);
    std::iota(begin, end, 0u);
    std::stable_sort(begin, end, [&](std::uint32_t a, std::uint32_t b) { return before(of_row[a], of_row[b]); });
  }
  return places;
}

// The indices of ranks first to first + number - 1 of each row, and the elements there.
struct Chosen {
  std::vector<std::uint32_t> in_rows, in_array;
  Chosen(const std::vector<std::uint32_t> &places, std::size_t rows, std::size_t length, std::size_t first,
         std::size_t number) {
    for (std::size_t row = 0; row < rows; ++row) {
      for (std::size_t i = first; i < first + number; ++i) {
        in_rows.push_back(places[row * length + i]);
        in_array.push_back(static_cast<std::uint32_t>(row * length + in_rows.back()));
      }
    }
  }
};

template <class Key, class IsBefore, class... Options>
void check_rows(const std::string &type, std::size_t rows, std::size_t length, Spread spread, const IsBefore &before,
                Options... options) {
  const std::size_t n = rows * length;
  const std::vector<Key> keys = sort_keys_of<Key>(n, spread);
  const auto places = sorted_rows(keys, rows, length, before);
  DeviceArray<Key> in(keys);
  const Key *const from = in.data();
  std::vector<double> values(n);
  std::iota(values.begin(), values.end(), 0.5);
  DeviceArray<double> values_in(values);
  const std::string what = type + " " + std::to_string(rows) + " x " + std::to_string(length) + " spread " +
                           std::to_string(static_cast<int>(spread)) + " ";
  Key *const nowhere = nullptr;
  for (const std::size_t k : std::set<std::size_t>{1, std::min<std::size_t>(length, 64), length / 2 + 1, length}) {
    const Chosen first(places, rows, length, 0, k);
    const std::string of_k = what + "k " + std::to_string(k) + " ";
    DeviceArray<Key> out(rows * k), key(rows);
    DeviceArray<std::uint32_t> indices(rows * k), index(rows);
    DeviceArray<double> values_out(rows * k);
    const SortSpaceOf space(cuda::top_k_of_rows_workspace_bytes<Key, double>(rows, length, k));
    UPSWEEP_CUDA(cuda::arg_top_k_of_rows(space.space, from, out.data(), indices.data(), rows, length, k, options...));
    check_sorted(out, taken_from(keys, first.in_array), of_k + "keys and indices: keys");
    check_sorted(indices, first.in_rows, of_k + "indices");
    indices.poison();
    UPSWEEP_CUDA(cuda::arg_top_k_of_rows(from, nowhere, indices.data(), rows, length, k, options...));
    check_sorted(indices, first.in_rows, of_k + "indices alone");
    out.poison();
    UPSWEEP_CUDA(cuda::top_k_keys_of_rows(from, out.data(), rows, length, k, options...));
    check_sorted(out, taken_from(keys, first.in_array), of_k + "keys");
    out.poison();
    UPSWEEP_CUDA(cuda::top_k_pairs_of_rows(space.space, from, out.data(), static_cast<const double *>(values_in.data()),
                                           values_out.data(), rows, length, k, options...));
    check_sorted(out, taken_from(keys, first.in_array), of_k + "pairs: keys");
    check_sorted(values_out, taken_from(values, first.in_array), of_k + "pairs: values");
    const Chosen single(places, rows, length, k - 1, 1);
    const SortSpaceOf of_rank(cuda::nth_element_of_rows_workspace_bytes<Key, std::uint32_t>(rows, length, k - 1));
    UPSWEEP_CUDA(cuda::arg_nth_element_of_rows(of_rank.space, from, key.data(), index.data(), rows, length, k - 1, options...));
    check_sorted(key, taken_from(keys, single.in_array), of_k + "key of the rank before");
    check_sorted(index, single.in_rows, of_k + "index of the rank before");
    key.poison();
    UPSWEEP_CUDA(cuda::nth_element_of_rows(from, key.data(), rows, length, k - 1, options...));
    check_sorted(key, taken_from(keys, single.in_array), of_k + "key alone of the rank before");
  }
  check_sorted(in, keys, what + "input");
}

// Lengths around each algorithm's: lanes of a warp, a warp, a block in its shared memory, a block's tiles, and single rows.
template <class Key, class IsBefore, class... Options>
void check_all_rows(const std::string &type, const IsBefore &before, Options... options) {
  for (const std::size_t length :
       {1, 2, 16, 17, 33, 100, 128, 129, 500, 1024, 1025, 2049, 4608, 4609, 7168, 7169, 8192, 20001}) {
    check_rows<Key>(type, length < 1000 ? 1003 : 37, length, Spread::kRandom, before, options...);
  }
  for (const Spread spread : kSpreads) {
    check_rows<Key>(type, 300, 97, spread, before, options...);
    check_rows<Key>(type, 20, 3000, spread, before, options...);
    check_rows<Key>(type, 7, 70001, spread, before, options...);
    check_rows<Key>(type, 3, 200003, spread, before, options...);
  }
}

}  // namespace upsweep::test
