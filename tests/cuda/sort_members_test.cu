// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sorts of structs by some of their members against std::stable_sort.
#include "segmented_sort_check.h"

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

}  // namespace

UPSWEEP_TEST(GivenStructs_WhenSortedByMembers_ThenTheyAloneCount) {
  const cuda::by_members<&Particle::cell, &Particle::energy> by;
  for (const std::size_t n : {1, 33, 4097, 70000, 300007}) {
    const auto keys = structs<Particle>(n, [](Particle &key, std::size_t i) {
      key.energy = i % 1000 == 0 ? NAN : static_cast<float>(generator()() % 100) - 50;
      key.cell = static_cast<std::int8_t>(generator()() % 7 - 3);
      key.number = static_cast<std::int16_t>(i);
    });
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

}  // namespace upsweep::test
