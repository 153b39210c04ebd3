// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Summed-area tables of integers against sums on the host: every number of channels, sizes around tiles, gaps, batches,
// unaligned addresses, sums that wrap. Bad arguments return errors.
#include "summed_area_check.h"

namespace upsweep::test {

namespace {

constexpr std::size_t kSpaceBytes = 64 << 20;

// Sizes around lanes, rows of a warp, tiles of 64 rows and 128 or 64 elements, and groups of 16 tiles.
const std::vector<std::pair<std::uint64_t, std::uint64_t>> kSizes = {
    {1, 1},   {1, 2},    {2, 1},    {1, 500}, {500, 1},  {7, 5},    {8, 8},     {31, 33},   {63, 127},
    {64, 64}, {64, 128}, {65, 129}, {67, 43}, {128, 42}, {129, 85}, {200, 260}, {1100, 40}, {40, 2200}};

template <class In, class Sum>
void check_type() {
  const AreaSpace space(kSpaceBytes);
  for (const auto &[height, width] : kSizes) {
    for (std::uint64_t channels = 1; channels <= 4; ++channels) {
      for (const bool is_exclusive : {false, true}) {
        check_table<In, Sum>(space, {{height, width, channels}, is_exclusive});
      }
    }
  }
}

// Any shape that a call accepts.
Shape random_shape() {
  Shape shape;
  cuda::image_shape &of = shape.of;
  const std::uint64_t most_rows = random_below(4) == 0 ? 1500 : 150;
  of.height = 1 + random_below(most_rows);
  of.width = 1 + random_below(most_rows > 150 ? 60 : 1500);
  of.channels = 1 + random_below(4);
  of.images = random_below(3) == 0 ? 1 + random_below(5) : 1;
  shape.is_exclusive = random_below(2) == 0;
  const std::uint64_t unit = random_below(2) == 0 ? 1 : 16;  // of a gap, so that some rows begin at vectors
  if (random_below(2) == 0) {
    of.in_pitch = (shape.row() + random_below(40) + unit - 1) / unit * unit;
    of.out_pitch = (shape.out_row() + random_below(40) + unit - 1) / unit * unit;
  }
  if (random_below(3) == 0) {
    of.in_stride = (of.height * shape.in_pitch() + random_below(99) + unit - 1) / unit * unit;
    of.out_stride = (shape.out_height() * shape.out_pitch() + random_below(99) + unit - 1) / unit * unit;
  }
  shape.in_offset = random_below(3) == 0 ? random_below(20) : 0;
  shape.out_offset = random_below(3) == 0 ? random_below(20) : 0;
  return shape;
}

struct Square {
  __host__ __device__ std::uint64_t operator()(std::uint8_t value) const { return std::uint64_t(value) * value; }
};

}  // namespace

UPSWEEP_TEST(GivenBytes_WhenSummedIn32Bits_ThenAsOnTheHost) { check_type<std::uint8_t, std::uint32_t>(); }
UPSWEEP_TEST(GivenBytes_WhenSummedIn64Bits_ThenAsOnTheHost) { check_type<std::uint8_t, std::uint64_t>(); }
// All bits of the words are random, so that sums wrap.
UPSWEEP_TEST(GivenWords_WhenSummedIn32Bits_ThenTheyWrap) { check_type<std::int32_t, std::int32_t>(); }

UPSWEEP_TEST(GivenRandomCalls_WhenSummed_ThenAsOnTheHostAndGapsAreNotWritten) {
  const AreaSpace space(kSpaceBytes);
  for (int run = 0; run < 150; ++run) {
    check_table<std::uint8_t, std::uint32_t>(space, random_shape());
    check_table<std::uint8_t, std::uint64_t>(space, random_shape());
    check_table<std::int32_t, std::int32_t>(space, random_shape());
  }
}

// More than a group of tiles in both directions, and several panels.
UPSWEEP_TEST(GivenManyTiles_WhenSummedAgainAndAgain_ThenAsOnTheHost) {
  const AreaSpace space(kSpaceBytes);
  for (const Shape &shape :
       {Shape{{2500, 5000}}, Shape{{2300, 1700, 3}}, Shape{{64 * 40, 128 * 3}}, Shape{{40, 1 << 20}}, Shape{{1 << 19, 7}}}) {
    check_table<std::uint8_t, std::uint32_t>(space, shape);
  }
  const Shape shape{{2100, 4200}};
  std::vector<std::uint8_t> pixels(shape.in_places());
  for (std::uint8_t &pixel : pixels) {
    pixel = random_pixel<std::uint8_t>();
  }
  const std::vector<std::uint32_t> expected = summed_on_host<std::uint32_t>(shape, pixels, Same());
  DeviceArray<std::uint8_t> in(pixels);
  DeviceArray<std::uint32_t> out(shape.out_places());
  for (int run = 0; run < 20; ++run) {
    out.poison();
    UPSWEEP_CUDA(cuda::summed_area_table(space.get(), in.data(), out.data(), shape.of));
    check_same(out.download(), expected, "again");
  }
}

UPSWEEP_TEST(GivenTransform_WhenSummed_ThenOfSquares) {
  const AreaSpace space(kSpaceBytes);
  for (const bool is_exclusive : {false, true}) {
    check_table<std::uint8_t, std::uint64_t>(space, {{130, 300, 1}, is_exclusive}, Square(),
                                             cuda::transform_input<Square>(Square()), cudaStream_t(nullptr));
  }
}

UPSWEEP_TEST(GivenTheSameArray_WhenSummedInPlace_ThenAsOnTheHost) {
  const AreaSpace space(kSpaceBytes);
  for (const Shape &shape : {Shape{{200, 300}}, Shape{{130, 77, 3, 240, 240, 2}}}) {
    std::vector<std::int32_t> pixels(shape.out_places());
    std::memset(pixels.data(), kPoison, pixels.size() * 4);
    for (std::uint64_t k = 0; k < shape.of.images; ++k) {
      for (std::uint64_t y = 0; y < shape.of.height; ++y) {
        for (std::uint64_t e = 0; e < shape.row(); ++e) {
          pixels[k * shape.in_stride() + y * shape.in_pitch() + e] = random_pixel<std::int32_t>();
        }
      }
    }
    DeviceArray<std::int32_t> both(pixels);
    UPSWEEP_CUDA(cuda::summed_area_table(space.get(), static_cast<const std::int32_t *>(both.data()), both.data(), shape.of));
    check_same(both.download(), summed_on_host<std::int32_t>(shape, pixels, Same()), "in place");
  }
}

UPSWEEP_TEST(GivenNoPixels_WhenSummed_ThenExclusiveTablesAreZeros) {
  const AreaSpace space(kSpaceBytes);
  for (const auto &[height, width] : {std::pair<std::uint64_t, std::uint64_t>{0, 0}, {0, 300}, {200, 0}}) {
    const Shape shape{{height, width, 3, 0, 0, 2}, true};
    DeviceArray<std::uint32_t> out(shape.out_places());
    UPSWEEP_CUDA(
        cuda::exclusive_summed_area_table(space.get(), static_cast<const std::uint8_t *>(nullptr), out.data(), shape.of));
    check_same(out.download(), summed_on_host<std::uint32_t>(shape, std::vector<std::uint8_t>(1), Same()), shape.name());
    UPSWEEP_CUDA(cuda::summed_area_table(space.get(), static_cast<const std::uint8_t *>(nullptr),
                                         static_cast<std::uint32_t *>(nullptr), shape.of));
  }
  UPSWEEP_CUDA(cuda::exclusive_summed_area_table(space.get(), static_cast<const std::uint8_t *>(nullptr),
                                                 static_cast<std::uint32_t *>(nullptr), cuda::image_shape{5, 5, 1, 0, 0, 0}));
}

UPSWEEP_TEST(GivenThePoolOrTheLeastWorkspace_WhenSummed_ThenAsOnTheHost) {
  const Shape shape{{300, 500, 2}};
  const AreaSpace space(cuda::summed_area_workspace_bytes<std::uint32_t>(shape.of));
  check_table<std::uint8_t, std::uint32_t>(space, shape);
  std::vector<std::uint8_t> pixels(shape.in_places(), 3);
  DeviceArray<std::uint8_t> in(pixels);
  DeviceArray<std::uint32_t> out(shape.out_places());
  UPSWEEP_CUDA(cuda::summed_area_table(in.data(), out.data(), shape.of));
  check_same(out.download(), summed_on_host<std::uint32_t>(shape, pixels, Same()), "pool");
}

UPSWEEP_TEST(GivenLastNumberOfCalls_WhenSummed_ThenWordsAreClearedAndLaterCallsAreRight) {
  const AreaSpace space(kSpaceBytes);
  const Shape shape{{400, 700}};
  check_table<std::uint8_t, std::uint32_t>(space, shape);
  const unsigned long long last = static_cast<unsigned long long>(cuda::detail::kLastCall) << 32;
  UPSWEEP_CUDA(cudaMemcpy(space.get().data, &last, sizeof last, cudaMemcpyHostToDevice));
  check_table<std::uint8_t, std::uint32_t>(space, shape);
  unsigned long long first = 1;
  UPSWEEP_CUDA(cudaMemcpy(&first, space.get().data, sizeof first, cudaMemcpyDeviceToHost));
  UPSWEEP_CHECK(first == 0);
  check_table<std::uint8_t, std::uint32_t>(space, shape);
}

UPSWEEP_TEST(GivenBadArguments_WhenSummed_ThenTheySaySoAndWriteNothing) {
  const AreaSpace space(kSpaceBytes);
  const cuda::workspace &good = space.get();
  DeviceArray<std::uint32_t> memory(20000);
  std::uint32_t *const in = memory.data(), *const out = in + 10000;
  const auto fails = [&](const cuda::workspace &from, const std::uint32_t *a, std::uint32_t *b, const cuda::image_shape &of,
                         bool is_exclusive = false) {
    return sum_as(Shape{of, is_exclusive}, from, a, b) == cudaErrorInvalidValue;
  };
  const cuda::image_shape of{50, 60};
  UPSWEEP_CHECK(fails(good, nullptr, out, of));
  UPSWEEP_CHECK(fails(good, in, nullptr, of));
  UPSWEEP_CHECK(fails(good, in, nullptr, {0, 5}, true));
  UPSWEEP_CHECK(fails(good, in, in + 1, of));
  UPSWEEP_CHECK(fails(good, in + 1, in, of));
  UPSWEEP_CHECK(fails(good, in, in, of, true));
  UPSWEEP_CHECK(fails(good, in, in, {50, 60, 1, 64, 60}));
  UPSWEEP_CHECK(fails(good, in, out, {50, 60, 0}));
  UPSWEEP_CHECK(fails(good, in, out, {50, 20, 5}));
  UPSWEEP_CHECK(fails(good, in, out, {50, 60, 1, 59}));
  UPSWEEP_CHECK(fails(good, in, out, {50, 60, 1, 0, 59}));
  UPSWEEP_CHECK(fails(good, in, out, {50, 60, 1, 0, 60}, true));
  UPSWEEP_CHECK(fails(good, in, out, {50, 60, 1, 0, 0, 2, 2999}));
  UPSWEEP_CHECK(fails(good, in, out, {50, 60, 1, 0, 0, 2, 0, 2999}));
  UPSWEEP_CHECK(fails(good, in, out, {std::uint64_t(1) << 40, std::uint64_t(1) << 40}));
  UPSWEEP_CHECK(fails(good, in, out, {std::uint64_t(1) << 63, 2}));
  UPSWEEP_CHECK(fails(good, in, out, {1, 1, 1, 0, 0, std::uint64_t(1) << 40}));
  UPSWEEP_CHECK(fails(good, in, out, {2, 1, 1, ~std::uint64_t(0)}));
  UPSWEEP_CHECK(fails({nullptr, 0}, in, out, of));
  UPSWEEP_CHECK(fails({good.data, cuda::summed_area_workspace_bytes<std::uint32_t>(of) - 1}, in, out, of));
  UPSWEEP_CHECK(fails({static_cast<char *>(good.data) + 8, good.bytes - 8}, in, out, of));
  DeviceArray<std::uint32_t> poison(20000);
  check_same(memory.download(), poison.download(), "after errors");
}

}  // namespace upsweep::test
