// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The large scans of the demonstration: three kernels, and one pass by the libraries, compared with a copy and checked against
// a loop.
#include "cli/demo.h"

#include "cli/files/parallel.h"
#include "cli/kernels/device_scan.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <functional>
#include <upsweep/cpu/scan.h>
#include <upsweep/opencl/scan.h>
#include <vector>

namespace upsweep::cli {
namespace {

constexpr size_t kCount = size_t{1} << 26;
constexpr size_t kBytes = kCount * sizeof(cl_int);
constexpr size_t kBlock = 1024;  // work-items in a work-group
constexpr size_t kBlocks = kCount / kBlock;
constexpr int kRuns = 5;
constexpr int kBarCells = 32;

// Small values, so that the total fits: 2^26 · 9 < 2^31.
std::vector<cl_int> make_values() {
  std::vector<cl_int> values(kCount);
  uint64_t state = 1;
  for (cl_int &value : values) {
    state = state * 6364136223846793005u + 1442695040888963407u;  // Knuth's MMIX generator
    value = static_cast<cl_int>((state >> 33) % 10);
  }
  return values;
}

// The shortest time of several runs. A run before them warms up memory and builds programs.
Result<double> least_seconds(const std::function<Result<void>()> &run) {
  double least = 1e9;
  for (int i = 0; i <= kRuns; ++i) {
    const auto start = std::chrono::steady_clock::now();
    if (auto done = run(); !done) return Failure(done.error());
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    if (i > 0) least = std::min(least, seconds);
  }
  return least;
}

Result<void> check_sums(const cl_int *sums, const std::vector<cl_int> &values) {
  cl_int sum = 0;
  for (size_t i = 0; i < kCount; ++i) {
    sum += values[i];
    if (sums[i] != sum) return fail("the scan is wrong from element {} onwards", i);
  }
  return {};
}

class DeviceScan {
public:
  static Result<DeviceScan> create(const Device &device, std::vector<cl_int> &values) {
    DeviceScan scan;
    scan.queue_ = device.queue;
    cl_int errors[3] = {};
    scan.values_ = cl::Buffer(device.context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, kBytes, values.data(), &errors[0]);
    scan.scanned_ = cl::Buffer(device.context, CL_MEM_READ_WRITE, kBytes, nullptr, &errors[1]);
    scan.block_sums_ = cl::Buffer(device.context, CL_MEM_READ_WRITE, kBlocks * sizeof(cl_int), nullptr, &errors[2]);
    for (const cl_int error : errors)
      if (auto done = check(error, "make the buffers of the scan"); !done) return Failure(done.error());
    return scan;
  }

  Result<void> copy() { return finish(queue_.enqueueCopyBuffer(values_, scanned_, 0, 0, kBytes), "copy the buffer"); }
  Result<void> one_pass() {
    const cl_int code =
        opencl::inclusive_sum(opencl::buffer<cl_int>(values_), opencl::buffer<cl_int>(scanned_), kCount, queue_);
    if (code != CL_SUCCESS) return fail("{}", opencl::last_message());
    return finish(CL_SUCCESS, "scan");
  }
  Result<void> build_three(const Device &device) {
    const auto program = build_program(device, kDeviceScanSource, "-cl-std=CL3.0");
    if (!program) return Failure(program.error());
    stages_ = {cl::Kernel(*program, "scan_blocks"), cl::Kernel(*program, "scan_block_sums"),
               cl::Kernel(*program, "add_block_sums")};
    auto &[blocks, block_sums, add] = stages_;
    blocks.setArg(0, values_);
    blocks.setArg(1, scanned_);
    blocks.setArg(2, block_sums_);
    block_sums.setArg(0, block_sums_);
    block_sums.setArg(1, static_cast<cl_uint>(kBlocks));
    add.setArg(0, scanned_);
    add.setArg(1, block_sums_);
    return {};
  }
  Result<void> three_kernels() {
    for (size_t stage = 0; stage < 3; ++stage) {
      const size_t items = stage == 1 ? kBlock : kCount;  // one work-group scans the block sums
      const cl_int error = queue_.enqueueNDRangeKernel(stages_[stage], cl::NullRange, cl::NDRange(items), cl::NDRange(kBlock));
      if (auto done = check(error, "launch the scan"); !done) return Failure(done.error());
    }
    return finish(CL_SUCCESS, "scan");
  }
  Result<void> check_result(const std::vector<cl_int> &values) {
    std::vector<cl_int> sums(kCount, -1);
    return check(queue_.enqueueReadBuffer(scanned_, CL_TRUE, 0, kBytes, sums.data()), "read the result").and_then([&] {
      // Overwrite the results, so that the next scan must compute them.
      return finish(queue_.enqueueFillBuffer(scanned_, cl_int{-1}, 0, kBytes), "fill the buffer").and_then([&] {
        return check_sums(sums.data(), values);
      });
    });
  }

private:
  Result<void> finish(cl_int error, std::string_view doing) {
    return check(error == CL_SUCCESS ? queue_.finish() : error, doing);
  }

  cl::CommandQueue queue_;
  // Must outlive the kernels, which do not retain their arguments.
  cl::Buffer values_;
  cl::Buffer scanned_;
  cl::Buffer block_sums_;
  std::array<cl::Kernel, 3> stages_;
};

void print_row(const Terminal &terminal, std::string_view title, double seconds, double copy) {
  fmt::print("  {:<26}{:>9.2f} ms {:>8.1f} GB/s  {} {:>4.0f} % of a copy\n", title, seconds * 1e3, 2 * kBytes / seconds * 1e-9,
             terminal.bar(copy / seconds, kBarCells), 100 * copy / seconds);
}

void print_right(const Terminal &terminal) {
  fmt::print("  {}: all {} sums equal the sums of a sequential loop\n", terminal.paint(Colour::Good, "right"), kCount);
}

}  // namespace

Result<void> show_thread_scan(const Terminal &terminal) {
  fmt::print("\n{}\n{}\n", terminal.paint(Colour::Bold, "By threads, with the CPU library"), terminal.rule(64));
  const std::vector<cl_int> values = make_values();
  std::vector<cl_int> sums(kCount);
  const auto copy = least_seconds([&]() -> Result<void> {
    constexpr size_t kPiece = size_t{1} << 18;
    share_out(kCount, kPiece,
              [&](size_t begin, size_t end) { std::memcpy(&sums[begin], &values[begin], (end - begin) * sizeof(cl_int)); });
    asm volatile("" : : "r"(sums.data()) : "memory");  // uses the copy, so that the compiler does not remove it
    return {};
  });
  const auto scan = least_seconds([&]() -> Result<void> {
    cpu::inclusive_sum(values.data(), sums.data(), kCount);
    return {};
  });
  if (auto done = check_sums(sums.data(), values); !done) return done;
  print_row(terminal, "one pass", *scan, *copy);
  print_row(terminal, "memcpy, all threads", *copy, *copy);
  print_right(terminal);
  return {};
}

Result<void> show_device_scan(const Device &device, const Terminal &terminal) {
  fmt::print("\n{}\n{}\n", terminal.paint(Colour::Bold, device.device.getInfo<CL_DEVICE_NAME>() + ", with the OpenCL library"),
             terminal.rule(64));
  std::vector<cl_int> values = make_values();
  auto scan = DeviceScan::create(device, values);
  if (!scan) return Failure(scan.error());
  const auto copy = least_seconds([&] { return scan->copy(); });
  const auto measured = [&](std::string_view title, const std::function<Result<void>()> &run) -> Result<void> {
    const auto seconds = least_seconds(run);
    if (!seconds) return Failure(seconds.error());
    if (auto done = scan->check_result(values); !done) return done;
    print_row(terminal, title, *seconds, *copy);
    return {};
  };
  if (!copy) return Failure(copy.error());
  // Devices without OpenCL C's work-group functions only run the library's scan.
  if (scan->build_three(device)) {
    if (auto done = measured("three kernels", [&] { return scan->three_kernels(); }); !done) return done;
  }
  auto done = measured("one pass", [&] { return scan->one_pass(); });
  opencl::release_programs(device.context());
  if (!done) return done;
  print_row(terminal, "copy of the buffer", *copy, *copy);
  print_right(terminal);
  return {};
}

}  // namespace upsweep::cli
