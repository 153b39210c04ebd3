// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Async copies in both directions. GPUs since sm_90 have an engine for copies with equal alignment on both sides. It copies
// pieces of 16 bytes, and is faster from a certain size on.
#include "kernel_runner.h"

#include <cstring>

namespace upsweep::tests {
namespace {

namespace host {
using uint = cl_uint;
#include "scramble.h"
}  // namespace host

/// The size from which the engine is used (src/builtins/nvptx/async_copy.cl).
constexpr size_t kLeastBulk = 8192;

class AsyncCopies : public KernelRunner {
protected:
  void TearDown() override {
    if (in_) clReleaseMemObject(in_);
    KernelRunner::TearDown();
  }

  void build(const char *kernel, const std::string &options = "") {
    KernelRunner::build("async_copies.cl", kernel, ("-cl-std=CL3.0 " + options).c_str());
  }

  /// Passes them in a buffer as the kernel's second argument.
  template <typename Value>
  void set_input(const std::vector<Value> &values) {
    if (in_) clReleaseMemObject(in_);
    in_ = clCreateBuffer(context_, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, values.size() * sizeof(Value),
                         const_cast<Value *>(values.data()), nullptr);
    ASSERT_NE(in_, nullptr);
    set(1, in_);
  }

  static std::vector<cl_int> numbers(size_t count) {
    return expected(count, [](size_t i) { return host::scramble(static_cast<cl_uint>(i)); });
  }

  void expect_round_trips(size_t element_bytes, size_t shifts, size_t n, const Range &range);

  cl_mem in_ = nullptr;
};

void AsyncCopies::expect_round_trips(size_t element_bytes, size_t shifts, size_t n, const Range &range) {
  const size_t items = range.local[0], groups = range.global[0] / items;
  const size_t bytes = n * element_bytes, room = bytes + shifts * element_bytes;
  const std::vector<cl_int> input = numbers((room + 3) / 4);
  const auto *in = reinterpret_cast<const uint8_t *>(input.data());
  set_input(input);
  set(2, static_cast<cl_uint>(n));
  set_local(3, room);
  const std::vector<cl_int> output = run(range, (2 * groups * room + 3) / 4);
  std::vector<uint8_t> seen(room), written(room);
  for (size_t group = 0; group < groups; ++group) {
    const size_t from = group % shifts, local = group / shifts % shifts, to = (from * 5 + local) % shifts;
    std::fill(seen.begin(), seen.end(), uint8_t{0xee});
    std::fill(written.begin(), written.end(), uint8_t{0xff});
    for (size_t b = 0; b < bytes; ++b) {
      seen[local * element_bytes + b] = in[from * element_bytes + b];
      written[to * element_bytes + b] = static_cast<uint8_t>(in[from * element_bytes + b] + 1);
    }
    const uint8_t *out = reinterpret_cast<const uint8_t *>(output.data()) + group * 2 * room;
    ASSERT_EQ(memcmp(out, seen.data(), room), 0) << "into local memory: " << n << ", group " << group;
    ASSERT_EQ(memcmp(out + room, written.data(), room), 0) << "out of local memory: " << n << ", group " << group;
  }
}

TEST_F(AsyncCopies, GivenBytesAnyFarFromAligned_WhenCopiedInAndOut_ThenOnlyTheyAreWritten) {
  constexpr size_t kShifts = 16, kGroups = kShifts * kShifts;
  build("round_trip");
  for (const size_t n : {0,   1,   15,  16,  17,  31,  32,  33,   47,   48,   63,   64,   65,   127,  128,
                         129, 255, 256, 257, 511, 512, 513, 1000, 2049, 8191, 8192, 8193, 8207, 8208, 9000})
    expect_round_trips(1, kShifts, n, {{kGroups * 64, 1, 1}, {64, 1, 1}});
}

TEST_F(AsyncCopies, GivenWorkGroupsOfAnyShape_WhenBytesAreCopied_ThenAllOfThemAre) {
  constexpr size_t kShifts = 16, kGroups = kShifts * kShifts;
  build("round_trip");
  for (const std::array<size_t, 3> local : {std::array<size_t, 3>{1, 1, 1}, {33, 1, 1}, {200, 1, 1}, {8, 6, 1}, {3, 5, 7}})
    for (const size_t n : {17, 600, 8500}) expect_round_trips(1, kShifts, n, {{kGroups * local[0], local[1], local[2]}, local});
}

TEST_F(AsyncCopies, GivenWorkGroupsOfAnyShape_WhenThereIsAnElementForEachWorkItem_ThenAllAreCopied) {
  constexpr size_t kShifts = 4, kGroups = kShifts * kShifts;
  for (const auto &[type, bytes] : {std::pair<const char *, size_t>{"int", 4}, {"float2", 8}, {"uint4", 16}}) {
    build("round_trip", std::string("-DT=") + type + " -DSHIFTS=4");
    for (const std::array<size_t, 3> local : {std::array<size_t, 3>{1, 1, 1}, {33, 1, 1}, {8, 6, 1}, {3, 5, 7}, {2, 1, 60}})
      for (const size_t items = local[0] * local[1] * local[2]; const size_t n : {items / 2, items - 1, items, items + 1})
        expect_round_trips(bytes, kShifts, n, {{kGroups * local[0], local[1], local[2]}, local});
    release();
  }
}

struct Element {
  const char *name;
  size_t bytes;
};

class AsyncCopiesOf : public AsyncCopies, public ::testing::WithParamInterface<Element> {};

TEST_P(AsyncCopiesOf, GivenVectorsOfAnyWidth_WhenCopiedInAndOut_ThenOnlyTheyAreWritten) {
  constexpr size_t kShifts = 4, kGroups = kShifts * kShifts;
  for (const size_t width : {1, 2, 3, 4, 8, 16}) {
    const std::string type = GetParam().name + (width == 1 ? "" : std::to_string(width));
    build("round_trip", "-DT=" + type + " -DSHIFTS=" + std::to_string(kShifts));
    SCOPED_TRACE(type);
    const size_t bytes = GetParam().bytes * (width == 3 ? 4 : width), bulk = kLeastBulk / bytes;
    for (const size_t n : {size_t{0}, size_t{1}, size_t{2}, size_t{3}, size_t{33}, size_t{95}, size_t{96}, size_t{97}, bulk - 1,
                           bulk, bulk + 1, bulk + 17})
      expect_round_trips(bytes, kShifts, n, {{kGroups * 96, 1, 1}, {96, 1, 1}});
    release();
  }
}

INSTANTIATE_TEST_SUITE_P(Types, AsyncCopiesOf,
                         ::testing::Values(Element{"char", 1}, Element{"uchar", 1}, Element{"short", 2}, Element{"ushort", 2},
                                           Element{"int", 4}, Element{"uint", 4}, Element{"long", 8}, Element{"ulong", 8},
                                           Element{"half", 2}, Element{"float", 4}, Element{"double", 8}),
                         [](const auto &info) { return std::string(info.param.name); });

TEST_F(AsyncCopies, GivenTwoBuffers_WhenTilesComeAndGoInALoop_ThenEachIsWorkedOnOnce) {
  constexpr cl_uint kGroups = 40, kTiles = 333;
  build("tiles");
  // Tiles of an odd length all differ in alignment.
  for (const cl_uint ints : {cl_uint{16}, cl_uint{37}, cl_uint{1027}, cl_uint{2048}, cl_uint{2501}}) {
    const std::vector<cl_int> in = numbers(kTiles * ints);
    set_input(in);
    set(2, kTiles);
    set(3, ints);
    set_local(4, 2 * ints * sizeof(cl_int));
    EXPECT_EQ(run({{kGroups * 128, 1, 1}, {128, 1, 1}}, in.size()),
              expected(in.size(), [&](size_t i) { return 3 * static_cast<cl_uint>(in[i]) + i / ints; }))
        << ints;
  }
}

TEST_F(AsyncCopies, GivenSeveralCopies_WhenWaitedForTogether_ThenAllAreThere) {
  constexpr cl_uint kGroups = 60;
  build("pieces");
  for (const cl_uint ints : {cl_uint{12}, cl_uint{100}, cl_uint{1003}, cl_uint{6000}, cl_uint{6003}}) {
    const std::vector<cl_int> in = numbers(kGroups * ints);
    set_input(in);
    set(2, ints);
    set_local(3, ints * sizeof(cl_int));
    EXPECT_EQ(run({{kGroups * 64, 1, 1}, {64, 1, 1}}, in.size()), in) << ints;
  }
}

// The engine's barrier counts to 2^20 bytes: sizes lie below, at and beyond that limit.
TEST_F(AsyncCopies, GivenManyCopiesThatNobodyWaitsForUntilTheEnd_WhenAllHaveBegun_ThenAllCome) {
  constexpr cl_uint kGroups = 20, kInts = 8192;
  build("in_flight");
  const std::vector<cl_int> in = numbers(kInts);
  set_input(in);
  for (const cl_uint ints : {kInts, kInts - 4, kInts - 7})
    for (const cl_uint times : {31, 32, 33, 100}) {
      set(2, ints);
      set(3, times);
      set_local(4, ints * sizeof(cl_int));
      EXPECT_EQ(run({{kGroups * 64, 1, 1}, {64, 1, 1}}, kGroups * ints),
                expected(kGroups * ints, [&](size_t i) { return static_cast<cl_uint>(in[i % ints]) + i / ints; }))
          << ints << " × " << times;
    }
}

TEST_F(AsyncCopies, GivenAllLocalMemory_WhenCopiedInAndOut_ThenAllOfItIs) {
  build("in_flight");
  cl_ulong own = 0;
  ASSERT_EQ(clGetKernelWorkGroupInfo(kernel_, device_, CL_KERNEL_LOCAL_MEM_SIZE, sizeof own, &own, nullptr), CL_SUCCESS);
  const auto most = static_cast<cl_uint>((figure_of<cl_ulong>(device_, CL_DEVICE_LOCAL_MEM_SIZE) - own) / sizeof(cl_int));
  const std::vector<cl_int> in = numbers(most);
  set_input(in);
  set(2, most);
  set(3, cl_uint{7});
  set_local(4, most * sizeof(cl_int));
  EXPECT_EQ(run({{64, 1, 1}, {64, 1, 1}}, most), in);
}

TEST_F(AsyncCopies, GivenCopiesThatNobodyWaitsFor_WhenWorkGroupsEnd_ThenTheyHaveEndedToo) {
  constexpr cl_uint kInts = 6144, kGroups = 2000;
  build("unwaited");
  set_input(std::vector<cl_int>(kInts, -7));
  set(2, kInts);
  set_local(3, kInts * sizeof(cl_int));
  const size_t count = kInts * (kGroups / 2);
  EXPECT_EQ(run({{kGroups * 64, 1, 1}, {64, 1, 1}}, count), expected(count, [&](size_t i) { return i + i / kInts * kInts; }));
}

TEST_F(AsyncCopies, GivenWorkGroupsThatReturnEarly_WhenOthersCopy_ThenThoseHaveTheirs) {
  constexpr cl_uint kInts = 3000, kGroups = 999;
  build("early");
  const std::vector<cl_int> in = numbers(kGroups * kInts);
  set_input(in);
  set(2, kInts);
  set_local(3, kInts * sizeof(cl_int));
  EXPECT_EQ(run({{kGroups * 64, 1, 1}, {64, 1, 1}}, in.size()),
            expected(in.size(), [&](size_t i) { return static_cast<size_t>(i / kInts % 3 == 0 ? in[i] : -1); }));
}

TEST_F(AsyncCopies, GivenGlobalMemoryThatTheWorkGroupUses_WhenCopiedFromAndTo_ThenBothSeeWhatTheOtherWrote) {
  constexpr cl_uint kInts = 2500, kGroups = 300, kRounds = 20;
  build("through_global");
  for (const cl_uint ints : {cl_uint{64}, kInts, kInts - 1}) {
    std::vector<cl_int> memory(size_t{2} * kGroups * ints);
    for (size_t i = 0; i < memory.size(); ++i)
      memory[i] = static_cast<cl_int>(i % ints - ints);  // from the round before the first
    set_input(memory);
    set(2, ints);
    set(3, kRounds);
    set_local(4, ints * sizeof(cl_int));
    EXPECT_EQ(run({{kGroups * 256, 1, 1}, {256, 1, 1}}, kGroups, 0), std::vector<cl_int>(kGroups, 0)) << ints;
  }
}

}  // namespace
}  // namespace upsweep::tests
