// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Command buffers of GPU devices: random commands, compared with a model.
#include "graphs_fixture.h"
#include <algorithm>
#include <cstring>
#include <functional>
#include <random>

namespace upsweep::tests {
namespace {

/// Random commands on arrays. A command waits for the commands whose results it needs or overwrites.
class RandomCommands {
public:
  static constexpr size_t kArrays = 4, kInts = 64;

  explicit RandomCommands(unsigned seed) : random_(seed) {
    for (auto &array : arrays_) std::ranges::generate(array, [this] { return static_cast<int>(random_() % 1000); });
  }
  const std::vector<int> &array(size_t i) const { return arrays_[i]; }
  size_t below(size_t end) { return random_() % end; }
  /// The sync points before which a command that reads and writes these arrays must not run.
  Points waits(size_t read, size_t written) const {
    Points points = readers_[written];
    for (const size_t i : {read, written})
      if (writers_[i]) points.push_back(writers_[i]);
    return points;
  }
  void note(cl_sync_point_khr point, size_t read, size_t written) {
    if (read != written) readers_[read].push_back(point);
    readers_[written].clear();
    writers_[written] = point;
  }

  /// Runs all commands in their order.
  void run() {
    for (const auto &step : steps_) step(arrays_);
  }
  using Arrays = std::array<std::vector<int>, kArrays>;
  void add_step(std::function<void(Arrays &)> step) { steps_.push_back(std::move(step)); }

private:
  std::mt19937 random_;
  Arrays arrays_{std::vector<int>(kInts), std::vector<int>(kInts), std::vector<int>(kInts), std::vector<int>(kInts)};
  std::array<cl_sync_point_khr, kArrays> writers_{};
  std::array<Points, kArrays> readers_;
  std::vector<std::function<void(Arrays &)>> steps_;
};

class RandomGraphs : public GpuGraphs {
protected:
  void check(bool in_order, unsigned seed) {
    SCOPED_TRACE(seed);
    RandomCommands model(seed);
    for (size_t i = 0; i < RandomCommands::kArrays; ++i) memory_[i] = make_ints(model.array(i));
    cl_command_queue queue = make_queue(gpus_[0], in_order ? 0 : CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    buffer_ = create(queue);
    for (int i = 0; i < 40; ++i) {
      const size_t from = model.below(RandomCommands::kArrays), to = model.below(RandomCommands::kArrays);
      const Points waits = in_order ? Points() : model.waits(from, to);
      const cl_sync_point_khr point = record_one(model, model.below(5), from, to, waits);
      model.note(point, from, to);
    }
    finalize(buffer_);
    for (int round = 0; round < 3; ++round) {
      const auto before = fake() ? launches() : std::array<size_t, 2>();
      enqueue(buffer_);
      EXPECT_EQ(clFinish(queue), CL_SUCCESS);
      model.run();
      if (fake()) EXPECT_EQ(launches(), (std::array{before[0] + 1, before[1]}));
      for (size_t i = 0; i < RandomCommands::kArrays; ++i)
        EXPECT_EQ(read(queue, memory_[i], RandomCommands::kInts), model.array(i)) << i;
    }
    release(buffer_);
  }

private:
  cl_sync_point_khr record_one(RandomCommands &model, size_t kind, size_t from, size_t to, const Points &waits) {
    cl_sync_point_khr point = 0;
    const size_t first = model.below(RandomCommands::kInts / 2), ints = 4 * (1 + model.below(8)), other = (first + ints) % 32;
    if (kind == 0) {
      model.add_step([=](auto &arrays) {
        for (size_t i = 0; i < ints; ++i) arrays[to][first + i] += 7;
      });
      return record(buffer_, make_kernel("add", memory_[to], 7), ints, waits, 0, first).point;
    }
    if (kind == 1 && from != to) {
      model.add_step([=](auto &arrays) { arrays[to] = arrays[from]; });
      return record(buffer_, make_kernel("copy", memory_[from], memory_[to]), RandomCommands::kInts, waits).point;
    }
    if (kind == 2 && from != to) {
      EXPECT_EQ(cl_.clCommandCopyBufferKHR(buffer_, nullptr, nullptr, memory_[from], memory_[to], 4 * first, 4 * other,
                                           4 * ints, count(waits), list(waits), &point, nullptr),
                CL_SUCCESS);
      model.add_step([=](auto &arrays) {
        std::copy_n(arrays[from].begin() + static_cast<ptrdiff_t>(first), ints,
                    arrays[to].begin() + static_cast<ptrdiff_t>(other));
      });
      return point;
    }
    if (kind == 3) {
      // Patterns of 4 to 16 bytes; equal halves are shorter patterns.
      const std::vector<int> pattern{static_cast<int>(model.below(3)), static_cast<int>(model.below(2)), 0, 1};
      const size_t length = size_t{1} << model.below(3), begin = first / 4 * 4;
      EXPECT_EQ(cl_.clCommandFillBufferKHR(buffer_, nullptr, nullptr, memory_[to], pattern.data(), 4 * length, 4 * begin,
                                           4 * ints, count(waits), list(waits), &point, nullptr),
                CL_SUCCESS);
      model.add_step([=](auto &arrays) {
        for (size_t i = 0; i < ints; ++i) arrays[to][begin + i] = pattern[i % length];
      });
      return point;
    }
    // A barrier; with a wait list it waits for these commands alone, and later commands for it.
    EXPECT_EQ(cl_.clCommandBarrierWithWaitListKHR(buffer_, nullptr, nullptr, count(waits), list(waits), &point, nullptr),
              CL_SUCCESS);
    return point;
  }

  std::array<cl_mem, RandomCommands::kArrays> memory_{};
  cl_command_buffer_khr buffer_ = nullptr;
};

TEST_F(RandomGraphs, GivenCommandsOfAnOutOfOrderQueue_WhenRun_ThenOneGraphGivesTheModelsResults) {
  for (unsigned seed = 0; seed < 20; ++seed) check(false, seed);
}

TEST_F(RandomGraphs, GivenCommandsOfAnInOrderQueue_WhenRun_ThenOneGraphGivesTheModelsResults) {
  for (unsigned seed = 0; seed < 20; ++seed) check(true, seed);
}

}  // namespace
}  // namespace upsweep::tests
