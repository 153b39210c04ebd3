// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs a use on threads and devices, and prints its times with those of a copy of as many bytes.
#pragma once

#include "uses.h"

namespace uses {

// The least time of some runs, in seconds.
template <class Run>
double least_seconds(const Run &run) {
  double least = 1e9;
  for (int i = 0; i < 4; ++i) {  // the first builds programs
    const auto start = std::chrono::steady_clock::now();
    run();
    least = std::min(least, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  }
  return least;
}

inline void copy_by_threads(std::vector<unsigned char> &to, const std::vector<unsigned char> &from) {
  auto &pool = cpu::default_pool();
  constexpr std::size_t kPiece = std::size_t(1) << 20;
  std::atomic<std::size_t> next{0};
  pool.run(pool.concurrency(), [&]() noexcept {
    for (std::size_t at = next.fetch_add(kPiece); at < from.size(); at = next.fetch_add(kPiece)) {
      std::memcpy(&to[at], &from[at], std::min(kPiece, from.size() - at));
    }
  });
}

class Report {
public:
  // `bytes` is the least that the use reads and writes: its inputs and its results.
  Report(int argc, char **argv, std::string title, std::size_t bytes)
      : choice_(argc > 1 ? argv[1] : ""), title_(std::move(title)), half_(std::max<std::size_t>(bytes / 2, 1)) {}

  // Whether the result of `run` is a sequential loop's, and its speed.
  template <class Run, class IsRight>
  void by_threads(const Run &run, const IsRight &is_right) {
    if (!choice_.empty() && choice_ != "threads") return;
    const double seconds = least_seconds(run);
    const std::vector<unsigned char> from(half_, 1);
    std::vector<unsigned char> to(half_);
    print(std::to_string(cpu::default_pool().concurrency()) + " threads", seconds,
          least_seconds([&] { copy_by_threads(to, from); }), is_right());
  }
  // `use(device)` creates arrays and returns a pair: the function to run, and a check of its result.
  template <class Use>
  void on_devices(const Use &use) {
    if (choice_ == "threads") return;
    for (cl_device_id id : devices()) {
      Device device(id);
      const auto [run, is_right] = use(device);
      const double seconds = least_seconds([&, &work = run] {
        work();
        device.wait();
      });
      const double copy = least_seconds([&] {
        device.copy(half_);
        device.wait();
      });
      print(device.name(), seconds, copy, is_right());
    }
  }
  int status() const { return is_wrong_ ? 1 : 0; }

private:
  std::vector<cl_device_id> devices() const {
    cl_uint count = 0;
    std::vector<cl_platform_id> platforms(16);
    if (clGetPlatformIDs(16, platforms.data(), &count) != CL_SUCCESS) count = 0;
    platforms.resize(std::min<cl_uint>(count, 16));
    std::vector<cl_device_id> all;
    const cl_device_type type = choice_ == "cpu"   ? CL_DEVICE_TYPE_CPU
                                : choice_ == "gpu" ? CL_DEVICE_TYPE_GPU
                                                   : CL_DEVICE_TYPE_ALL;
    for (cl_platform_id platform : platforms) {
      cl_device_id found[16];
      if (clGetDeviceIDs(platform, type, 16, found, &count) == CL_SUCCESS) {
        all.insert(all.end(), found, found + std::min<cl_uint>(count, 16));
      }
    }
    const bool is_number = !choice_.empty() && choice_.find_first_not_of("0123456789") == std::string::npos;
    if (!is_number) return all;
    const auto place = std::strtoul(choice_.c_str(), nullptr, 10);
    return place < all.size() ? std::vector{all[place]} : std::vector<cl_device_id>();
  }
  void print(const std::string &where, double seconds, double copy, bool is_right) {
    std::printf("%-24s %-28s %9.3f ms %6.1f %% of a copy  %s\n", title_.c_str(), where.c_str(), seconds * 1e3,
                100 * copy / seconds, is_right ? "right" : "WRONG");
    is_wrong_ |= !is_right;
  }

  std::string choice_, title_;
  std::size_t half_;
  bool is_wrong_ = false;
};

}  // namespace uses
