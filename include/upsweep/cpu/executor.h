// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where the algorithms run. An executor has two members:
//
//   unsigned concurrency() const       how many threads may work at once
//   void run(unsigned workers, Work)   calls work() at least once and at most `workers` times, at once or one after the other,
//                                      on any threads, and returns when all calls have returned
//
// work() throws nothing: what an operator throws is kept and thrown to the caller. Calls of work() share out the work among
// themselves, and no call waits for a call that has not begun. A call may wait for a call that has begun, so that a thread
// inside of work() must not begin another call of it. Operators can wait for tasks, as in nested parallel loops: an executor
// of tasks keeps the waiting thread from taking work() (executors/tbb.h). An operator may call the library again on the same
// executor.
//
// Arrays of up to 128 KiB are worked on by the calling thread, whatever the executor; no other thread is woken.
#pragma once

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
