// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls on rows whose number is in device memory: rows behind them are neither read nor written.
#include "top_k_of_rows_check.h"

#include <upsweep/cuda/segmented_reduce.cuh>
#include <upsweep/cuda/segmented_sort.cuh>
#include <upsweep/cuda/select_of_rows.cuh>

#include <functional>

namespace upsweep::test {

namespace {

using Key = std::uint32_t;

struct IsOdd {
  __device__ bool operator()(Key key) const { return key % 2 != 0; }
};

// Rows of `length` random keys, with `count` rows in use, and the expected results of each call.
class Rows {
public:
  Rows(std::size_t rows, std::size_t length, std::size_t count)
      : rows_(rows), length_(length), count_(count), keys_(sort_keys_of<Key>(rows * length, Spread::kFewValues)), in_(keys_),
        number_(std::vector<std::uint64_t>{count}), places_(sorted_rows(keys_, rows, length, is_before<Key>)) {}

  void check() {
    const cuda::count_at at(number_.data(), rows_);
    const Key *const from = in_.data();
    const std::size_t k = length_ / 2 + 1, n = rows_ * length_;
    const SortSpaceOf space(std::max({cuda::sort_rows_workspace_bytes<Key, Key>(rows_, length_),
                                      cuda::top_k_of_rows_workspace_bytes<Key, Key>(rows_, length_, k),
                                      cuda::nth_element_of_rows_workspace_bytes<Key, Key>(rows_, length_, k - 1)}) +
                            16);
    DeviceArray<Key> out(n), indices(n);
    const auto call = [&](const char *name, cudaError_t error, const DeviceArray<Key> &found, std::size_t number,
                          const std::function<Key(std::size_t row, std::size_t i)> &expected) {
      UPSWEEP_CHECK(error == cudaSuccess);
      check_rows(name, found, number, expected);
    };
    const auto place = [&](std::size_t row, std::size_t i) { return places_[row * length_ + i]; };
    const auto key = [&](std::size_t row, std::size_t i) { return keys_[row * length_ + place(row, i)]; };
    call("sort", cuda::sort_keys_of_rows(space.space, from, out.data(), at, length_), out, length_, key);
    out.poison();
    call("arg_sort", cuda::arg_sort_of_rows(space.space, from, out.data(), indices.data(), at, length_), out, length_, key);
    check_rows("arg_sort: indices", indices, length_, place);
    out.poison();
    indices.poison();
    call("arg_top_k", cuda::arg_top_k_of_rows(space.space, from, out.data(), indices.data(), at, length_, k), out, k, key);
    check_rows("arg_top_k: indices", indices, k, place);
    out.poison();
    call("top_k", cuda::top_k_keys_of_rows(from, out.data(), at, length_, k), out, k, key);
    out.poison();
    call("pairs", cuda::top_k_pairs_of_rows(from, out.data(), from, indices.data(), at, length_, k), indices, k, key);
    out.poison();
    indices.poison();
    call("nth_element", cuda::arg_nth_element_of_rows(space.space, from, out.data(), indices.data(), at, length_, k - 1), out,
         1, [&](std::size_t row, std::size_t) { return key(row, k - 1); });
    check_rows("nth_element: index", indices, 1, [&](std::size_t row, std::size_t) { return place(row, k - 1); });
  }

  // Checks other calls that need an initialised workspace.
  void check_others() {
    const cuda::count_at at(number_.data(), rows_);
    DeviceArray<Key> out(rows_ * length_), of_row(rows_);
    DeviceArray<cuda::indexed<Key>> least(rows_);
    const auto sum = [&](std::size_t row, std::size_t) {
      const auto begin = keys_.begin() + static_cast<std::ptrdiff_t>(row * length_);
      return std::accumulate(begin, begin + static_cast<std::ptrdiff_t>(length_), Key(0));
    };
    UPSWEEP_CUDA(cuda::sum_of_rows(in_.data(), of_row.data(), at, length_));
    check_rows("sum", of_row, 1, sum);
    UPSWEEP_CUDA(cuda::arg_min_of_rows(in_.data(), least.data(), at, length_));
    const auto found = least.download();
    for (std::size_t row = 0; row < count_; ++row) {
      UPSWEEP_CHECK(found[row].index == places_[row * length_]);
    }
    UPSWEEP_CHECK(count_ == rows_ || found[count_].index == 0x0101010101010101u * kPoison);
    of_row.poison();
    UPSWEEP_CUDA(cuda::select_if_of_rows(in_.data(), out.data(), of_row.data(), at, length_, IsOdd{}));
    std::vector<std::vector<Key>> kept(rows_);
    for (std::size_t i = 0; i < keys_.size(); ++i) {
      if (keys_[i] % 2 != 0) {
        kept[i / length_].push_back(keys_[i]);
      }
    }
    check_rows("select: counts", of_row, 1, [&](std::size_t row, std::size_t) { return static_cast<Key>(kept[row].size()); });
    check_rows("select", out, length_, [&](std::size_t row, std::size_t i) {
      return i < kept[row].size() ? kept[row][i] : 0x01010101u * static_cast<Key>(kPoison);
    });
  }

private:
  // `number` elements of each row, and poison behind the rows.
  void check_rows(const char *name, const DeviceArray<Key> &found, std::size_t number,
                  const std::function<Key(std::size_t row, std::size_t i)> &expected) const {
    std::vector<Key> all(found.bytes() / sizeof(Key), 0x01010101u * static_cast<Key>(kPoison));
    for (std::size_t i = 0; i < count_ * number; ++i) {
      all[i] = expected(i / number, i % number);
    }
    const std::string what = std::string(name) + " of " + std::to_string(count_) + " of " + std::to_string(rows_) +
                             " rows of " + std::to_string(length_);
    check_sorted(found, all, what);
  }

  std::size_t rows_, length_, count_;
  std::vector<Key> keys_;
  DeviceArray<Key> in_;
  DeviceArray<std::uint64_t> number_;
  std::vector<std::uint32_t> places_;
};

// Lengths for each algorithm of sorting and selecting, and numbers of rows around a block's.
void for_all_shapes(void (Rows::*check)()) {
  for (const std::size_t length : {1, 17, 100, 1000, 9000}) {
    const std::size_t rows = 20000 / length + 3;
    for (const std::size_t count : {std::size_t(0), std::size_t(1), rows / 2, rows - 1, rows}) {
      Rows of(rows, length, count);
      (of.*check)();
    }
  }
  Rows few(2, 70000, 1);
  (few.*check)();
}

}  // namespace

UPSWEEP_TEST(GivenTheirNumberOnTheDevice_WhenRowsAreSortedOrSelectedByRank_ThenTheRestIsLeft) { for_all_shapes(&Rows::check); }

UPSWEEP_TEST(GivenTheirNumberOnTheDevice_WhenRowsAreReducedOrSelected_ThenTheRestIsLeft) {
  for_all_shapes(&Rows::check_others);
}

UPSWEEP_TEST(GivenANullCount_WhenRowsAreAskedFor_ThenAnError) {
  DeviceArray<Key> in(100), out(100);
  const Key *const from = in.data();
  const cuda::count_at none(nullptr, 10);
  const auto is_refused = [](cudaError_t error) { return error == cudaErrorInvalidValue; };
  UPSWEEP_CHECK(is_refused(cuda::sort_keys_of_rows(from, out.data(), none, 10)));
  UPSWEEP_CHECK(is_refused(cuda::top_k_keys_of_rows(from, out.data(), none, 10, 1)));
  UPSWEEP_CHECK(is_refused(cuda::nth_element_of_rows(from, out.data(), none, 10, 1)));
  UPSWEEP_CHECK(is_refused(cuda::sum_of_rows(from, out.data(), none, 10)));
  UPSWEEP_CHECK(is_refused(cuda::select_if_of_rows(from, out.data(), out.data() + 50, none, 5, IsOdd{})));
  // Elements by number, which overflow.
  DeviceArray<cuda::indexed<Key>> least(10);
  UPSWEEP_CHECK(is_refused(cuda::sum_of_rows(from, out.data(), 3, std::uint64_t(1) << 39)));
  UPSWEEP_CHECK(is_refused(cuda::arg_min_of_rows(from, least.data(), 3, std::uint64_t(1) << 39)));
  UPSWEEP_CHECK(is_refused(cuda::arg_max_of_rows(from, least.data(), 3, std::uint64_t(1) << 63)));
}

}  // namespace upsweep::test
