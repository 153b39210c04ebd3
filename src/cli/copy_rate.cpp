// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Measures a copy.
#include "cli/copy_rate.h"

#include <algorithm>
#include <barrier>
#include <chrono>
#include <cstring>
#include <memory>
#include <new>
#include <sched.h>
#include <system_error>
#include <thread>
#include <vector>

namespace upsweep::cli {
namespace {

constexpr size_t kBytes = size_t{128} << 20;
constexpr int kCopies = 5;

unsigned count_processors() {
  cpu_set_t allowed;
  return sched_getaffinity(0, sizeof allowed, &allowed) == 0 ? static_cast<unsigned>(CPU_COUNT(&allowed)) : 1;
}

}  // namespace

double measure_copy_rate() {
  using Clock = std::chrono::steady_clock;
  const std::unique_ptr<char[]> from(new (std::nothrow) char[kBytes]), to(new (std::nothrow) char[kBytes]);
  if (!from || !to) return 0;
  const unsigned count = count_processors();
  std::barrier<> together(count);
  double best = 0;
  const auto copy = [&](unsigned part) {
    const size_t first = kBytes / count * part, bytes = kBytes / count;
    std::memset(&from[first], 1, bytes);  // maps the pages
    std::memset(&to[first], 2, bytes);
    for (int i = 0; i < kCopies; ++i) {
      together.arrive_and_wait();
      const auto begin = Clock::now();
      std::memcpy(&to[first], &from[first], bytes);
      together.arrive_and_wait();
      const std::chrono::duration<double> seconds = Clock::now() - begin;
      if (part == 0) best = std::max(best, 2.0 * static_cast<double>(bytes * count) / seconds.count());
    }
  };
  std::vector<std::thread> threads;
  try {
    for (unsigned part = 1; part < count; ++part) threads.emplace_back(copy, part);
  } catch (const std::system_error &) {
    for (size_t missing = threads.size() + 1; missing < count; ++missing) together.arrive_and_drop();
  }
  copy(0);
  for (std::thread &thread : threads) thread.join();
  return best;
}

}  // namespace upsweep::cli
