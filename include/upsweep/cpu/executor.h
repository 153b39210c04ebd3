// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The threads on which the algorithms run. An executor has two members:
//
//   unsigned concurrency() const       the number of threads that may work in parallel
//   void run(unsigned workers, Work)   calls work() at least once and at most `workers` times, in parallel or in sequence, on
//                                      any threads, and returns when all calls have returned
//
// and may have a third one:
//
//   void watch(uint64_t piece, uint64_t pieces)   threads call it before each piece of a step, with the piece's number and how
//                                      many pieces the step has. Pieces are begun in order; a sort has several steps
//
// work() throws nothing: an operator's exception is stored and rethrown to the caller. Calls of work() divide the work among
// themselves. A call may wait only for calls that have begun. So a thread inside of work() must not begin another call of it.
// Operators can wait for tasks, as in nested parallel loops: an executor of tasks prevents the waiting thread from starting
// work() (executors/tbb.h). An operator may call the library again on the same executor.
//
// The calling thread alone processes arrays of up to 128 KiB, for every executor, and wakes no other thread.
#pragma once

#include <upsweep/common/cpp20.h>
#ifdef UPSWEEP_CPP20
#include <concepts>

namespace upsweep::cpu {

namespace detail {
struct AnyWork {
  void operator()() const noexcept {}
};
}  // namespace detail

template <class E>
concept executor = requires(E &e, detail::AnyWork work) {
  { e.concurrency() } -> std::convertible_to<unsigned>;
  e.run(1U, work);
};

// The calling thread alone.
struct calling_thread {
  unsigned concurrency() const { return 1; }
  template <class Work>
  void run(unsigned, const Work &work) const {
    work();
  }
};

}  // namespace upsweep::cpu
#endif
