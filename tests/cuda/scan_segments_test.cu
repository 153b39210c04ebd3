// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Device-wide scans that start again by key or by flag, with segments of every length.
#include "scan_check.h"

using namespace upsweep::test;

namespace {

// Heads of runs: of one element, of about 32, of many tiles, a single run; or a mixture of these.
std::vector<unsigned char> heads_of_runs(std::size_t n, int kind) {
  constexpr unsigned kLengths[] = {1, 32, 100000, 0xffffffff};
  std::vector<unsigned char> heads(n);
  unsigned length = kLengths[kind % 4];
  for (std::size_t i = 0; i < n; ++i) {
    heads[i] = i == 0 || generator()() % length == 0;
    if (kind == 4 && heads[i] != 0) {
      length = 1u << generator()() % 18;
    }
  }
  return heads;
}

struct LongKey {
  std::uint32_t words[6];
};
struct OddKey {
  std::uint32_t words[3];
};
template <class Key>
Key key_of(std::uint32_t number) {
  if constexpr (std::is_arithmetic_v<Key>) {
    return static_cast<Key>(number);
  } else {
    Key key = {};
    std::end(key.words)[-1] = number;
    return key;
  }
}
struct SameWords {
  template <class Key>
  __host__ __device__ bool operator()(const Key &a, const Key &b) const {
    bool same = true;
    for (unsigned i = 0; i < sizeof(Key) / 4; ++i) {
      same = same && a.words[i] == b.words[i];
    }
    return same;
  }
};
struct Equal {
  template <class Key>
  __host__ __device__ bool operator()(const Key &a, const Key &b) const {
    return a == b;
  }
};
// Keys that differ only in their last three bits are equal.
struct SameEight {
  __host__ __device__ bool operator()(std::uint64_t a, std::uint64_t b) const { return a / 8 == b / 8; }
};

// Keys of runs that begin at the heads. Successive runs have different keys, and keys recur.
template <class Key>
std::vector<Key> keys_of(const std::vector<unsigned char> &heads, std::uint32_t step) {
  std::vector<Key> keys;
  std::uint32_t run = 0;
  for (const unsigned char head : heads) {
    run = head != 0 ? (run + 1) % 101 : run;
    keys.push_back(key_of<Key>(run * step + (step > 1 ? static_cast<std::uint32_t>(generator()() % step) : 0)));
  }
  return keys;
}

// scan(marks, in, out, n, initial, options...) of marks that start segments where the heads are.
template <bool kInclusive, class T, class Mark, class Op, class MarksOf, class Scan>
void check_marked(const char *name, Op op, const MarksOf &marks_of, const Scan &scan) {
  int kind = 0;
  for (const std::size_t n : edge_sizes<T, T, T, cuda::detail::ByFlag<const Mark *>>()) {
    const auto heads = heads_of_runs(n, kind++ % 5);
    const std::vector<Mark> mark_values = marks_of(heads);
    const std::vector<T> values = scan_values<T>(n);
    const T initial = scan_values<T>(1).front();
    const auto expected =
        reference<kInclusive>(values, op, initial, !kInclusive, [&](std::size_t i) { return heads[i] != 0; }).results;
    for (const std::size_t shift : {0, 1}) {
      Placed<Mark> marks(mark_values, shift);
      check_places(std::string(name) + " marks shifted by " + std::to_string(shift), values, expected,
                   [&](const T *in, T *out, auto... options) { return scan(marks.data(), in, out, n, initial, options...); });
    }
  }
}

template <class T, class Key, class Op, class KeyEqual>
void check_inclusive_by_key(const char *name, Op op, KeyEqual equal, std::uint32_t step = 1) {
  check_marked<true, T, Key>(
      name, op, [&](const auto &heads) { return keys_of<Key>(heads, step); },
      [=](const Key *keys, const T *in, T *out, std::size_t n, T, auto... options) {
        return cuda::inclusive_scan_by_key(shared_space(), keys, in, out, n, op, equal, nullptr, options...);
      });
}
template <class T, class Key, class Op, class KeyEqual>
void check_exclusive_by_key(const char *name, Op op, KeyEqual equal) {
  check_marked<false, T, Key>(
      name, op, [](const auto &heads) { return keys_of<Key>(heads, 1); },
      [=](const Key *keys, const T *in, T *out, std::size_t n, T initial, auto... options) {
        return cuda::exclusive_scan_by_key(shared_space(), keys, in, out, n, op, initial, equal, nullptr, options...);
      });
}

}  // namespace

UPSWEEP_TEST(GivenWordsAsKeys_WhenSummed_ThenRunsAreOnTheirOwn) {
  check_inclusive_by_key<std::uint32_t, std::uint32_t>("u32 by u32", cuda::plus{}, Equal{});
}
UPSWEEP_TEST(GivenBytesAsKeys_WhenSummedExclusively_ThenRunsStartFromInitialValue) {
  check_exclusive_by_key<double, std::uint8_t>("double by u8", cuda::plus{}, Equal{});
}
UPSWEEP_TEST(GivenOwnEquality_WhenScanned_ThenItDecides) {
  check_inclusive_by_key<Affine<1>, std::uint64_t>("affine by u64 / 8", Compose{}, SameEight{}, 8);
}
UPSWEEP_TEST(GivenKeysOf12Bytes_WhenSummed_ThenRunsAreOnTheirOwn) {
  check_exclusive_by_key<std::uint8_t, OddKey>("u8 by 12 bytes", cuda::plus{}, SameWords{});
}
UPSWEEP_TEST(GivenKeysOf24Bytes_WhenSummed_ThenRunsAreOnTheirOwn) {
  check_inclusive_by_key<std::uint32_t, LongKey>("u32 by 24 bytes", cuda::plus{}, SameWords{});
}
UPSWEEP_TEST(GivenBytesAsFlags_WhenSummed_ThenTheyStartSegments) {
  check_marked<true, std::uint32_t, unsigned char>(
      "u32 by flag", cuda::plus{}, [](const auto &heads) { return heads; },
      [](const unsigned char *flags, const std::uint32_t *in, std::uint32_t *out, std::size_t n, std::uint32_t,
         auto... options) {
        return cuda::inclusive_scan_by_flag(shared_space(), flags, in, out, n, cuda::plus{}, nullptr, options...);
      });
}
UPSWEEP_TEST(GivenWordsAsFlags_WhenScannedExclusively_ThenOrderIsKept) {
  check_marked<false, Heisenberg, std::int32_t>(
      "12 bytes by flag", HeisenbergProduct{},
      [](const auto &heads) {
        std::vector<std::int32_t> flags;
        for (const unsigned char head : heads) {
          flags.push_back(head != 0 ? static_cast<std::int32_t>(generator()() | 1u) : 0);
        }
        return flags;
      },
      [](const std::int32_t *flags, const Heisenberg *in, Heisenberg *out, std::size_t n, Heisenberg initial, auto... options) {
        return cuda::exclusive_scan_by_flag(shared_space(), flags, in, out, n, HeisenbergProduct{}, initial, nullptr,
                                            options...);
      });
}
UPSWEEP_TEST(GivenNoFlags_WhenScanned_ThenRefused) {
  Placed<std::uint32_t> in(100, 0), out(100, 0);
  UPSWEEP_CHECK(cuda::inclusive_scan_by_flag(shared_space(), static_cast<const unsigned char *>(nullptr),
                                             static_cast<const std::uint32_t *>(in.data()), out.data(), std::size_t(100),
                                             cuda::plus{}) == cudaErrorInvalidValue);
  UPSWEEP_CHECK(out.surroundings_are_intact());
}
