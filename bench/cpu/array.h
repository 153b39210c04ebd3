// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arrays on large pages.
#ifndef UPSWEEP_BENCH_CPU_ARRAY_H
#define UPSWEEP_BENCH_CPU_ARRAY_H

#include <upsweep/cpu/for_each.h>
#include <upsweep/cpu/thread_pool.h>

#include <algorithm>
#include <cstdlib>
#include <memory>

#include <sys/mman.h>

namespace upsweep::bench {

struct Free {
  void operator()(void *memory) const { std::free(memory); }
};

// An array on large pages, if the system has them, first touched by the threads of the pool.
template <class T>
class Array {
public:
  Array(std::size_t n, cpu::thread_pool &pool)
      : n_(n), data_(static_cast<T *>(std::aligned_alloc(kPage, (n * sizeof(T) / kPage + 1) * kPage))) {
    madvise(data_.get(), (n * sizeof(T) / kPage + 1) * kPage, MADV_HUGEPAGE);
    fill(pool, [](std::size_t) { return T(); });
  }
  template <class F>
  void fill(cpu::thread_pool &pool, const F &f) {
    constexpr std::size_t kPiece = 1 << 16;
    cpu::for_each_piece(pool, (n_ + kPiece - 1) / kPiece, [&](std::uint64_t piece) {
      for (std::size_t i = piece * kPiece; i < std::min(n_, (piece + 1) * kPiece); ++i) {
        data_[i] = f(i);
      }
    });
  }
  T *data() const { return data_.get(); }
  T *begin() const { return data(); }
  T *end() const { return data() + n_; }
  std::size_t size() const { return n_; }

private:
  static constexpr std::size_t kPage = std::size_t(2) << 20;
  std::size_t n_;
  std::unique_ptr<T[], Free> data_;
};

}  // namespace upsweep::bench

#endif
