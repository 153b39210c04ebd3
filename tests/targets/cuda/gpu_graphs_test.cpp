// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Command buffers of GPU devices: as CUDA graphs, which are updated in place, and by enqueues where a command needs the host.
#include "../../sanitizer.h"
#include "api/command_buffer_functions.h"
#include "gpu_fixture.h"
#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>
#include <random>

namespace upsweep::tests {
namespace {

struct Functions {
#define UPSWEEP_ENTRY(name) decltype(&upsweep::name) name = nullptr;
#include "api/command_buffer_functions.def"
#undef UPSWEEP_ENTRY
};

using Points = std::vector<cl_sync_point_khr>;

class GpuGraphs : public GpuFixture {
protected:
  static constexpr size_t kItems = 64;

  void SetUp() override {
    GpuFixture::SetUp();
    cl_platform_id platform = nullptr;
    ASSERT_EQ(clGetPlatformIDs(1, &platform, nullptr), CL_SUCCESS);
#define UPSWEEP_ENTRY(name)                                                                                                    \
  cl_.name = reinterpret_cast<decltype(cl_.name)>(clGetExtensionFunctionAddressForPlatform(platform, #name));                  \
  ASSERT_NE(cl_.name, nullptr) << #name;
#include "api/command_buffer_functions.def"
#undef UPSWEEP_ENTRY
  }
  bool all_is_given_back() const override { return fake()->allocations == kept_ && fake()->graphs == 0; }

  cl_command_buffer_khr create(cl_command_queue queue, cl_command_buffer_flags_khr flags = 0) {
    const cl_command_buffer_properties_khr properties[] = {CL_COMMAND_BUFFER_FLAGS_KHR, flags, 0};
    cl_int error = -1;
    cl_command_buffer_khr buffer = cl_.clCreateCommandBufferKHR(1, &queue, flags ? properties : nullptr, &error);
    EXPECT_EQ(error, CL_SUCCESS);
    return buffer;
  }
  void finalize(cl_command_buffer_khr buffer) { EXPECT_EQ(cl_.clFinalizeCommandBufferKHR(buffer), CL_SUCCESS); }
  void release(cl_command_buffer_khr buffer) { EXPECT_EQ(cl_.clReleaseCommandBufferKHR(buffer), CL_SUCCESS); }
  void enqueue(cl_command_buffer_khr buffer, const std::vector<cl_event> &waits = {}, cl_event *event = nullptr) {
    EXPECT_EQ(cl_.clEnqueueCommandBufferKHR(0, nullptr, buffer, static_cast<cl_uint>(waits.size()),
                                            waits.empty() ? nullptr : waits.data(), event),
              CL_SUCCESS);
  }

  struct Recorded {
    cl_sync_point_khr point = 0;
    cl_mutable_command_khr handle = nullptr;
  };
  Recorded record(cl_command_buffer_khr buffer, cl_kernel kernel, size_t items, const Points &waits = {}, size_t local = 0,
                  size_t offset = 0) {
    Recorded recorded;
    EXPECT_EQ(cl_.clCommandNDRangeKernelKHR(buffer, nullptr, nullptr, kernel, 1, &offset, &items, local ? &local : nullptr,
                                            count(waits), list(waits), &recorded.point, &recorded.handle),
              CL_SUCCESS);
    clReleaseKernel(kernel);
    return recorded;
  }
  Recorded record_add(cl_command_buffer_khr buffer, cl_mem data, int value, size_t items = kItems, const Points &waits = {}) {
    return record(buffer, make_kernel("add", data, value), items, waits);
  }
  template <typename T>
  cl_kernel make_kernel(const char *name, cl_mem first, T second, cl_program program = nullptr) {
    cl_kernel kernel = clCreateKernel(program ? program : program_, name, nullptr);
    EXPECT_EQ(clSetKernelArg(kernel, 0, sizeof first, &first), CL_SUCCESS);
    EXPECT_EQ(clSetKernelArg(kernel, 1, sizeof second, &second), CL_SUCCESS);
    return kernel;
  }
  static cl_uint count(const Points &points) { return static_cast<cl_uint>(points.size()); }
  static const cl_sync_point_khr *list(const Points &points) { return points.empty() ? nullptr : points.data(); }

  cl_int update(cl_command_buffer_khr buffer, const MutableDispatchConfig &config) {
    const void *pointer = &config;
    return cl_.clUpdateMutableCommandsKHR(buffer, 1, &kMutableDispatchUpdate, &pointer);
  }
  cl_int set_value(cl_command_buffer_khr buffer, cl_mutable_command_khr command, int value) {
    const MutableDispatchArgument argument{1, sizeof value, &value};
    return update(buffer, {.command = command, .num_args = 1, .arg_list = &argument});
  }

  /// Moves buffers to the GPU, which cannot happen while it stands still.
  void move(const std::vector<cl_mem> &buffers) {
    for (cl_mem buffer : buffers) EXPECT_EQ(add(queue_, buffer, 0, 1), CL_SUCCESS);
    EXPECT_EQ(clFinish(queue_), CL_SUCCESS);
  }

  /// Launches by graphs, and of single kernels.
  static std::array<size_t, 2> launches() { return {fake()->graph_launches, fake()->launches}; }

  Functions cl_;
  static inline size_t kept_ = 0;  ///< allocations that the driver keeps, for printf
};

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

TEST_F(GpuGraphs, GivenAChainOfKernels_WhenEnqueuedWithCommandsAround_ThenTheOrderHolds) {
  cl_mem data = make_ints(std::vector<int>(kItems, 0));
  cl_command_buffer_khr buffer = create(queue_);
  for (int i = 0; i < 1000; ++i) record_add(buffer, data, 1);
  finalize(buffer);
  for (int i = 0; i < 5; ++i) {
    enqueue(buffer);
    EXPECT_EQ(add(queue_, data, 10, kItems), CL_SUCCESS);
  }
  EXPECT_EQ(read(queue_, data, kItems), std::vector<int>(kItems, 5050));
  if (fake()) EXPECT_EQ(fake()->graphs, 1u);
  release(buffer);
}

TEST_F(GpuGraphs, GivenLongCopies_WhenRun_ThenAllBytesArrive) {
  const size_t count = kSanitized ? 300'001 : 3'000'001;
  const std::vector<int> values = counting(count);
  cl_mem from = make_ints(values), to = make_ints(std::vector<int>(count, 0));
  cl_command_buffer_khr buffer = create(queue_);
  EXPECT_EQ(cl_.clCommandCopyBufferKHR(buffer, nullptr, nullptr, from, to, 0, 0, 4 * count, 0, nullptr, nullptr, nullptr),
            CL_SUCCESS);
  finalize(buffer);
  enqueue(buffer);
  EXPECT_EQ(read(queue_, to, count), values);
  release(buffer);
}

TEST_F(GpuGraphs, GivenNoCommandsOrNoWork_WhenEnqueued_ThenTheEventCompletes) {
  cl_mem data = make_ints(std::vector<int>(kItems, 1));
  for (const bool has_kernel : {false, true}) {
    cl_command_buffer_khr buffer = create(queue_);
    if (has_kernel) record_add(buffer, data, 1, 0);
    finalize(buffer);
    cl_event event = nullptr;
    enqueue(buffer, {}, &event);
    EXPECT_EQ(clWaitForEvents(1, &event), CL_SUCCESS);
    EXPECT_EQ(status_of(event), CL_COMPLETE);
    clReleaseEvent(event);
    release(buffer);
  }
  EXPECT_EQ(read(queue_, data, kItems), std::vector<int>(kItems, 1));
}

TEST_F(GpuGraphs, GivenUpdates_WhenEnqueued_ThenTheGraphIsUpdatedInPlace) {
  cl_mem data = make_ints(std::vector<int>(kItems, 0)), other = make_ints(std::vector<int>(kItems, 0));
  cl_command_buffer_khr buffer = create(queue_, CL_COMMAND_BUFFER_MUTABLE_KHR);
  const cl_mutable_command_khr command = record_add(buffer, data, 1).handle;
  record_add(buffer, data, 1000);
  finalize(buffer);
  const size_t made = fake() ? fake()->graphs_made.load() : 0, updated = fake() ? fake()->nodes_updated.load() : 0;
  for (int i = 1; i <= 10; ++i) {
    EXPECT_EQ(set_value(buffer, command, i), CL_SUCCESS);
    enqueue(buffer);
  }
  EXPECT_EQ(read(queue_, data, kItems), std::vector<int>(kItems, 10055));
  const size_t half = kItems / 2;
  const MutableDispatchArgument argument{0, sizeof other, &other};
  EXPECT_EQ(update(buffer, {.command = command, .num_args = 1, .arg_list = &argument, .global_work_size = &half}), CL_SUCCESS);
  enqueue(buffer);
  std::vector<int> expected(kItems, 0);
  std::fill_n(expected.begin(), half, 10);
  EXPECT_EQ(read(queue_, other, kItems), expected);
  EXPECT_EQ(read(queue_, data, kItems), std::vector<int>(kItems, 11055));
  if (fake()) {
    EXPECT_EQ(fake()->graphs_made, made);
    EXPECT_EQ(fake()->nodes_updated, updated + 11);
  }
  release(buffer);
}

TEST_F(GpuGraphs, GivenUpdatesThatNeedOtherNodes_WhenEnqueued_ThenThereIsANewGraph) {
  cl_mem data = make_ints(std::vector<int>(kItems, 0));
  cl_command_buffer_khr buffer = create(queue_, CL_COMMAND_BUFFER_MUTABLE_KHR);
  const cl_mutable_command_khr command = record_add(buffer, data, 1).handle;
  record_add(buffer, data, 100);
  finalize(buffer);
  enqueue(buffer);
  for (const size_t items : {size_t{0}, kItems, size_t{0}}) {
    EXPECT_EQ(update(buffer, {.command = command, .global_work_size = &items}), CL_SUCCESS);
    enqueue(buffer);
  }
  EXPECT_EQ(read(queue_, data, kItems), std::vector<int>(kItems, 402));
  if (fake()) {
    // The driver may also reject an update.
    const size_t made = fake()->graphs_made, items = kItems;
    EXPECT_EQ(update(buffer, {.command = command, .global_work_size = &items}), CL_SUCCESS);
    enqueue(buffer);
    fake()->refuses_updates = true;
    EXPECT_EQ(set_value(buffer, command, 5), CL_SUCCESS);
    enqueue(buffer);
    EXPECT_EQ(read(queue_, data, kItems), std::vector<int>(kItems, 608));
    fake()->refuses_updates = false;
    EXPECT_EQ(fake()->graphs_made, made + 2);
  }
  release(buffer);
}

TEST_F(GpuGraphs, GivenPendingEnqueues_WhenUpdated_ThenEachRunHasItsOwnArguments) {
  cl_mem data = make_ints(std::vector<int>(kItems, 0));
  cl_command_buffer_khr buffer = create(queue_, CL_COMMAND_BUFFER_MUTABLE_KHR | CL_COMMAND_BUFFER_SIMULTANEOUS_USE_KHR);
  const cl_mutable_command_khr command = record_add(buffer, data, 1).handle;
  finalize(buffer);
  move({data});
  // The first enqueue runs last, with its own arguments.
  cl_int error = -1;
  cl_event user = clCreateUserEvent(context_, &error);
  cl_command_queue later = make_queue(gpus_[0], 0);
  ASSERT_EQ(cl_.clEnqueueCommandBufferKHR(1, &later, buffer, 1, &user, nullptr), CL_SUCCESS);
  if (fake()) fake()->is_halted = true;
  for (int value : {10, 100, 1000}) {
    EXPECT_EQ(set_value(buffer, command, value), CL_SUCCESS);
    enqueue(buffer);
  }
  if (fake()) fake()->is_halted = false;
  EXPECT_EQ(read(queue_, data, kItems), std::vector<int>(kItems, 1110));
  EXPECT_EQ(clSetUserEventStatus(user, CL_COMPLETE), CL_SUCCESS);
  EXPECT_EQ(clFinish(later), CL_SUCCESS);
  EXPECT_EQ(read(queue_, data, kItems), std::vector<int>(kItems, 1111));
  clReleaseEvent(user);
  release(buffer);
}

TEST_F(GpuGraphs, GivenThreads_WhenTheyUpdateAndEnqueue_ThenEachRunIsWhole) {
  constexpr int kThreads = 4, kRuns = 100;
  cl_mem data = make_ints(std::vector<int>(kItems, 0));
  cl_command_buffer_khr buffer = create(queue_, CL_COMMAND_BUFFER_MUTABLE_KHR | CL_COMMAND_BUFFER_SIMULTANEOUS_USE_KHR);
  const cl_mutable_command_khr command = record_add(buffer, data, 1).handle;
  record_add(buffer, data, 2);
  finalize(buffer);
  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t)
    threads.emplace_back([&, t] {
      const size_t items = kItems;
      for (int i = 0; i < kRuns; ++i) {
        // Changes of the same values, so that the sum does not depend on the order.
        wrong += (t % 2 ? update(buffer, {.command = command, .global_work_size = &items}) : set_value(buffer, command, 1)) !=
                 CL_SUCCESS;
        wrong += cl_.clEnqueueCommandBufferKHR(0, nullptr, buffer, 0, nullptr, nullptr) != CL_SUCCESS;
      }
    });
  for (std::thread &thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(read(queue_, data, kItems), std::vector<int>(kItems, 3 * kThreads * kRuns));
  release(buffer);
}

TEST_F(GpuGraphs, GivenSimultaneousUse_WhenEnqueuedOnSeveralQueues_ThenEachRuns) {
  cl_mem data = make_ints(std::vector<int>(kItems, 0));
  cl_command_queue queues[] = {make_queue(gpus_[0], CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE), make_queue(gpus_[0], 0)};
  cl_command_buffer_khr buffer = create(queues[0], CL_COMMAND_BUFFER_SIMULTANEOUS_USE_KHR);
  record_add(buffer, data, 1);
  finalize(buffer);
  cl_event last = nullptr;
  for (int i = 0; i < 100; ++i) {
    cl_event event = nullptr;
    EXPECT_EQ(cl_.clEnqueueCommandBufferKHR(1, &queues[i % 2], buffer, last ? 1 : 0, last ? &last : nullptr, &event),
              CL_SUCCESS);
    if (last) clReleaseEvent(last);
    last = event;
  }
  EXPECT_EQ(clWaitForEvents(1, &last), CL_SUCCESS);
  clReleaseEvent(last);
  EXPECT_EQ(read(queue_, data, kItems), std::vector<int>(kItems, 100));
  release(buffer);
}

TEST_F(GpuGraphs, GivenTwoDevices_WhenTheyUseTheMemoryInTurn_ThenEachSeesTheOthersBytes) {
  cl_mem data = make_ints(std::vector<int>(kItems, 0));
  cl_command_queue on_cpu = make_queue(cpu_, 0);
  cl_command_buffer_khr buffer = create(queue_);
  record_add(buffer, data, 1);
  finalize(buffer);
  for (int i = 0; i < 10; ++i) {
    cl_event events[2] = {};
    enqueue(buffer, {}, &events[0]);
    EXPECT_EQ(add(on_cpu, data, 10, kItems, {events[0]}, &events[1]), CL_SUCCESS);
    EXPECT_EQ(clWaitForEvents(1, &events[1]), CL_SUCCESS);
    for (cl_event event : events) clReleaseEvent(event);
  }
  EXPECT_EQ(read(queue_, data, kItems), std::vector<int>(kItems, 110));
  release(buffer);
}

TEST_F(GpuGraphs, GivenAPendingEnqueue_WhenEverythingIsReleased_ThenItRuns) {
  cl_mem data = make_ints(std::vector<int>(kItems, 0)), result = make_ints(std::vector<int>(kItems, 0));
  cl_command_buffer_khr buffer = create(queue_);
  const cl_sync_point_khr point = record_add(buffer, data, 9).point;
  record(buffer, make_kernel("copy", data, result), kItems, {point});
  finalize(buffer);
  move({data, result});
  if (fake()) fake()->is_halted = true;
  enqueue(buffer);
  release(buffer);
  buffers_.erase(std::ranges::find(buffers_, data));
  clReleaseMemObject(data);
  if (fake()) {
    EXPECT_EQ(fake()->graphs, 1u);
    fake()->is_halted = false;
  }
  EXPECT_EQ(read(queue_, result, kItems), std::vector<int>(kItems, 9));
}

TEST_F(GpuGraphs, GivenAFailedWaitList_WhenEnqueued_ThenNothingRunsAndTheOldBytesStay) {
  cl_mem data = make_ints(std::vector<int>(kItems, 7));
  cl_command_buffer_khr buffer = create(queue_);
  const int zero = 0;
  EXPECT_EQ(cl_.clCommandFillBufferKHR(buffer, nullptr, nullptr, data, &zero, 4, 0, 4 * kItems, 0, nullptr, nullptr, nullptr),
            CL_SUCCESS);
  finalize(buffer);
  cl_int error = -1;
  cl_event user = clCreateUserEvent(context_, &error), event = nullptr;
  enqueue(buffer, {user}, &event);
  EXPECT_EQ(clSetUserEventStatus(user, -5), CL_SUCCESS);
  EXPECT_EQ(clWaitForEvents(1, &event), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
  EXPECT_LT(status_of(event), 0);
  EXPECT_EQ(read(queue_, data, kItems), std::vector<int>(kItems, 7));
  clReleaseEvent(event);
  clReleaseEvent(user);
  release(buffer);
}

TEST_F(GpuGraphs, GivenProfiling_WhenRun_ThenTheTimesAreInOrder) {
  cl_mem data = make_ints(std::vector<int>(kItems, 0));
  cl_command_queue queue = make_queue(gpus_[0], CL_QUEUE_PROFILING_ENABLE);
  cl_command_buffer_khr buffer = create(queue);
  for (int i = 0; i < 10; ++i) record_add(buffer, data, 1);
  finalize(buffer);
  cl_event event = nullptr;
  enqueue(buffer, {}, &event);
  EXPECT_EQ(clWaitForEvents(1, &event), CL_SUCCESS);
  cl_command_type type = 0;
  EXPECT_EQ(clGetEventInfo(event, CL_EVENT_COMMAND_TYPE, sizeof type, &type, nullptr), CL_SUCCESS);
  EXPECT_EQ(type, cl_command_type{CL_COMMAND_COMMAND_BUFFER_KHR});
  std::array<cl_ulong, 4> times{};
  const cl_profiling_info kNames[] = {CL_PROFILING_COMMAND_QUEUED, CL_PROFILING_COMMAND_SUBMIT, CL_PROFILING_COMMAND_START,
                                      CL_PROFILING_COMMAND_END};
  for (size_t i = 0; i < times.size(); ++i)
    EXPECT_EQ(clGetEventProfilingInfo(event, kNames[i], sizeof times[i], &times[i], nullptr), CL_SUCCESS);
  EXPECT_TRUE(std::ranges::is_sorted(times)) << times[0] << ' ' << times[1] << ' ' << times[2] << ' ' << times[3];
  clReleaseEvent(event);
  release(buffer);
}

TEST_F(GpuGraphs, GivenAKernelThatPrints_WhenRun_ThenTheCommandsAreEnqueued) {
  const char *source = R"(
    kernel void add(global int *data, int value) {
      if (value == 0) printf("%d\n", data[0]);
      data[get_global_id(0)] += value;
    })";
  cl_program program = clCreateProgramWithSource(context_, 1, &source, nullptr, nullptr);
  ASSERT_EQ(clBuildProgram(program, 1, gpus_.data(), "-cl-std=CL3.0", nullptr, nullptr), CL_SUCCESS);
  cl_mem data = make_ints(std::vector<int>(kItems, 0));
  cl_command_buffer_khr buffer = create(queue_);
  record_add(buffer, data, 1);
  record(buffer, make_kernel("add", data, 10, program), kItems);
  finalize(buffer);
  const auto before = fake() ? launches() : std::array<size_t, 2>();
  for (int i = 0; i < 3; ++i) enqueue(buffer);
  EXPECT_EQ(read(queue_, data, kItems), std::vector<int>(kItems, 33));
  if (fake()) EXPECT_EQ(launches(), (std::array{before[0], before[1] + 6}));
  if (fake()) kept_ = fake()->allocations - 1;  // without `data`
  release(buffer);
  clReleaseProgram(program);
}

TEST_F(GpuGraphs, GivenADriverThatRefusesNodes_WhenRun_ThenTheCommandsAreEnqueued) {
  if (!fake()) GTEST_SKIP() << "the driver in software alone refuses nodes";
  cl_mem data = make_ints(std::vector<int>(kItems, 0));
  cl_command_buffer_khr buffer = create(queue_);
  for (int i = 0; i < 4; ++i) record_add(buffer, data, 1);
  fake()->refuses_nodes = true;
  finalize(buffer);
  const auto before = launches();
  for (int i = 0; i < 3; ++i) enqueue(buffer);
  EXPECT_EQ(read(queue_, data, kItems), std::vector<int>(kItems, 12));
  fake()->refuses_nodes = false;
  EXPECT_EQ(launches(), (std::array{before[0], before[1] + 12}));
  release(buffer);
}

}  // namespace
}  // namespace upsweep::tests
