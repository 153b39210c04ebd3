// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The time from an enqueue to the start of work-groups and to the program's notice of their end, short launches in a row, and
// processor time of programs that wait. taskset limits its threads.
#include "bench/opencl/launch_latency.h"
#include "bench/cases.h"

#include <CL/cl_ext.h>
#include <algorithm>
#include <chrono>
#include <ctime>
#include <memory>
#include <thread>
#include <x86intrin.h>

namespace upsweep::bench {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr size_t kWorkGroup = 16;
constexpr size_t kMostGroups = 100'000;
constexpr int kLaunches = 15;  // a sample is the median of these
constexpr int kRow = 1000;
constexpr int kQueues = 4;
constexpr double kHeldSeconds = 50e-6;
constexpr milliseconds kWatched(100);  // for measuring the processor time of a waiting program

double cycles_per_second() {
  static const double rate = [] {
    const auto start = Clock::now();
    const uint64_t cycles = __rdtsc();
    std::this_thread::sleep_for(milliseconds(20));
    return static_cast<double>(__rdtsc() - cycles) / std::chrono::duration<double>(Clock::now() - start).count();
  }();
  return rate;
}

double processor_seconds() {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

double median(std::vector<double> values) {
  std::ranges::nth_element(values, values.begin() + static_cast<ptrdiff_t>(values.size() / 2));
  return values[values.size() / 2];
}

// Workers of another platform may poll for a while after its sample.
void let_others_settle() { std::this_thread::sleep_for(milliseconds(3)); }

// A kernel, and the memory in which its work-groups store their times.
struct Stamped {
  Device device;
  cl::Kernel kernel;
  cl::Buffer values, starts;
  size_t groups = 1;
  size_t work_group = 1;
  double launches = 0;  // so far

  [[nodiscard]] cl_int enqueue() {
    ++launches;
    return device.queue.enqueueNDRangeKernel(kernel, cl::NullRange, cl::NDRange(groups * work_group), cl::NDRange(work_group));
  }
  [[nodiscard]] std::vector<cl_ulong> read_starts() const {
    std::vector<cl_ulong> got(groups);
    device.queue.enqueueReadBuffer(starts, CL_TRUE, 0, groups * sizeof(cl_ulong), got.data());
    return got;
  }
};

enum class Moment { FirstStart, LastStart, End };
enum class Before { Launches, Idleness };  // the device's work just before the launch
enum class Then { Wait, Sleep };           // the program's work after the enqueue

// The seconds from an enqueue to an event.
double launch_once(Stamped &stamped, Moment moment, Then then) {
  const uint64_t queued = __rdtsc();
  if (stamped.enqueue() != CL_SUCCESS) return 0;
  if (then == Then::Sleep) {
    stamped.device.queue.flush();
    std::this_thread::sleep_for(milliseconds(1));
  }
  stamped.device.queue.finish();
  uint64_t at = __rdtsc();
  if (moment != Moment::End) {
    const auto starts = stamped.read_starts();
    at = moment == Moment::FirstStart ? *std::ranges::min_element(starts) : *std::ranges::max_element(starts);
  }
  return static_cast<double>(at - queued) / cycles_per_second();
}

double sample(Stamped &stamped, Moment moment, Before before, Then then) {
  let_others_settle();
  std::vector<double> seconds;
  for (int i = -2; i < kLaunches; ++i) {
    if (before == Before::Idleness) std::this_thread::sleep_for(milliseconds(1));
    const double value = launch_once(stamped, moment, then);
    if (i >= 0) seconds.push_back(value);
  }
  return median(std::move(seconds));
}

Result<void> verify_sums(const Stamped &stamped) {
  return read_buffer<float>(stamped.device, stamped.values, stamped.groups * stamped.work_group)
      .and_then([&](const std::vector<float> &got) { return compare(got, [&](size_t) { return stamped.launches; }, 0); });
}

Result<Prepared> prepare_stamps(const Device &device, size_t groups, Moment moment, Before before) {
  auto kernel = make_kernel(device, kLaunchLatencySource, "", "stamp");
  if (!kernel) return Failure(kernel.error());
  const std::vector<float> zeros(groups * kWorkGroup);
  const auto values = make_buffer(device, zeros.size() * sizeof(float), zeros.data());
  const auto starts = make_buffer(device, groups * sizeof(cl_ulong), nullptr);
  if (!values || !starts) return cli::fail("cannot make the buffers");
  kernel->setArg(0, *values);
  kernel->setArg(1, *starts);
  auto stamped = std::make_shared<Stamped>(Stamped{device, *kernel, *values, *starts, groups, kWorkGroup});
  return Prepared{[] { return CL_SUCCESS; },
                  [stamped] { return verify_sums(*stamped); },
                  {},
                  [=] { return sample(*stamped, moment, before, Then::Wait); }};
}

// As many work-groups as compute units, each long enough that every thread can start.
Result<std::shared_ptr<Stamped>> make_held(const Device &device, size_t groups, double seconds) {
  auto kernel = make_kernel(device, kLaunchLatencySource, "", "hold");
  if (!kernel) return Failure(kernel.error());
  const auto starts = make_buffer(device, groups * sizeof(cl_ulong), nullptr);
  if (!starts) return Failure(starts.error());
  kernel->setArg(0, *starts);
  kernel->setArg(1, static_cast<cl_ulong>(seconds * cycles_per_second()));
  return std::make_shared<Stamped>(Stamped{device, *kernel, *starts, *starts, groups, 1});
}

Result<Prepared> prepare_held(const Device &device, bool all, Moment moment, Before before, Then then) {
  const size_t groups = all ? device.device.getInfo<CL_DEVICE_MAX_COMPUTE_UNITS>() : 1;
  const auto held = make_held(device, groups, kHeldSeconds);
  if (!held) return Failure(held.error());
  return Prepared{[] { return CL_SUCCESS; },
                  [] { return Result<void>(); },
                  {},
                  [=, held = *held] { return sample(*held, moment, before, then); }};
}

// Kernels that store the global ID of each work-item.
struct Shape {
  const char *kernel = "touch";
  size_t groups = 1;
  size_t work_group = kWorkGroup;

  [[nodiscard]] size_t items() const { return groups * work_group; }
};

// Series of launches, one for each of some threads with their own queues.
struct Row {
  cl::CommandQueue queue;
  cl::Kernel kernel;
  cl::Buffer values;
  Shape shape;

  [[nodiscard]] cl_int run() const {
    for (int i = 0; i < kRow; ++i)
      if (const cl_int status =
              queue.enqueueNDRangeKernel(kernel, cl::NullRange, cl::NDRange(shape.items()), cl::NDRange(shape.work_group));
          status != CL_SUCCESS)
        return status;
    return queue.finish();
  }
  [[nodiscard]] Result<void> verify(const Device &device) const {
    return read_buffer<float>(device, values, shape.items()).and_then([](const std::vector<float> &got) {
      return compare(got, [](size_t i) { return i; }, 0);
    });
  }
};

Result<Row> make_row(const Device &device, const Shape &shape, cl::QueueProperties order) {
  auto kernel = make_kernel(device, kLaunchLatencySource, "", shape.kernel);
  const auto values = make_buffer(device, shape.items() * sizeof(float), nullptr);
  const auto queue = make_queue(device, order);
  if (!kernel || !values || !queue) return cli::fail("cannot make a kernel, a buffer or a queue");
  kernel->setArg(0, *values);
  return Row{*queue, *kernel, *values, shape};
}

double run_rows(const std::vector<Row> &rows) {
  let_others_settle();
  const auto start = Clock::now();
  {
    std::vector<std::jthread> others;
    for (size_t i = 1; i < rows.size(); ++i) others.emplace_back([&row = rows[i]] { static_cast<void>(row.run()); });
    static_cast<void>(rows[0].run());
  }
  return std::chrono::duration<double>(Clock::now() - start).count();
}

Result<Prepared> prepare_rows(const Device &device, const Shape &shape, int queues, cl::QueueProperties order) {
  auto rows = std::make_shared<std::vector<Row>>();
  for (int i = 0; i < queues; ++i) {
    auto row = make_row(device, shape, order);
    if (!row) return Failure(row.error());
    rows->push_back(*row);
  }
  const auto verify = [=]() -> Result<void> {
    for (const Row &row : *rows)
      if (auto right = row.verify(device); !right) return right;
    return {};
  };
  return Prepared{[] { return CL_SUCCESS; }, verify, {}, [rows] { return run_rows(*rows); }};
}

// The same series, recorded once in a command buffer. Versions of the extension differ in other functions than these.
struct CommandBuffers {
  clCreateCommandBufferKHR_fn create;
  clReleaseCommandBufferKHR_fn release;
  clFinalizeCommandBufferKHR_fn finalize;
  clEnqueueCommandBufferKHR_fn enqueue;
  clCommandNDRangeKernelKHR_fn launch;
};

Result<CommandBuffers> find_command_buffers(const Device &device) {
  const cl_platform_id platform = device.device.getInfo<CL_DEVICE_PLATFORM>();
  if (device.device.getInfo<CL_DEVICE_EXTENSIONS>().find("cl_khr_command_buffer") == std::string::npos)
    return cli::fail("the device has no command buffers");
  const auto find = [&](const char *name) { return clGetExtensionFunctionAddressForPlatform(platform, name); };
  return CommandBuffers{reinterpret_cast<clCreateCommandBufferKHR_fn>(find("clCreateCommandBufferKHR")),
                        reinterpret_cast<clReleaseCommandBufferKHR_fn>(find("clReleaseCommandBufferKHR")),
                        reinterpret_cast<clFinalizeCommandBufferKHR_fn>(find("clFinalizeCommandBufferKHR")),
                        reinterpret_cast<clEnqueueCommandBufferKHR_fn>(find("clEnqueueCommandBufferKHR")),
                        reinterpret_cast<clCommandNDRangeKernelKHR_fn>(find("clCommandNDRangeKernelKHR"))};
}

Result<Prepared> prepare_recorded(const Device &device, const Shape &shape, cl::QueueProperties order) {
  const auto row = make_row(device, shape, order);
  if (!row) return Failure(row.error());
  const auto functions = find_command_buffers(device);
  if (!functions) return Failure(functions.error());
  const cl_command_queue queue = row->queue();
  cl_int error = CL_SUCCESS;
  const std::shared_ptr<_cl_command_buffer_khr> recorded(functions->create(1, &queue, nullptr, &error), functions->release);
  const size_t global = shape.items(), local = shape.work_group;
  for (int i = 0; i < kRow && error == CL_SUCCESS; ++i)
    error = functions->launch(recorded.get(), nullptr, nullptr, row->kernel(), 1, nullptr, &global, &local, 0, nullptr, nullptr,
                              nullptr);
  if (error == CL_SUCCESS) error = functions->finalize(recorded.get());
  if (auto done = cli::check(error, "record the launches"); !done) return Failure(done.error());
  const auto seconds = [=, row = *row, enqueue = functions->enqueue] {
    let_others_settle();
    const auto start = Clock::now();
    static_cast<void>(enqueue(0, nullptr, recorded.get(), 0, nullptr, nullptr));
    static_cast<void>(row.queue.finish());
    return std::chrono::duration<double>(Clock::now() - start).count();
  };
  return Prepared{[] { return CL_SUCCESS; }, [=, row = *row] { return row.verify(device); }, {}, seconds};
}

// Processor time of all threads of the program
enum class Waits { Idle, UserEvent, Group };

double watch(Stamped &held, Waits how) {
  std::this_thread::sleep_for(milliseconds(20));
  const double before = processor_seconds();
  if (held.enqueue() != CL_SUCCESS) return 0;
  held.device.queue.finish();
  if (how == Waits::Idle) std::this_thread::sleep_for(kWatched);
  if (how == Waits::UserEvent) {
    cl::UserEvent event(held.device.context);
    const std::vector<cl::Event> list{event};
    held.device.queue.enqueueBarrierWithWaitList(&list);
    std::jthread setter([event]() mutable {
      std::this_thread::sleep_for(kWatched);
      event.setStatus(CL_COMPLETE);
    });
    held.device.queue.finish();
  }
  return std::max(processor_seconds() - before, 1e-7);
}

Result<Prepared> prepare_watch(const Device &device, Waits how) {
  const double seconds = how == Waits::Group ? std::chrono::duration<double>(kWatched).count() : 1e-6;
  const auto held = make_held(device, 1, seconds);
  if (!held) return Failure(held.error());
  return Prepared{
      [] { return CL_SUCCESS; }, [] { return Result<void>(); }, {}, [=, held = *held] { return watch(*held, how); }};
}

void add(std::vector<Case> &cases, std::string name, const char *variant, Prepare prepare, bool is_yardstick = false) {
  cases.push_back(
      {.name = std::move(name), .variant = variant, .prepare = std::move(prepare), .group = {}, .is_yardstick = is_yardstick});
}

void add_stamps(std::vector<Case> &cases) {
  for (size_t groups = 1; groups <= kMostGroups; groups *= 10)
    for (const auto &[moment, text] :
         {std::pair(Moment::FirstStart, "from enqueue to the first start"), std::pair(Moment::LastStart, "to the last start"),
          std::pair(Moment::End, "to the end seen by clFinish")})
      add(cases, fmt::format("{} groups", groups), text,
          [=](const Device &device) { return prepare_stamps(device, groups, moment, Before::Launches); });
  for (const size_t groups : {1, 1000})
    add(cases, fmt::format("{} groups", groups), "to the end, after 1 ms of idleness",
        [=](const Device &device) { return prepare_stamps(device, groups, Moment::End, Before::Idleness); });
}

void add_held(std::vector<Case> &cases) {
  const auto held = [](bool all, Before before, Then then) {
    const Moment moment = all ? Moment::LastStart : Moment::FirstStart;
    return [=](const Device &device) { return prepare_held(device, all, moment, before, then); };
  };
  add(cases, "all threads at work", "launches in a row", held(true, Before::Launches, Then::Wait));
  add(cases, "all threads at work", "after 1 ms of idleness", held(true, Before::Idleness, Then::Wait));
  add(cases, "start on a worker", "the program sleeps after the enqueue", held(false, Before::Launches, Then::Sleep));
  add(cases, "all threads at work", "the program sleeps after the enqueue", held(true, Before::Launches, Then::Sleep));
}

void add_rows(std::vector<Case> &cases) {
  using Order = cl::QueueProperties;
  for (const auto &[shape, text] : {std::pair(Shape{.groups = 1}, ""), std::pair(Shape{.groups = 64}, ""),
                                    std::pair(Shape{.kernel = "turn", .groups = 16, .work_group = 64}, " with barriers"),
                                    std::pair(Shape{.kernel = "turn", .groups = 64, .work_group = 64}, " with barriers"),
                                    std::pair(Shape{.kernel = "turn", .groups = 1024, .work_group = 64}, " with barriers")}) {
    const std::string name = fmt::format("{} launches of {} groups{}", kRow, shape.groups, text);
    const auto rows = [=](int queues, Order order) {
      return [=](const Device &device) { return prepare_rows(device, shape, queues, order); };
    };
    add(cases, name, "in order", rows(1, Order::None));
    add(cases, name, "out of order", rows(1, Order::OutOfOrder));
    if (!*text) add(cases, name, "by each of four threads, in order", rows(kQueues, Order::None));
    for (const auto &[order, how] : {std::pair(Order::None, "in order, as one command buffer"),
                                     std::pair(Order::OutOfOrder, "out of order, as one command buffer")})
      add(cases, name, how, [=](const Device &device) { return prepare_recorded(device, shape, order); });
  }
}

void add_watches(std::vector<Case> &cases) {
  const auto watched = [](Waits how) { return [=](const Device &device) { return prepare_watch(device, how); }; };
  add(cases, "processor time", "idle for 100 ms after a launch", watched(Waits::Idle), true);
  add(cases, "processor time", "100 ms in clFinish for a user event", watched(Waits::UserEvent), true);
  add(cases, "processor time", "100 ms in clFinish for one work-group", watched(Waits::Group), true);
}

}  // namespace
}  // namespace upsweep::bench

int main(int argc, char **argv) {
  using namespace upsweep::bench;
  const Suite suite{"launches", "The times of launches: starts of work-groups, ends, rows of launches, and processor time."};
  return run_main(argc, argv, suite, [](const Options &) {
    std::vector<Case> cases;
    add_stamps(cases);
    add_held(cases);
    add_rows(cases);
    add_watches(cases);
    return cases;
  });
}
