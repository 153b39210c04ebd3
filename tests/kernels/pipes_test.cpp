// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pipes: no packet is lost, duplicated or torn, and calls report a full or an empty pipe.
#include "kernel_runner.h"

#include <map>
#include <numeric>
#include <random>
#include <set>

namespace upsweep::tests {
namespace {

class PipeTest : public KernelRunner {
protected:
  void TearDown() override {
    for (cl_mem memory : memory_) clReleaseMemObject(memory);
    for (auto &[name, kernel] : kernels_) clReleaseKernel(kernel);
    KernelRunner::TearDown();
  }

  void build_all() { build_file("pipes.cl", "-cl-std=CL3.0"); }
  void build_packets(cl_uint words) { build_file("pipe_packets.cl", "-cl-std=CL3.0 -DPACKET_WORDS=" + std::to_string(words)); }

  void build_file(const char *file, const std::string &options) {
    for (auto &[name, kernel] : kernels_) clReleaseKernel(kernel);
    kernels_.clear();
    release();
    const auto [status, log] = try_build(file, options);
    ASSERT_EQ(status, CL_SUCCESS) << log;
  }

  cl_mem pipe(cl_uint packet_bytes, cl_uint packets) {
    cl_int error = -1;
    memory_.push_back(clCreatePipe(context_, 0, packet_bytes, packets, nullptr, &error));
    EXPECT_EQ(error, CL_SUCCESS);
    return memory_.back();
  }

  cl_mem ints(size_t n, cl_int start) {
    std::vector<cl_int> values(n, start);
    memory_.push_back(clCreateBuffer(context_, CL_MEM_COPY_HOST_PTR, n * sizeof(cl_int), values.data(), nullptr));
    return memory_.back();
  }
  std::vector<cl_int> read(cl_mem buffer, size_t n) {
    std::vector<cl_int> values(n);
    EXPECT_EQ(clEnqueueReadBuffer(queue_, buffer, CL_TRUE, 0, n * sizeof(cl_int), values.data(), 0, nullptr, nullptr),
              CL_SUCCESS);
    return values;
  }

  cl_kernel kernel(const char *name) {
    cl_kernel &made = kernels_[name];
    if (!made) made = clCreateKernel(program_, name, nullptr);
    EXPECT_NE(made, nullptr) << name;
    return made;
  }

  template <typename... Arguments>
  void launch(cl_command_queue queue, const char *name, size_t global, size_t local, const Arguments &...arguments) {
    cl_uint index = 0;
    for (cl_int error : {clSetKernelArg(kernel(name), index++, sizeof arguments, &arguments)...})
      EXPECT_EQ(error, CL_SUCCESS) << name;
    EXPECT_EQ(clEnqueueNDRangeKernel(queue, kernel(name), 1, nullptr, &global, &local, 0, nullptr, nullptr), CL_SUCCESS);
  }
  template <typename... Arguments>
  std::vector<cl_int> run(const char *name, size_t global, size_t local, size_t outputs, cl_int start,
                          const Arguments &...arguments) {
    const cl_mem out = ints(outputs, start);
    launch(queue_, name, global, local, out, arguments...);
    return read(out, outputs);
  }

  std::vector<cl_mem> memory_;
  std::map<std::string, cl_kernel> kernels_;
};

size_t successes(const std::vector<cl_int> &results) {
  size_t n = 0;
  for (cl_int result : results) n += result == 0;
  return n;
}

TEST_F(PipeTest, GivenOneWorkItemAtATime_WhenItWritesAndReads_ThenPacketsComeInOrder) {
  build_all();
  const cl_mem p = pipe(4, 3);
  for (int round = 0; round < 5; ++round) {
    // Successive work-groups of one work-item.
    for (int i = 0; i < 4; ++i) EXPECT_EQ(run("write_each", 1, 1, 1, -1, p)[0], i < 3 ? 0 : -1) << i;
    for (int i = 0; i < 4; ++i) EXPECT_EQ(run("read_each", 1, 1, 1, -1, p)[0], i < 3 ? 0 : -2) << i;
  }
  run("commit_in_other_order", 1, 1, 1, -1, p);
  EXPECT_EQ(run("read_each", 1, 1, 1, -1, p)[0], 20);
  EXPECT_EQ(run("read_each", 1, 1, 1, -1, p)[0], 10);
}

TEST_F(PipeTest, GivenManyWorkItems_WhenAllWrite_ThenAsManyGetInAsFit) {
  build_all();
  for (const auto [items, local, packets] : {std::array<size_t, 3>{1, 1, 1},
                                             {64, 64, 64},
                                             {64, 64, 63},
                                             {64, 16, 5},
                                             {1000, 40, 1000},
                                             {1000, 40, 999},
                                             {4096, 256, 1},
                                             {4096, 128, 5000},
                                             {20000, 100, 12345}}) {
    SCOPED_TRACE(testing::Message() << items << " work-items by " << local << ", " << packets << " packets");
    const cl_mem p = pipe(4, static_cast<cl_uint>(packets));
    for (int round = 0; round < 3; ++round) {
      const std::vector<cl_int> results = run("write_each", items, local, items, -9, p);
      EXPECT_EQ(successes(results), std::min(items, packets));
      const std::vector<cl_int> values = run("read_each", items, local, items, -9, p);
      std::vector<cl_int> got(items, -1);
      for (cl_int value : values) {
        if (value == -2) continue;
        ASSERT_TRUE(value >= 0 && value < static_cast<cl_int>(items)) << value;
        EXPECT_EQ(got[static_cast<size_t>(value)], -1) << value << " was read twice";
        got[static_cast<size_t>(value)] = 0;
      }
      EXPECT_EQ(got, results);
      EXPECT_EQ(run("read_each", 1, 1, 1, -1, p)[0], -2);
    }
  }
}

TEST_F(PipeTest, GivenPacketsByChance_WhenAllWorkItemsReadInLoops_ThenEachIsReadOnce) {
  build_all();
  for (const auto [items, local] : {std::array<size_t, 2>{1, 1}, {77, 77}, {4000, 50}, {8192, 256}}) {
    const cl_mem p = pipe(4, static_cast<cl_uint>(5 * items));
    const std::vector<cl_int> written = run("write_some", items, local, items, -9, p);
    std::vector<cl_int> wanted(5 * items, 0);
    for (size_t i = 0; i < items; ++i) {
      EXPECT_EQ(written[i], static_cast<cl_int>(i % 5));
      for (size_t j = 0; j < i % 5; ++j) wanted[5 * i + j] = 1;
    }
    const cl_mem seen = ints(5 * items, 0);
    const std::vector<cl_int> counts = run("drain", items, local, items, -9, p, seen);
    EXPECT_EQ(std::accumulate(counts.begin(), counts.end(), 0), std::accumulate(wanted.begin(), wanted.end(), 0));
    EXPECT_EQ(read(seen, 5 * items), wanted);
  }
}

TEST_F(PipeTest, GivenPacketsOfAnySize_WhenWrittenAndRead_ThenTheyAreWhole) {
  for (cl_uint words : {2, 3, 8, 25}) {
    SCOPED_TRACE(words);
    build_packets(words);
    const cl_mem p = pipe(4 * words, 700);
    for (int round = 0; round < 2; ++round) {
      const std::vector<cl_int> results = run("write_checked", 1000, 50, 1000, -9, p);
      EXPECT_EQ(successes(results), 700U);
      std::set<cl_int> values;
      for (cl_int value : run("read_checked", 1000, 50, 1000, -9, p))
        EXPECT_TRUE(value == -2 || (value >= 0 && values.insert(value).second)) << value;
      EXPECT_EQ(values.size(), 700U);
    }
  }
}

TEST_F(PipeTest, GivenTypes_WhenWrittenFromPrivateAndReadToLocalMemory_ThenValuesAreTheSame) {
  build_all();
  for (const auto &[type, bytes] :
       std::map<std::string, cl_uint>{{"char", 1}, {"short", 2}, {"char3", 4}, {"ulong", 8}, {"double16", 128}}) {
    SCOPED_TRACE(type);
    const cl_mem p = pipe(bytes, 90);
    for (int i = 0; i < 90; ++i) EXPECT_EQ(run(("write_" + type).c_str(), 1, 1, 1, -9, p)[0], 0);
    EXPECT_EQ(run(("write_" + type).c_str(), 1, 1, 1, -9, p)[0], -1);
    for (int i = 0; i < 90; ++i) EXPECT_EQ(run(("read_" + type).c_str(), 1, 1, 1, -9, p)[0], 1);
  }
}

TEST_F(PipeTest, GivenAPipeOfOtherPackets_WhenWrittenAndRead_ThenTheCallsFailAndNothingIsTouched) {
  build_all();
  const cl_mem p = pipe(8, 4);
  EXPECT_EQ(run("write_each", 4, 4, 4, -9, p), std::vector<cl_int>(4, -1));
  EXPECT_EQ(run("read_each", 4, 4, 4, -9, p), std::vector<cl_int>(4, -2));
  EXPECT_EQ(run("reserve_each", 4, 4, 1, 0, p, cl_uint{1})[0], 4);
}

struct Reservations {
  const char *write, *read;
  size_t items, local;  ///< work-items; groups of `local` make a reservation, 0 stands for a sub-group
  cl_uint n;
};

class ReservationTest : public PipeTest, public testing::WithParamInterface<Reservations> {};

TEST_P(ReservationTest, GivenReservations_WhenWrittenAndRead_ThenTheirPacketsAreTogetherAndInOrder) {
  const auto [write, read_name, items, local, n] = GetParam();
  build_all();
  size_t sub_group = 0;
  const size_t group = local ? local : 64;
  EXPECT_EQ(clGetKernelSubGroupInfo(kernel(write), device_, CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE, sizeof group, &group,
                                    sizeof sub_group, &sub_group, nullptr),
            CL_SUCCESS);
  const bool is_single = std::string(write) == "reserve_each";
  const size_t makers = is_single ? items : items / (local ? local : std::min(sub_group, group));
  // Two of the last packets do not fit. The end of the ring is at another place in each round.
  const size_t fitting = std::max<size_t>(makers, 3) - 2;
  const cl_mem p = pipe(4, static_cast<cl_uint>(fitting * n + n / 2));
  for (int round = 0; round < 4; ++round) {
    EXPECT_EQ(run(write, items, is_single ? 10 : group, 1, 0, p, n)[0],
              static_cast<cl_int>(makers - std::min(makers, fitting)));
    const std::vector<cl_int> values = run(read_name, items, is_single ? 10 : group, 1 + makers * n, -9, p, n);
    std::set<cl_int> seen;
    for (size_t i = 0; i < makers; ++i) {
      const cl_int first = values[1 + i * n];
      for (size_t j = 0; j < n; ++j) EXPECT_EQ(values[1 + i * n + j], first < 0 ? -2 : first + static_cast<cl_int>(j)) << i;
      EXPECT_TRUE(first == -2 || (first % 1000 == 0 && seen.insert(first).second)) << first;
    }
    EXPECT_EQ(seen.size(), std::min(makers, fitting));
  }
}

INSTANTIATE_TEST_SUITE_P(Makers, ReservationTest,
                         testing::Values(Reservations{"reserve_each", "read_each_reserved", 500, 1, 1},
                                         Reservations{"reserve_each", "read_each_reserved", 500, 1, 7},
                                         Reservations{"reserve_by_groups", "read_by_groups", 640, 64, 1},
                                         Reservations{"reserve_by_groups", "read_by_groups", 640, 64, 64},
                                         Reservations{"reserve_by_groups", "read_by_groups", 1000, 50, 333},
                                         Reservations{"reserve_by_groups", "read_by_groups", 30, 1, 17},
                                         Reservations{"reserve_by_sub_groups", "read_by_sub_groups", 640, 0, 5},
                                         Reservations{"reserve_by_sub_groups", "read_by_sub_groups", 640, 0, 200}),
                         [](const auto &info) {
                           return std::string(info.param.write) + "_" + std::to_string(info.param.n) + "_by_" +
                                  std::to_string(info.param.local);
                         });

TEST_F(PipeTest, GivenReservations_WhenCounted_ThenWhatCanBeReadCounts) {
  build_all();
  const cl_mem p = pipe(4, 8);
  EXPECT_EQ(run("count_write", 1, 1, 11, -9, p), (std::vector<cl_int>{8, 0, 2, 2, 0, 5, 0, 0, 0, 1, 1}));
  EXPECT_EQ(run("count_read", 1, 1, 5, -9, p), (std::vector<cl_int>{8, 6, 5, 3, 0}));
}

TEST_F(PipeTest, GivenAWriterAndAReaderAtATime_WhenTheyShareASmallPipe_ThenNoPacketIsLostDoubledOrTorn) {
  build_packets(5);
  cl_command_queue other = clCreateCommandQueueWithProperties(context_, device_, nullptr, nullptr);
  constexpr size_t kItems = 512;
  constexpr cl_int kMost = 20;
  const cl_mem p = pipe(20, 300), written = ints(kItems, 0), seen = ints(kItems * kMost, 0), torn = ints(1, 0);
  std::vector<cl_int> counts;
  // Launches are repeated until all packets have passed, since the two kernels need not run at the same time.
  for (int i = 0; i < 10000; ++i) {
    launch(queue_, "produce", kItems, 64, written, p, cl_int{5}, kMost);
    launch(other, "consume", kItems, 64, seen, p, cl_int{5}, torn);
    clFlush(queue_);
    clFlush(other);
    if (i % 8 != 7) continue;
    clFinish(queue_);
    clFinish(other);
    counts = read(written, kItems);
    const std::vector<cl_int> times = read(seen, kItems * kMost);
    if (std::accumulate(times.begin(), times.end(), 0) >= static_cast<cl_int>(kItems) * kMost) break;
  }
  EXPECT_EQ(counts, std::vector<cl_int>(kItems, kMost));
  EXPECT_EQ(read(seen, kItems * kMost), std::vector<cl_int>(kItems * kMost, 1));
  EXPECT_EQ(read(torn, 1)[0], 0);
  clReleaseCommandQueue(other);
}

}  // namespace
}  // namespace upsweep::tests
