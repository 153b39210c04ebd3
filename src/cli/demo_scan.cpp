// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The large scan of the demonstration: blocks, block sums, add; checked against a loop and timed beside memcpy.
#include "cli/demo.h"

#include "cli/kernels/device_scan.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <functional>
#include <thread>
#include <vector>

namespace upsweep::cli {
namespace {

constexpr size_t kCount = size_t{1} << 26;
constexpr size_t kBytes = kCount * sizeof(cl_int);
constexpr size_t kBlock = 1024;  // work-items in a work-group
constexpr size_t kBlocks = kCount / kBlock;
constexpr int kRuns = 5;
constexpr int kBarCells = 40;

struct ScanTimes {
  std::array<double, 3> stages{};  // blocks, block sums, add
  double total = 0;                // from the first start to the last end
};

// Small values, so that the sum of all fits: 2^26 · 9 < 2^31.
std::vector<cl_int> make_values() {
  std::vector<cl_int> values(kCount);
  uint64_t state = 1;
  for (cl_int &value : values) {
    state = state * 6364136223846793005u + 1442695040888963407u;  // Knuth's MMIX generator
    value = static_cast<cl_int>((state >> 33) % 10);
  }
  return values;
}

template <typename T>
const T &median(std::vector<T> &samples, auto member) {
  std::ranges::nth_element(samples, samples.begin() + static_cast<ptrdiff_t>(samples.size() / 2), {}, member);
  return samples[samples.size() / 2];
}

// The median time of copying everything, in as many equal parts as there are threads.
double time_memcpy(const std::vector<cl_int> &from, std::vector<cl_int> &to, size_t threads) {
  const size_t part = kCount / threads;
  const auto copy_part = [&](size_t i) {
    const size_t count = i + 1 == threads ? kCount - i * part : part;
    std::memcpy(&to[i * part], &from[i * part], count * sizeof(cl_int));
    asm volatile("" : : "r"(to.data()) : "memory");  // the copy counts as read, else it would be left out
  };
  std::vector<double> samples;
  for (int run = 0; run < kRuns; ++run) {
    const auto start = std::chrono::steady_clock::now();
    std::vector<std::jthread> others;
    for (size_t i = 1; i < threads; ++i) others.emplace_back(copy_part, i);
    copy_part(0);
    others.clear();  // joins
    samples.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  }
  return median(samples, std::identity{});
}

class DeviceScan {
public:
  static Result<DeviceScan> create(const Device &device, std::vector<cl_int> &values) {
    const auto program = build_program(device, kDeviceScanSource, "-cl-std=CL3.0");
    if (!program) return Failure(program.error());
    DeviceScan scan;
    scan.queue_ = device.queue;
    cl_int errors[6] = {};
    scan.values_ = cl::Buffer(device.context, CL_MEM_READ_ONLY | CL_MEM_USE_HOST_PTR, kBytes, values.data(), &errors[0]);
    scan.scanned_ = cl::Buffer(device.context, CL_MEM_READ_WRITE, kBytes, nullptr, &errors[1]);
    scan.block_sums_ = cl::Buffer(device.context, CL_MEM_READ_WRITE, kBlocks * sizeof(cl_int), nullptr, &errors[2]);
    scan.stages_ = {cl::Kernel(*program, "scan_blocks", &errors[3]), cl::Kernel(*program, "scan_block_sums", &errors[4]),
                    cl::Kernel(*program, "add_block_sums", &errors[5])};
    for (const cl_int error : errors)
      if (auto done = check(error, "make the buffers and kernels of the scan"); !done) return Failure(done.error());
    auto &[blocks, block_sums, add] = scan.stages_;
    blocks.setArg(0, scan.values_);
    blocks.setArg(1, scan.scanned_);
    blocks.setArg(2, scan.block_sums_);
    block_sums.setArg(0, scan.block_sums_);
    block_sums.setArg(1, static_cast<cl_uint>(kBlocks));
    add.setArg(0, scan.scanned_);
    add.setArg(1, scan.block_sums_);
    return scan;
  }

  Result<ScanTimes> run() {
    std::array<cl::Event, 3> events;
    for (size_t stage = 0; stage < 3; ++stage) {
      const size_t items = stage == 1 ? kBlock : kCount;  // one work-group scans the block sums
      const cl_int error = queue_.enqueueNDRangeKernel(stages_[stage], cl::NullRange, cl::NDRange(items), cl::NDRange(kBlock),
                                                       nullptr, &events[stage]);
      if (auto done = check(error, "launch the scan"); !done) return Failure(done.error());
    }
    if (auto done = check(queue_.finish(), "run the scan"); !done) return Failure(done.error());
    ScanTimes times;
    for (size_t stage = 0; stage < 3; ++stage) {
      const auto seconds = seconds_of(events[stage]);
      if (!seconds) return Failure(seconds.error());
      times.stages[stage] = *seconds;
    }
    times.total = static_cast<double>(events[2].getProfilingInfo<CL_PROFILING_COMMAND_END>() -
                                      events[0].getProfilingInfo<CL_PROFILING_COMMAND_START>()) *
                  1e-9;
    return times;
  }

  // The index of the first sum that a sequential loop has differently, or kCount.
  Result<size_t> first_difference(const std::vector<cl_int> &values) {
    cl_int error = CL_SUCCESS;
    auto *scanned =
        static_cast<cl_int *>(queue_.enqueueMapBuffer(scanned_, CL_TRUE, CL_MAP_READ, 0, kBytes, nullptr, nullptr, &error));
    if (auto done = check(error, "map the result"); !done) return Failure(done.error());
    cl_int sum = 0;
    size_t i = 0;
    for (; i < kCount; ++i) {
      sum += values[i];
      if (scanned[i] != sum) break;
    }
    if (auto done = check(queue_.enqueueUnmapMemObject(scanned_, scanned), "unmap the result"); !done)
      return Failure(done.error());
    return i;
  }

private:
  cl::CommandQueue queue_;
  // All three live as long as the kernels, which do not retain their arguments.
  cl::Buffer values_;
  cl::Buffer scanned_;
  cl::Buffer block_sums_;
  std::array<cl::Kernel, 3> stages_;
};

void print_times(const Terminal &terminal, const ScanTimes &times, double one_thread, double all_threads) {
  constexpr std::string_view kTitles[] = {"scan each block", "scan the block sums", "add them"};
  for (size_t stage = 0; stage < 3; ++stage) fmt::print("  {:<22}{:>9.2f} ms\n", kTitles[stage], times.stages[stage] * 1e3);
  const double fastest = std::min({times.total, one_thread, all_threads});
  const auto row = [&](std::string_view title, double seconds) {
    fmt::print("  {:<22}{:>9.2f} ms {:>7.2f} GB/s  {}\n", title, seconds * 1e3, 2 * kBytes / seconds * 1e-9,
               terminal.bar(fastest / seconds, kBarCells));
  };
  row("the scan", times.total);
  row("memcpy, one thread", one_thread);
  row("memcpy, all threads", all_threads);
  fmt::print("  {}\n",
             terminal.paint(Colour::Dim, "GB/s: every int read once and written once; the three kernels move twice that"));
}

}  // namespace

Result<void> show_device_scan(const Device &device, const Terminal &terminal) {
  fmt::print("\n{}\n{}\n", terminal.paint(Colour::Bold, "An inclusive scan of 2^26 ints, in OpenCL C"), terminal.rule(64));
  std::vector<cl_int> values = make_values();
  std::vector<cl_int> copy(kCount);
  auto scan = DeviceScan::create(device, values);
  if (!scan) return Failure(scan.error());
  std::vector<ScanTimes> samples;
  for (int i = 0; i <= kRuns; ++i) {
    const auto times = scan->run();
    if (!times) return Failure(times.error());
    if (i > 0)  // the first run brings the memory in
      samples.push_back(*times);
  }
  const size_t threads = std::max(1u, std::thread::hardware_concurrency());
  print_times(terminal, median(samples, &ScanTimes::total), time_memcpy(values, copy, 1), time_memcpy(values, copy, threads));
  const auto difference = scan->first_difference(values);
  if (!difference) return Failure(difference.error());
  if (*difference != kCount) return fail("the scan is wrong from element {} on", *difference);
  fmt::print("  {}: all {} sums are those of a sequential loop\n", terminal.paint(Colour::Good, "right"), kCount);
  return {};
}

}  // namespace upsweep::cli
