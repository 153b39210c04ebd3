// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// New threads for each call as an executor: for programs that call seldom and keep no threads between calls.
#pragma once

#include <upsweep/common/cpp20.h>
#ifdef UPSWEEP_CPP20
#include <upsweep/cpu/executor.h>

#include <exception>
#include <thread>
#include <vector>

namespace upsweep::cpu {

struct new_threads {
  unsigned threads = std::thread::hardware_concurrency();

  unsigned concurrency() const { return threads; }
  template <class Work>
  void run(unsigned workers, const Work &work) const {
    std::vector<std::jthread> others;
    try {
      others.reserve(workers);
      while (others.size() + 1 < workers) {
        others.emplace_back([&] { work(); });
      }
    } catch (const std::exception &) {
      // Fewer threads will do.
    }
    work();
  }
};

}  // namespace upsweep::cpu
#endif
