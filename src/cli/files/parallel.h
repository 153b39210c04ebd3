// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops over elements on all threads.
#ifndef UPSWEEP_CLI_FILES_PARALLEL_H
#define UPSWEEP_CLI_FILES_PARALLEL_H

#include <upsweep/cpu/thread_pool.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>

namespace upsweep::cli {

// Calls work(begin, end) for pieces of up to `piece` of the numbers 0 to n - 1. Rethrows the first exception.
template <class Work>
void share_out(size_t n, size_t piece, const Work &work) {
  if (n <= piece) {
    if (n > 0) work(size_t{0}, n);
    return;
  }
  auto &pool = cpu::default_pool();
  const size_t pieces = (n + piece - 1) / piece;
  std::atomic<size_t> next = 0;
  std::atomic_flag is_kept;
  std::exception_ptr error;
  pool.run(pool.concurrency(), [&]() noexcept {
    for (size_t i = next++; i < pieces; i = next++) {
      try {
        work(i * piece, std::min(n, (i + 1) * piece));
      } catch (...) {
        if (!is_kept.test_and_set()) error = std::current_exception();
        next = pieces;
      }
    }
  });
  if (error) std::rethrow_exception(error);
}

}  // namespace upsweep::cli
#endif
