// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Searches without a match, with one at each edge, and with many matches, of which the first counts; elements of 1 to 32
// bytes.
#include "compact_check.h"
#include "scan_check.h"

#include <upsweep/cuda/find.cuh>

using namespace upsweep::test;

namespace {

struct Bytes3 {
  unsigned char at[3];
};

// Elements whose first byte is 7.
struct BeginsWith7 {
  template <class T>
  __host__ __device__ bool operator()(const T &element) const {
    unsigned char first;
    std::memcpy(&first, &element, 1);
    return first == 7;
  }
};

template <class T>
void set_first_byte(T &element, unsigned char value) {
  std::memcpy(static_cast<void *>(&element), &value, 1);
}

template <class T>
void check_find(const char *name) {
  const std::size_t tile = 256 * 4 * (16 % sizeof(T) == 0 && sizeof(T) < 16 ? 16 / sizeof(T) : 1);
  std::vector<std::size_t> sizes = {0, 1, 17, tile - 1, tile + 1, 3 * tile};
  if (!is_short_run()) {
    sizes.push_back(528 * tile + 3);
    sizes.push_back(2000 * tile - 1);
  }
  for (const std::size_t n : sizes) {
    std::vector<T> values = any_values<T>(n);
    for (T &value : values) {
      set_first_byte(value, 9);
    }
    const std::size_t shift = generator()() % 4;
    Placed<T> in(values, shift);
    Placed<std::uint64_t> place(1, 0);
    std::vector<std::size_t> matches = {n};  // n: none
    if (n > 0) {
      matches.insert(matches.end(), {0, n - 1, n / 2, generator()() % n});
    }
    for (const std::size_t match : matches) {
      std::vector<T> with = values;
      if (match < n) {
        set_first_byte(with[match], 7);
        for (int more = generator()() % 20; more > 0; --more) {
          set_first_byte(with[match + generator()() % (n - match)], 7);
        }
      }
      in.upload(with);
      place.poison();
      const std::string what = std::string(name) + " " + std::to_string(match) + " of " + std::to_string(n);
      expect_success(what, cuda::find_if(shared_space(), static_cast<const T *>(in.data()), place.data(), n, BeginsWith7{}));
      expect_same(what, place.download(), {static_cast<std::uint64_t>(match)});
      UPSWEEP_CHECK(place.surroundings_are_intact());
    }
  }
}

}  // namespace

UPSWEEP_TEST(GivenBytes_WhenSearched_ThenTheFirst) { check_find<std::uint8_t>("u8"); }
UPSWEEP_TEST(GivenShorts_WhenSearched_ThenTheFirst) { check_find<std::uint16_t>("u16"); }
UPSWEEP_TEST(GivenWords_WhenSearched_ThenTheFirst) { check_find<std::uint32_t>("u32"); }
UPSWEEP_TEST(GivenLongs_WhenSearched_ThenTheFirst) { check_find<std::uint64_t>("u64"); }
UPSWEEP_TEST(GivenStructs_WhenSearched_ThenTheFirst) {
  check_find<Bytes3>("3 bytes");
  check_find<Affine<2>>("16 bytes");
  check_find<Affine<4>>("32 bytes");
}

UPSWEEP_TEST(GivenACountOnTheDevice_WhenSearched_ThenNothingBehindIsFound) {
  const std::size_t n = 50000;
  std::vector<std::uint32_t> values(n, 9);
  values[30000] = 7;
  DeviceArray<std::uint32_t> in(values);
  DeviceArray<int> place(1);
  for (const std::uint64_t count : {std::uint64_t(0), std::uint64_t(30000), std::uint64_t(30001), std::uint64_t(n)}) {
    DeviceArray<std::uint64_t> at(std::vector<std::uint64_t>{count});
    UPSWEEP_CUDA(cuda::find_if(cuda::stream_pool, in.data(), place.data(), cuda::count_at(at.data(), n), BeginsWith7{}));
    UPSWEEP_CHECK(place.download().front() == static_cast<int>(std::min<std::uint64_t>(count, 30000)));
  }
  UPSWEEP_CHECK(cuda::find_if(shared_space(), in.data(), static_cast<int *>(nullptr), n, BeginsWith7{}) ==
                cudaErrorInvalidValue);
}
