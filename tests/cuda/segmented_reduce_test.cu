// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reductions of segments, rows and along an axis: segments of every magnitude, empty segments, every alignment, elements of 1
// to 32 bytes, operators that do not commute, places of extremes.
#include "compact_check.h"
#include "scan_check.h"

#include <upsweep/cuda/segmented_reduce.cuh>

using namespace upsweep::test;

namespace {

constexpr std::size_t kTile = 512;  // elements of up to 4 bytes

// Kinds of segments.
enum class Lengths { kMixed, kShort, kOnes, kFew, kManyEmpty, kTiles };
constexpr Lengths kAllLengths[] = {Lengths::kMixed, Lengths::kShort,     Lengths::kOnes,
                                   Lengths::kFew,   Lengths::kManyEmpty, Lengths::kTiles};

std::vector<std::uint32_t> offsets_of(std::size_t n, Lengths lengths, std::size_t before) {
  std::vector<std::uint32_t> offsets = {static_cast<std::uint32_t>(before)};
  const std::size_t end = n;
  while (offsets.back() < end) {
    std::size_t length = 1;
    const std::uint32_t random = generator()();
    switch (lengths) {
    case Lengths::kMixed: length = random % 8 == 0 ? 0 : 1 + generator()() % (std::size_t(1) << random / 8 % 18); break;
    case Lengths::kShort: length = random % 30; break;
    case Lengths::kOnes: break;
    case Lengths::kFew: length = n / 3 + random % 7; break;
    case Lengths::kManyEmpty: length = random % 50 == 0 ? random / 64 % 300 : 0; break;
    case Lengths::kTiles: length = kTile * (random % 4) + (random / 16 % 8 == 0 ? 1 : 0); break;
    }
    offsets.push_back(static_cast<std::uint32_t>(std::min(end, offsets.back() + length)));
  }
  for (unsigned i = generator()() % 70; i > 0; --i) {
    offsets.push_back(offsets.back());
  }
  return offsets;
}

std::vector<std::size_t> segment_sizes() {
  if (is_short_run()) {
    return {0, 1, kTile, 3 * kTile + 5};
  }
  return {0, 1, 2, 31, 33, kTile - 1, kTile, kTile + 1, 10 * kTile + 3, 100000, 3168 * kTile - 1, 3168 * kTile + 1, 2345678};
}

template <class In, class T, class Op>
std::vector<T> totals_of(const std::vector<In> &values, const std::vector<std::uint32_t> &offsets, Op op, T initial) {
  std::vector<T> totals(offsets.size() - 1, initial);
  for (std::size_t k = 0; k + 1 < offsets.size(); ++k) {
    for (std::size_t i = offsets[k]; i < offsets[k + 1]; ++i) {
      totals[k] = op(totals[k], T(values[i]));
    }
  }
  return totals;
}

template <class In, class T, class Op>
void check_segments(const char *name, Op op, T initial) {
  for (const std::size_t n : segment_sizes()) {
    for (const Lengths lengths : kAllLengths) {
      if (n * sizeof(In) > std::size_t(1) << 23 && lengths != Lengths::kMixed) {
        continue;
      }
      const std::vector<In> values = scan_values<In>(n);
      const std::vector<std::uint32_t> offsets =
          offsets_of(n, lengths, generator()() % 2 == 0 ? 0 : std::min<std::size_t>(n, 5));
      const std::vector<T> expected = totals_of(values, offsets, op, initial);
      const std::size_t shift = generator()() % 4;
      Placed<In> in(values, shift);
      DeviceArray<std::uint32_t> at(offsets);
      Placed<T> out(expected.size(), 0);
      const std::string what = std::string(name) + " " + std::to_string(n) + " kind " +
                               std::to_string(static_cast<int>(lengths)) + " at " + std::to_string(shift);
      expect_success(what,
                     cuda::reduce_of_segments(shared_space(), in.data(), out.data(), at.data(), expected.size(), op, initial));
      expect_same(what, out.download(), expected);
      UPSWEEP_CHECK(out.surroundings_are_intact());
    }
  }
}

template <class T, class Op>
void check_rows(const char *name, Op op, T initial) {
  // Rows of whole vectors, for which a warp takes a part of a row, one step or several; rows that are not whole vectors; long
  // rows.
  for (const std::size_t length :
       {0, 1, 2, 3, 4, 8, 16, 20, 31, 100, 508, 511, 512, 513, 516, 1024, 2048, 2052, 5000, 100000}) {
    const std::size_t rows = is_short_run() ? 3 : length == 0 ? 100 : 1 + (300000 + generator()() % 1000) / length;
    const std::vector<T> values = scan_values<T>(rows * length);
    std::vector<std::uint32_t> offsets;
    for (std::size_t k = 0; k <= rows; ++k) {
      offsets.push_back(static_cast<std::uint32_t>(k * length));
    }
    Placed<T> in(values, generator()() % 3), out(rows, 0);
    const std::string what = std::string(name) + " rows of " + std::to_string(length);
    expect_success(what, cuda::reduce_of_rows(shared_space(), in.data(), out.data(), rows, length, op, initial));
    expect_same(what, out.download(), totals_of(values, offsets, op, initial));
    UPSWEEP_CHECK(out.surroundings_are_intact());
  }
}

template <class T, class Op>
void check_axis(const char *name, Op op, T initial) {
  std::vector<cuda::axis> shapes = {{3, 0, 5},
                                    {1, 1, 100000},
                                    {4, 7, 33},
                                    {2, 300, 3},
                                    {1, 100000, 2},
                                    {1, 4000, 260},
                                    {2, 17, 65536},
                                    {5, 1000, 1},
                                    {3, 40, 10, {1000, 20}},
                                    {2, 600, 50, {50, 100}}};
  if (is_short_run()) {
    shapes = {{3, 0, 5}, {4, 7, 33}, {1, 1000, 2}};
  }
  for (const cuda::axis &of : shapes) {
    const std::size_t along = of.in.along != 0 ? of.in.along : of.inner;
    const std::size_t batch = of.in.batch != 0 ? of.in.batch : of.length * along;
    const std::size_t extent = of.length == 0 ? 1 : (of.batches - 1) * batch + (of.length - 1) * along + of.inner;
    const std::vector<T> values = scan_values<T>(extent);
    std::vector<T> expected(of.batches * of.inner, initial);
    for (std::size_t b = 0; b < of.batches; ++b) {
      for (std::size_t l = 0; l < of.length; ++l) {
        for (std::size_t i = 0; i < of.inner; ++i) {
          T &total = expected[b * of.inner + i];
          total = op(total, values[b * batch + l * along + i]);
        }
      }
    }
    for (const std::size_t shift : {0, 1}) {
      Placed<T> in(values, shift), out(expected.size(), 0);
      const std::string what = std::string(name) + " " + std::to_string(of.batches) + " x " + std::to_string(of.length) +
                               " x " + std::to_string(of.inner) + " at " + std::to_string(shift);
      expect_success(what,
                     cuda::reduce_of_axis(shared_space(), static_cast<const T *>(in.data()), out.data(), of, op, initial));
      expect_same(what, out.download(), expected);
      UPSWEEP_CHECK(out.surroundings_are_intact());
    }
  }
}

struct SquareAtOdd {
  __host__ __device__ std::uint64_t operator()(std::uint32_t x, std::uint64_t index) const {
    return index % 2 == 1 ? std::uint64_t(x) * x : 1;
  }
};

}  // namespace

UPSWEEP_TEST(GivenWords_WhenSegmentsAreReduced_ThenTotalsWrap) { check_segments<std::uint32_t>("sum u32", cuda::plus{}, 7u); }
UPSWEEP_TEST(GivenBytes_WhenSegmentsAreAddedInWords_ThenNothingIsLost) {
  check_segments<std::uint8_t>("sum u8", cuda::plus{}, 0u);
}
UPSWEEP_TEST(GivenShorts_WhenSegmentsAreReduced_ThenTheLargest) {
  check_segments<std::uint16_t>("max u16", cuda::maximum{}, std::uint16_t(0));
}
UPSWEEP_TEST(GivenLongs_WhenSegmentsAreReduced_ThenTotalsWrap) {
  check_segments<std::int64_t>("sum i64", cuda::plus{}, std::int64_t(-3));
}
UPSWEEP_TEST(GivenWholeFloats_WhenSegmentsAreReduced_ThenExact) { check_segments<float>("sum f32", cuda::plus{}, 0.5f); }
UPSWEEP_TEST(GivenMaps_WhenSegmentsAreComposed_ThenInOrder) {
  check_segments<Affine<1>>("maps", Compose{}, Affine<1>{{3}, {5}});
  check_segments<Affine<2>>("pairs of maps", Compose{}, Affine<2>{{3, 1}, {5, 1}});
  check_segments<Affine<4>>("large maps", Compose{}, Affine<4>{{1, 1, 1, 1}, {}});
}
UPSWEEP_TEST(GivenRows_WhenReduced_ThenEachHasItsTotal) {
  check_rows<std::uint32_t>("sum u32", cuda::plus{}, 1u);
  check_rows<Affine<1>>("maps", Compose{}, Affine<1>{{3}, {5}});
  check_rows<std::uint8_t>("sum u8", cuda::plus{}, std::uint8_t(7));
}
UPSWEEP_TEST(GivenManyLongRows_WhenReduced_ThenEachHasItsTotal) {
  const std::size_t rows = is_short_run() ? 5 : 4100, length = is_short_run() ? 2052 : 5004;
  const std::vector<std::uint32_t> values = scan_values<std::uint32_t>(rows * length);
  std::vector<std::uint32_t> expected(rows, 1u);
  for (std::size_t i = 0; i < values.size(); ++i) {
    expected[i / length] += values[i];
  }
  Placed<std::uint32_t> in(values, 0), out(rows, 0);
  UPSWEEP_CUDA(cuda::reduce_of_rows(shared_space(), in.data(), out.data(), rows, length, cuda::plus{}, 1u));
  expect_same("many long rows", out.download(), expected);
  UPSWEEP_CHECK(out.surroundings_are_intact());
}
UPSWEEP_TEST(GivenAnAxis_WhenReduced_ThenEachColumnHasItsTotal) {
  check_axis<std::uint32_t>("sum u32", cuda::plus{}, 1u);
  check_axis<std::uint8_t>("max u8", cuda::maximum{}, std::uint8_t(3));
  check_axis<Affine<1>>("maps", Compose{}, Affine<1>{{3}, {5}});
}

UPSWEEP_TEST(GivenSegments_WhenExtremesAreFound_ThenTheFirstPlaceOfEach) {
  const std::size_t n = is_short_run() ? 3000 : 500000;
  std::vector<std::int32_t> values(n);
  for (std::int32_t &value : values) {
    value = static_cast<std::int32_t>(generator()() % 1000) - 500;
  }
  for (const Lengths lengths : {Lengths::kMixed, Lengths::kShort}) {
    const std::vector<std::uint32_t> offsets = offsets_of(n, lengths, 3);
    const std::size_t segments = offsets.size() - 1;
    DeviceArray<std::int32_t> in(values);
    DeviceArray<std::uint32_t> at(offsets);
    using Indexed = cuda::indexed<std::int32_t>;
    DeviceArray<Indexed> least(segments), largest(segments);
    UPSWEEP_CUDA(cuda::arg_min_of_segments(shared_space(), in.data(), least.data(), at.data(), segments));
    UPSWEEP_CUDA(cuda::arg_max_of_segments(cuda::stream_pool, in.data(), largest.data(), at.data(), segments));
    const std::vector<Indexed> mins = least.download(), maxs = largest.download();
    int wrong = 0;
    for (std::size_t k = 0; k < segments; ++k) {
      const auto begin = values.begin() + offsets[k], end = values.begin() + offsets[k + 1];
      if (begin == end) {
        wrong += mins[k].index != ~std::uint64_t(0) || maxs[k].index != ~std::uint64_t(0);
        continue;
      }
      const auto min = std::min_element(begin, end), max = std::max_element(begin, end);
      wrong += mins[k].value != *min || mins[k].index != static_cast<std::uint64_t>(min - begin);
      wrong += maxs[k].value != *max || maxs[k].index != static_cast<std::uint64_t>(max - begin);
    }
    UPSWEEP_CHECK(wrong == 0);
  }
  DeviceArray<std::int32_t> in(values);
  DeviceArray<cuda::indexed<std::int32_t>> least(n / 100);
  UPSWEEP_CUDA(cuda::arg_min_of_rows(shared_space(), in.data(), least.data(), n / 100, 100));
  const auto mins = least.download();
  int wrong = 0;
  for (std::size_t k = 0; k < n / 100; ++k) {
    const auto begin = values.begin() + k * 100;
    wrong += mins[k].index != static_cast<std::uint64_t>(std::min_element(begin, begin + 100) - begin);
  }
  UPSWEEP_CHECK(wrong == 0);
}

UPSWEEP_TEST(GivenAnAxis_WhenExtremesAreFound_ThenTheFirstPlaceAlongIt) {
  using Indexed = cuda::indexed<std::int32_t>;
  const std::vector<cuda::axis> shapes = {{1, 1, 3},          {3, 40, 10, {1000, 20}}, {1, 100000, 2}, {7, 33, 1},
                                          {4, 9, 1, {20, 2}}, {2, 17, 4096},           {2, 0, 3}};
  for (const cuda::axis &of : shapes) {
    const std::size_t along = of.in.along != 0 ? of.in.along : of.inner;
    const std::size_t batch = of.in.batch != 0 ? of.in.batch : of.length * along;
    std::vector<std::int32_t> values((of.batches - 1) * batch + of.length * along + of.inner);
    for (std::int32_t &value : values) {
      value = static_cast<std::int32_t>(generator()() % 50) - 25;
    }
    DeviceArray<std::int32_t> in(values);
    Placed<Indexed> least(of.batches * of.inner, 0), largest(of.batches * of.inner, 0);
    UPSWEEP_CUDA(cuda::arg_min_of_axis(shared_space(), in.data(), least.data(), of));
    UPSWEEP_CUDA(cuda::arg_max_of_axis(in.data(), largest.data(), of));
    const std::vector<Indexed> mins = least.download(), maxs = largest.download();
    int wrong = 0;
    for (std::size_t k = 0; k < of.batches * of.inner; ++k) {
      const auto at = [&](std::size_t row) { return values[k / of.inner * batch + row * along + k % of.inner]; };
      std::size_t min = 0, max = 0;
      for (std::size_t row = 1; row < of.length; ++row) {
        min = at(row) < at(min) ? row : min;
        max = at(row) > at(max) ? row : max;
      }
      if (of.length == 0) {
        wrong += mins[k].index != ~std::uint64_t(0) || maxs[k].index != ~std::uint64_t(0);
      } else {
        wrong += mins[k].index != min || mins[k].value != at(min) || maxs[k].index != max || maxs[k].value != at(max);
      }
    }
    UPSWEEP_CHECK(wrong == 0);
    UPSWEEP_CHECK(least.surroundings_are_intact() && largest.surroundings_are_intact());
  }
  DeviceArray<Indexed> out(1);
  UPSWEEP_CHECK(cuda::arg_min_of_axis(static_cast<const int *>(nullptr), out.data(), cuda::axis{1, 5, 1}) ==
                cudaErrorInvalidValue);
}

UPSWEEP_TEST(GivenATransformAndCountsOnTheDevice_WhenReduced_ThenIndicesAreTheArrays) {
  const std::size_t n = 20011;
  const std::vector<std::uint32_t> values = scan_values<std::uint32_t>(n), offsets = offsets_of(n, Lengths::kShort, 0);
  const std::size_t segments = offsets.size() - 1, some = segments / 2;
  DeviceArray<std::uint32_t> in(values), at(offsets);
  DeviceArray<std::uint64_t> count(std::vector<std::uint64_t>{some}), out(segments), initial(std::vector<std::uint64_t>{9});
  UPSWEEP_CUDA(cuda::transform_reduce_of_segments(shared_space(), in.data(), out.data(), at.data(),
                                                  cuda::count_at(count.data(), segments), cuda::plus{}, SquareAtOdd{},
                                                  cuda::initial_at<std::uint64_t>(initial.data())));
  std::vector<std::uint64_t> expected(segments);
  std::memset(expected.data(), kPoison, segments * 8);
  for (std::size_t k = 0; k < some; ++k) {
    expected[k] = 9;
    for (std::size_t i = offsets[k]; i < offsets[k + 1]; ++i) {
      expected[k] += SquareAtOdd{}(values[i], i);
    }
  }
  expect_same("transformed", out.download(), expected);
}

UPSWEEP_TEST(GivenFloats_WhenReducedAgain_ThenTheSameBits) {
  const std::size_t n = 1000003;
  std::vector<float> values(n);
  for (float &value : values) {
    value = static_cast<float>(generator()()) * 1e-6f;
  }
  const std::vector<std::uint32_t> offsets = offsets_of(n, Lengths::kMixed, 0);
  DeviceArray<float> in(values), first(offsets.size() - 1), second(offsets.size() - 1);
  DeviceArray<std::uint32_t> at(offsets);
  UPSWEEP_CUDA(cuda::sum_of_segments(shared_space(), in.data(), first.data(), at.data(), offsets.size() - 1));
  for (int run = 0; run < 5; ++run) {
    UPSWEEP_CUDA(cuda::sum_of_segments(shared_space(), in.data(), second.data(), at.data(), offsets.size() - 1));
    expect_same("again", second.download(), first.download());
  }
}

UPSWEEP_TEST(GivenWrongArguments_WhenSegmentsAreReduced_ThenErrors) {
  DeviceArray<float> in(100), out(100);
  cuda::workspace none;
  UPSWEEP_CHECK(cuda::sum_of_rows(none, in.data(), out.data(), 10, 10) == cudaErrorInvalidValue);
  UPSWEEP_CHECK(cuda::sum_of_segments(shared_space(), in.data(), out.data(), static_cast<int *>(nullptr), 10) ==
                cudaErrorInvalidValue);
  UPSWEEP_CHECK(cuda::sum_of_rows(shared_space(), in.data(), static_cast<float *>(nullptr), 10, 10) == cudaErrorInvalidValue);
  UPSWEEP_CUDA(cuda::sum_of_rows(shared_space(), in.data(), out.data(), 0, 10));
}
