// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A thousand random sorts of all kinds against std::stable_sort. UPSWEEP_TEST_SEED selects other sorts.
#include "segmented_sort_check.h"

#include <upsweep/cuda/merge.cuh>
#include <upsweep/cuda/top_k.cuh>

#include <cstdlib>

namespace upsweep::test {

namespace {

struct IsLess {
  template <class T>
  __host__ __device__ bool operator()(const T &a, const T &b) const {
    return a < b;
  }
};

// Any number up to `most`, small ones as likely as large ones.
std::size_t draw_up_to(std::size_t most) {
  std::size_t bound = 1;
  while (bound < most && generator()() % 8 != 0) {
    bound *= 2 + generator()() % 3;
  }
  return generator()() % (std::min(bound, most) + 1);
}

// The arrays of a sort and their expected contents.
template <class Key>
struct RandomSort {
  std::size_t n = draw_up_to(400000);
  std::vector<Key> keys = sort_keys_of<Key>(n, kSpreads[generator()() % std::size(kSpreads)]);
  std::vector<std::uint32_t> values = std::vector<std::uint32_t>(n);
  DeviceArray<Key> in{n}, out{n};
  DeviceArray<std::uint32_t> values_in{n}, values_out{n};
  std::string what;

  explicit RandomSort(const std::string &name) : what(name + " of " + std::to_string(n)) {
    for (std::uint32_t &value : values) {
      value = generator()();
    }
    in.upload(keys);
    values_in.upload(values);
  }
  const Key *from() { return in.data(); }
  const std::uint32_t *values_from() { return values_in.data(); }
  template <class IsBefore>
  std::vector<std::uint32_t> order(const IsBefore &before) const {
    return sorted_places(keys, before);
  }
  void check(const std::vector<std::uint32_t> &places, bool are_values) {
    check_sorted(out, taken_from(keys, places), what);
    if (are_values) {
      check_sorted(values_out, taken_from(values, places), what + " values");
    }
  }
};
template <class Key>
bool is_behind(const Key &a, const Key &b) {
  return is_before(b, a);
}

template <class Key>
void sort_whole(int kind) {
  RandomSort<Key> sort(kind == 0 ? "keys" : kind == 1 ? "pairs" : "descending places");
  if (kind == 0) {
    UPSWEEP_CUDA(cuda::sort_keys(sort.from(), sort.out.data(), sort.n));
    sort.check(sort.order(is_before<Key>), false);
  } else if (kind == 1) {
    UPSWEEP_CUDA(cuda::sort_pairs(sort.from(), sort.out.data(), sort.values_from(), sort.values_out.data(), sort.n));
    sort.check(sort.order(is_before<Key>), true);
  } else {
    const auto places = sort.order(is_behind<Key>);
    UPSWEEP_CUDA(cuda::arg_sort(sort.from(), sort.out.data(), sort.values_out.data(), sort.n, cuda::descending));
    sort.check(places, false);
    check_sorted(sort.values_out, places, sort.what);
  }
}

template <class Key>
void sort_parts(bool are_rows) {
  RandomSort<Key> sort(are_rows ? "rows" : "segments");
  std::vector<std::uint32_t> offsets{0};
  std::size_t rows = 0, length = 0;
  if (are_rows) {
    length = draw_up_to(sort.n);
    rows = length > 0 ? sort.n / length : 0;
    for (std::size_t row = 0; row < rows; ++row) {
      offsets.push_back(static_cast<std::uint32_t>((row + 1) * length));
    }
  } else {
    const std::size_t longest = draw_up_to(20000);
    for (std::size_t at = 0; (at += generator()() % (longest + 1) + (longest == 0 ? 1 : 0)) < sort.n;) {
      offsets.push_back(static_cast<std::uint32_t>(at));
    }
    offsets.push_back(static_cast<std::uint32_t>(sort.n));
  }
  sort.what += " in " + std::to_string(offsets.size() - 1);
  const auto places = places_in_segments(
      sort.n, offsets, [&](std::uint32_t a, std::uint32_t b) { return is_before(sort.keys[a], sort.keys[b]); });
  const cudaError_t error =
      are_rows
          ? cuda::sort_pairs_of_rows(sort.from(), sort.out.data(), sort.values_from(), sort.values_out.data(), rows, length)
          : cuda::sort_pairs_of_segments(sort.from(), sort.out.data(), sort.values_from(), sort.values_out.data(), sort.n,
                                         DeviceArray<std::uint32_t>(offsets).data(), offsets.size() - 1);
  UPSWEEP_CHECK(error == cudaSuccess);
  check_sorted(sort.out, sorted_with_poison(sort.keys, places, 0, offsets.back()), sort.what);
  check_sorted(sort.values_out, sorted_with_poison(sort.values, places, 0, offsets.back()), sort.what + " values");
}

template <class Key>
void select_first() {
  RandomSort<Key> sort("first");
  const std::size_t k = draw_up_to(sort.n);
  auto places = sort.order(is_behind<Key>);
  places.resize(k);
  sort.what += " " + std::to_string(k);
  UPSWEEP_CUDA(cuda::arg_top_k(sort.from(), sort.out.data(), sort.values_out.data(), sort.n, k, cuda::descending));
  check_sorted(sort.out, sorted_with_poison(sort.keys, sort.order(is_behind<Key>), 0, k), sort.what);
  places.resize(sort.n, 0xa5a5a5a5u);
  check_sorted(sort.values_out, places, sort.what + " indices");
}

// Sorts by comparison. Keys are integers, since NaNs have no order.
void merge_sort_pairs() {
  RandomSort<std::int64_t> sort("merge sort");
  UPSWEEP_CUDA(
      cuda::merge_sort_pairs(sort.from(), sort.out.data(), sort.values_from(), sort.values_out.data(), sort.n, IsLess{}));
  sort.check(sort.order(is_before<std::int64_t>), true);
}

template <class Key>
void sort_randomly() {
  switch (generator()() % 8) {
  case 0: sort_whole<Key>(0); break;
  case 1: sort_whole<Key>(1); break;
  case 2: sort_whole<Key>(2); break;
  case 3:
  case 4: sort_parts<Key>(false); break;
  case 5: sort_parts<Key>(true); break;
  case 6: select_first<Key>(); break;
  default: merge_sort_pairs(); break;
  }
}

}  // namespace

UPSWEEP_TEST(GivenRandomCalls_WhenSorted_ThenAsOnTheHost) {
  if (const char *const seed = std::getenv("UPSWEEP_TEST_SEED")) {
    generator().seed(static_cast<unsigned>(std::atoi(seed)));
  }
  for (int i = 0; i < 1000; ++i) {
    if (generator()() % 2 == 0) {
      sort_randomly<std::int16_t>();
    } else {
      sort_randomly<double>();
    }
  }
}

}  // namespace upsweep::test
