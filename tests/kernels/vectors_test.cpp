// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Vectors of every width in every place, and ranges with offsets.
#include "kernel_runner.h"

#include <CL/cl_half.h>

#include <algorithm>
#include <cstring>

namespace upsweep::tests {
namespace {

struct Triples {
  cl_char tag;
  cl_float3 place;
  cl_uchar3 small[2];
  cl_long3 wide;
};

// A packed struct's vectors lose their alignment too.
constexpr size_t kPackedBytes = 1 + 4 + 8;
using Packed = std::array<unsigned char, kPackedBytes>;

Packed make_packed(cl_char tag, cl_int value, cl_short3 rest) {
  Packed packed{};
  std::memcpy(packed.data(), &tag, 1);
  std::memcpy(packed.data() + 1, &value, 4);
  std::memcpy(packed.data() + 5, &rest, 8);
  return packed;
}

int expected_triples(int i) {
  const float place[] = {1, 2, 3}, plain[] = {20, 30, 40};
  float sum[3];
  for (int c = 0; c < 3; ++c) {
    sum[c] = 0;
    for (int k = 0; k < 4; ++k) {
      float value = place[c] * static_cast<float>(k);
      if (k == i % 4 && c == 1) value += plain[2];
      if (k == i % 4 && i % 3 == 0) value = plain[(c + 2) % 3];
      sum[c] += value;
    }
  }
  const int wide = 2 * (1000 + i) + 2000 + (3000 + 9);
  return static_cast<int>(sum[0] + 10 * sum[1] + 100 * sum[2]) + wide + 5 + 6 + 70000 + 1 + 3 * (2 + i) + 5 * 3 + 96 + 13000;
}

TEST_F(KernelRunner, GivenThreeComponents_WhenInStructsAndArrays_ThenTheyTakeTheRoomOfFour) {
  static_assert(sizeof(Triples) == 96);
  build("vectors.cl", "triples");
  Triples given{};
  given.tag = 5;
  given.place = {{1, 2, 3, 0}};
  given.small[1] = {{7, 8, 9, 0}};
  given.wide = {{1000, 2000, 3000, 0}};
  set(1, given);
  set(2, make_packed(6, 70000, {{1, 2, 3, 0}}));
  set(3, cl_float3{{20, 30, 40, 0}});
  EXPECT_EQ(run({{100, 1, 1}, {50, 1, 1}}, 100),
            expected(100, [](size_t i) { return static_cast<size_t>(expected_triples(static_cast<int>(i))); }));
}

TEST_F(KernelRunner, GivenThreeComponents_WhenLoadedAndStoredPacked_ThenTheyLieSideBySide) {
  build("vectors.cl", "packed_triples");
  for (size_t local : {1, 16, 37}) {
    set_local(1, 3 * local * sizeof(cl_int));
    EXPECT_EQ(run({{2 * local, 1, 1}, {local, 1, 1}}, 6 * local), expected(6 * local, [&](size_t at) {
                const size_t i = at / 3 % local, component = i % 2 ? 2 - at % 3 : at % 3;
                return 100 * component + (i + 1) % local;
              }));
  }
}

int expected_wide_and_narrow(int i) {
  int64_t longs[8], doubled[8];
  for (int k = 0; k < 8; ++k) longs[k] = 1000003 * (k + 1);
  longs[3] = static_cast<int64_t>(static_cast<uint64_t>(longs[3]) << (i % 40));
  for (int k = 0; k < 8; k += 2) longs[k] += i;
  std::copy_n(longs, 8, doubled);
  if (i % 5 == 1)
    for (int k = 0; k < 4; ++k) doubled[4 + k] = longs[3 - k];
  int64_t sum = 0;
  for (int64_t each : doubled) sum ^= each;

  const double given[] = {0.5, 1.25, -2, 8};
  double doubles[4], total = 0;
  for (int k = 0; k < 4; ++k) doubles[k] = given[k] * i + given[k ^ 1];
  if (i & 2) doubles[2] = -doubles[0];
  for (int k = 0; k < 4; ++k) total += (k + 1) * doubles[k];

  // Small enough to be exact in half.
  auto half_at = [i](int k) {
    const float value = static_cast<float>(i % 10 + k);
    return i % 3 == 0 && k % 2 ? 2.0f : value * value + 0.5f;
  };
  const float four = half_at(0) + half_at(1) + half_at(7) * 4;
  return static_cast<int>(sum % 100003) + static_cast<int>(total * 4) + static_cast<int>(four * 2);
}

TEST_F(KernelRunner, GivenVectorsOfLongDoubleAndHalf_WhenElementsChangeInBranches_ThenOthersStay) {
  build("vectors.cl", "wide_and_narrow");
  cl_long8 longs;
  for (int k = 0; k < 8; ++k) longs.s[k] = 1000003 * (k + 1);
  set(1, longs);
  set(2, cl_double4{{0.5, 1.25, -2, 8}});
  EXPECT_EQ(run({{200, 1, 1}, {40, 1, 1}}, 200),
            expected(200, [](size_t i) { return static_cast<size_t>(expected_wide_and_narrow(static_cast<int>(i))); }));
}

TEST_F(KernelRunner, GivenSixteenNumbersOfEachType_WhenLoadedAndConverted_ThenEachIsItself) {
  build("vectors.cl", "wide_loads");
  constexpr size_t kItems = 20, kNumbers = 16 * kItems;
  std::vector<cl_half> halves(kNumbers);
  std::vector<float> floats(2 * kNumbers);
  std::vector<cl_char> bytes(kNumbers + 1);
  for (size_t i = 0; i < kNumbers; ++i) {
    halves[i] = cl_half_from_float(static_cast<float>(i % 100), CL_HALF_RTE);
    floats[i] = static_cast<float>(i % 90 + 1);
    bytes[i + 1] = static_cast<cl_char>(i % 120);
  }
  std::vector<cl_mem> buffers;
  auto set_buffer = [&](const void *data, size_t size) {
    buffers.push_back(clCreateBuffer(context_, CL_MEM_COPY_HOST_PTR, size, const_cast<void *>(data), nullptr));
    set(static_cast<cl_uint>(buffers.size()), buffers.back());
  };
  set_buffer(halves.data(), halves.size() * sizeof(cl_half));
  set_buffer(floats.data(), floats.size() * sizeof(float));
  set_buffer(bytes.data(), bytes.size());
  EXPECT_EQ(run({{kItems, 1, 1}, {kItems, 1, 1}}, kNumbers + kItems), expected(kNumbers + kItems, [&](size_t i) {
              if (i < kNumbers) return i % 100 + 1000 * (i % 90 + 1) + 1000000 * (i % 120);
              const size_t first = 8 * (i - kNumbers);
              return first % 90 + 1 + (first + 7) % 90 + 1;
            }));
  for (cl_mem buffer : buffers) clReleaseMemObject(buffer);
}

TEST_F(KernelRunner, GivenOffsetsAndSizesThatDoNotDivide_WhenRun_ThenEdgesCountTheirOwnWorkItems) {
  build("vectors.cl", "offsets");
  struct Case {
    std::array<size_t, 3> global, local, offset;
  };
  for (const auto &[global, local, offset] : {Case{{13, 9, 7}, {4, 4, 4}, {3, 0, 50}},
                                              {{33, 5, 3}, {32, 2, 2}, {0, 1, 0}},
                                              {{40, 30, 20}, {16, 16, 4}, {5, 6, 7}},
                                              {{40, 30, 20}, {16, 16, 16}, {5, 6, 7}}}) {
    if (!fits({global, local})) continue;
    const size_t items = global[0] * global[1] * global[2];
    EXPECT_EQ(run({global, local, offset}, items), expected(items, [&](size_t at) {
                const size_t id[] = {at % global[0], at / global[0] % global[1], at / global[0] / global[1]};
                size_t count = 1, place = 0, factor = 1, offsets = 0;
                for (int d = 0; d < 3; ++d, factor *= 10) {
                  count *= std::min(local[d], global[d] - id[d] / local[d] * local[d]);
                  place += factor * (id[d] + offset[d]);
                  offsets += offset[d];
                }
                return count * 100000 + place + 7 * offsets;
              }));
  }
}

int expected_products(int i, int steps) {
  auto byte = [](int value) { return static_cast<cl_char>(value); };
  auto shorten = [](int value) { return static_cast<cl_short>(value); };
  std::array<cl_char, 4> bytes{byte(i), byte(i + 1), byte(7 * i), byte(-i)};
  std::array<cl_short, 3> shorts{shorten(100 * i), shorten(-333 * i), 12345};
  for (int k = 0; k < steps; ++k) {
    for (cl_char &x : bytes) x = byte(x * x + 3 * i + 1);
    if ((i + k) % 3 == 0)
      bytes = {bytes[3], bytes[0], bytes[2], bytes[1]};
    else
      bytes[1] = byte(bytes[1] - k);
    const auto old = shorts;
    for (size_t c = 0; c < 3; ++c) shorts[c] = shorten(old[c] * bytes[c] - old[(c + 2) % 3]);
  }
  return shorts[0] / 3 + shorts[1] / 3 + shorts[2] / 3 + 7 * bytes[0] + 5 * bytes[3] + (bytes[1] < 0 ? 1000 : 0) +
         (bytes[2] < 0 ? 3000 : 0);
}

TEST_F(KernelRunner, GivenNarrowElements_WhenMultipliedInALoop_ThenTheyWrapAround) {
  for (const cl_int steps : {0, 1, 2, 7, 50}) {
    build("vectors.cl", "narrow_products");
    set(1, steps);
    EXPECT_EQ(run({{1000, 1, 1}, {100, 1, 1}}, 1000),
              expected(1000, [&](size_t i) { return static_cast<size_t>(expected_products(static_cast<int>(i), steps)); }));
    release();
  }
}

TEST_F(KernelRunner, GivenPairsOfShorts_WhenAConstantIsAddedToOneHalf_ThenItCounts) {
  constexpr size_t kItems = 100;
  std::vector<cl_short> shorts(3 * kItems);
  for (size_t i = 0; i < shorts.size(); ++i) shorts[i] = static_cast<cl_short>(997 * i);
  build("vectors.cl", "sums_of_halves");
  cl_mem buffer = clCreateBuffer(context_, CL_MEM_COPY_HOST_PTR, shorts.size() * sizeof(cl_short), shorts.data(), nullptr);
  set(1, buffer);
  EXPECT_EQ(run({{kItems, 1, 1}, {20, 1, 1}}, 4 * kItems), expected(4 * kItems, [&](size_t at) {
              const size_t i = at / 4, c = at % 4;
              auto wrap = [](int value) { return static_cast<size_t>(static_cast<cl_short>(value)); };
              if (c == 3) return wrap(i % 2 ? shorts[2 * i] + 300 : shorts[2 * i + 1] - 1000);
              const int x = shorts[3 * i + c], less[] = {3, 5, 7}, more[] = {-32000, 9, 32000};
              if (i % 4 == 0) return wrap(x + 1);
              if (i % 4 == 1) return wrap(x - less[c]);
              return wrap(std::clamp(x + more[c], -32768, 32767));
            }));
  clReleaseMemObject(buffer);
}

TEST_F(KernelRunner, GivenPairsOfBytes_WhenAConstantIsAddedToOneHalf_ThenItCounts) {
  std::vector<cl_uchar> bytes(256);
  for (size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<cl_uchar>(i);
  build("vectors.cl", "averages_of_halves");
  cl_mem buffer = clCreateBuffer(context_, CL_MEM_COPY_HOST_PTR, bytes.size(), bytes.data(), nullptr);
  set(1, buffer);
  EXPECT_EQ(run({{256, 1, 1}, {32, 1, 1}}, 256), expected(256, [](size_t i) {
              const size_t sum = (i + 85) / 2 + 13;
              return i % 2 ? sum : (sum + 1) / 2;
            }));
  clReleaseMemObject(buffer);
}

TEST_F(KernelRunner, GivenPairsOfShorts_WhenAskedWhichIsGreater_ThenTheAnswerIsOfTheRightOne) {
  constexpr size_t kItems = 100;
  std::vector<cl_short> shorts(2 * kItems);
  for (size_t i = 0; i < shorts.size(); ++i) shorts[i] = static_cast<cl_short>(i % 7 == 0 ? 0 : 997 * i - 50000);
  for (const cl_short limit : {0, 1000, -1000}) {
    build("vectors.cl", "which_is_greater");
    cl_mem buffer = clCreateBuffer(context_, CL_MEM_COPY_HOST_PTR, shorts.size() * sizeof(cl_short), shorts.data(), nullptr);
    set(1, buffer);
    set(2, limit);
    EXPECT_EQ(run({{kItems, 1, 1}, {20, 1, 1}}, kItems), expected(kItems, [&](size_t i) -> size_t {
                const cl_short x = shorts[2 * i], y = shorts[2 * i + 1];
                return (x <= 0 ? 1 : 0) + (y <= 0 ? 2 : 0) + (x >= limit ? 4 : 0) + (y >= limit ? 8 : 0);
              }));
    clReleaseMemObject(buffer);
    release();
  }
}

}  // namespace
}  // namespace upsweep::tests
