// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sorts of structs by some of their members against std::stable_sort.
#include "segmented_sort_check.h"

#include <upsweep/cuda/top_k.cuh>
#include <upsweep/cuda/top_k_of_rows.cuh>

#include <set>

namespace upsweep::test {

namespace {

// Padding behind `cell`, and a member that does not count.
struct Particle {
  float energy;
  std::int8_t cell;
  std::int16_t number;
};
struct Reading {
  double value;
  std::int64_t time;
};

bool is_particle_before(const Particle &a, const Particle &b) {
  return a.cell != b.cell ? a.cell < b.cell : is_before(a.energy, b.energy);
}
bool is_reading_behind(const Reading &a, const Reading &b) {
  return a.time != b.time ? a.time > b.time : is_before(b.value, a.value);
}

template <class Key, class Make>
std::vector<Key> structs(std::size_t n, const Make &make) {
  std::vector<Key> all(n);
  std::memset(static_cast<void *>(all.data()), 0x3c, n * sizeof(Key));  // the padding, too
  for (std::size_t i = 0; i < n; ++i) {
    make(all[i], i);
  }
  return all;
}

// Many particles are equal in the members that count, and differ in the others.
std::vector<Particle> particles(std::size_t n) {
  return structs<Particle>(n, [](Particle &key, std::size_t i) {
    key.energy = i % 1000 == 0 ? NAN : static_cast<float>(generator()() % 100) - 50;
    key.cell = static_cast<std::int8_t>(generator()() % 7 - 3);
    key.number = static_cast<std::int16_t>(generator()());
  });
}

// Checks the first k particles of each of `rows` rows, or of a single array.
template <bool kOfRows>
void check_first_particles(std::size_t rows, std::size_t length, std::size_t k) {
  const cuda::by_members<&Particle::cell> by;
  const std::vector<Particle> keys = particles(rows * length);
  std::vector<Particle> first, at_rank;
  std::vector<std::uint32_t> first_places, places_at_rank;
  for (std::size_t row = 0; row < rows; ++row) {
    const auto begin = keys.begin() + static_cast<std::ptrdiff_t>(row * length);
    const std::vector<Particle> of_row(begin, begin + static_cast<std::ptrdiff_t>(length));
    auto places = sorted_places(of_row, [](const Particle &a, const Particle &b) { return a.cell < b.cell; });
    places.resize(k);
    const auto taken = taken_from(of_row, places);
    first.insert(first.end(), taken.begin(), taken.end());
    first_places.insert(first_places.end(), places.begin(), places.end());
    at_rank.push_back(taken.back());
    places_at_rank.push_back(places.back());
  }
  DeviceArray<Particle> in(keys), out(rows * k), one(rows);
  DeviceArray<std::uint32_t> indices(rows * k), index(rows);
  const auto *const from = static_cast<const Particle *>(in.data());
  const std::string what = std::to_string(k) + " of " + std::to_string(rows) + " x " + std::to_string(length);
  if constexpr (kOfRows) {
    UPSWEEP_CUDA(cuda::arg_top_k_of_rows(from, out.data(), indices.data(), rows, length, k, by));
    UPSWEEP_CUDA(cuda::arg_nth_element_of_rows(from, one.data(), index.data(), rows, length, k - 1, by));
  } else {
    UPSWEEP_CUDA(cuda::arg_top_k(from, out.data(), indices.data(), length, k, by));
    UPSWEEP_CUDA(cuda::arg_nth_element(from, one.data(), index.data(), length, k - 1, by));
  }
  check_sorted(out, first, what);
  check_sorted(indices, first_places, what + ", indices");
  check_sorted(one, at_rank, what + ", the last");
  check_sorted(index, places_at_rank, what + ", index of the last");
}

}  // namespace

UPSWEEP_TEST(GivenStructs_WhenSortedByMembers_ThenTheyAloneCount) {
  const cuda::by_members<&Particle::cell, &Particle::energy> by;
  for (const std::size_t n : {1, 33, 4097, 70000, 300007}) {
    const auto keys = particles(n);
    const auto places = sorted_places(keys, is_particle_before);
    DeviceArray<Particle> in(keys), out(n);
    DeviceArray<std::uint32_t> indices(n);
    const auto *const from = static_cast<const Particle *>(in.data());
    const std::string what = "particles " + std::to_string(n);
    UPSWEEP_CUDA(cuda::arg_sort(from, out.data(), indices.data(), n, by));
    check_sorted(out, taken_from(keys, places), what);
    check_sorted(indices, places, what + " indices");
    DeviceArray<std::uint32_t> offsets(std::vector<std::uint32_t>{0, 0, static_cast<std::uint32_t>(n)});
    out.poison();
    UPSWEEP_CUDA(cuda::sort_keys_of_segments(from, out.data(), n, offsets.data(), 2, by));
    check_sorted(out, taken_from(keys, places), what + " of segments");
  }
}

UPSWEEP_TEST(GivenLargeStructs_WhenSortedByAllMembersDescending_ThenAsOnTheHost) {
  for (const std::size_t n : {2, 5000, 200003}) {
    const auto keys = structs<Reading>(n, [](Reading &key, std::size_t) {
      key.value = static_cast<double>(generator()()) - 2e9;
      key.time = static_cast<std::int64_t>(generator()() % 50) - 25;
    });
    DeviceArray<Reading> in(keys), out(n);
    UPSWEEP_CUDA(cuda::sort_keys(static_cast<const Reading *>(in.data()), out.data(), n, cuda::descending,
                                 cuda::by_members<&Reading::time, &Reading::value>{}));
    check_sorted(out, taken_from(keys, sorted_places(keys, is_reading_behind)), "readings " + std::to_string(n));
  }
}

// The lowest bits of a key hold bytes outside of the members. Among equal keys the index must decide, not these bytes.
UPSWEEP_TEST(GivenStructsThatDifferElsewhereToo_WhenSelectedByRank_ThenOfAlikeOnesTheFirstAreTaken) {
  for (const std::size_t n : {1, 33, 65536, 65537, 300007}) {
    for (const std::size_t k : std::set<std::size_t>{1, n / 100 + 1, n / 2 + 1, n}) {
      check_first_particles<false>(1, n, k);
    }
  }
}
UPSWEEP_TEST(GivenRowsOfStructsThatDifferElsewhereToo_WhenSelectedByRank_ThenOfAlikeOnesTheFirstAreTaken) {
  check_first_particles<true>(40, 100, 7);
  check_first_particles<true>(20, 10000, 300);
  check_first_particles<true>(2, 200000, 5000);  // from successive rows
}

UPSWEEP_TEST(GivenStructsBetweenWords_WhenSelectedByRank_ThenAnError) {
  DeviceArray<Particle> in(1001), out(100);
  const auto *const between = reinterpret_cast<const Particle *>(reinterpret_cast<const float *>(in.data()) + 1);
  UPSWEEP_CHECK(cuda::top_k_keys(between, out.data(), 1000, 10, cuda::by_members<&Particle::cell>{}) == cudaErrorInvalidValue);
}

}  // namespace upsweep::test
