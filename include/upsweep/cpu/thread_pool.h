// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The default executor of calls: threads that sleep between calls. The caller works as well.
#pragma once

#include <upsweep/common/cpp20.h>
#ifdef UPSWEEP_CPP20
#include <upsweep/cpu/executor.h>
#include <upsweep/cpu/options.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <exception>
#include <memory>
#include <thread>
#include <type_traits>

#include <immintrin.h>
#include <sched.h>

namespace upsweep::cpu {

namespace detail {

// The processors that this process may use; in a container these are fewer than the machine's.
inline unsigned usable_processors() {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof(set), &set) == 0) {
    return static_cast<unsigned>(std::max(1, CPU_COUNT(&set)));
  }
  return std::max(1U, std::thread::hardware_concurrency());
}

}  // namespace detail

// A pool of `threads`, including the calling thread. The first call that needs the others starts them. Calls from several
// threads, and calls inside a call, do not wait for each other: a call that finds the pool busy runs only on its own thread.
class thread_pool {
public:
  explicit thread_pool(unsigned threads = detail::usable_processors()) : threads_(std::max(1U, threads)) {}
  thread_pool(const thread_pool &) = delete;
  thread_pool &operator=(const thread_pool &) = delete;
  ~thread_pool() {
    for (unsigned i = 0; i < started_; ++i) {
      helpers_[i].state.store(kEnd);
      helpers_[i].state.notify_one();
      helpers_[i].thread.join();
    }
  }

  unsigned concurrency() const { return threads_; }

  template <class Work>
  void run(unsigned workers, const Work &work) {
    const unsigned wanted = std::min(workers, threads_) - 1;
    if (wanted == 0 || is_busy_.exchange(true, std::memory_order_acquire)) {
      work();
      return;
    }
    start(wanted);
    job_ = {[](const void *w) { (*static_cast<const Work *>(w))(); }, &work};
    const unsigned called = std::min(wanted, started_);
    for (unsigned i = 0; i < called; ++i) {
      helpers_[i].state.store(kCalled, std::memory_order_release);
      helpers_[i].state.notify_one();
    }
    work();
    // All work is taken when a call returns, so it does not wait for helpers that are still waking up.
    for (unsigned i = 0; i < called; ++i) {
      std::uint32_t state = kCalled;
      if (!helpers_[i].state.compare_exchange_strong(state, kIdle, std::memory_order_acq_rel)) {
        wait_for_end(helpers_[i]);
      }
    }
    is_busy_.store(false, std::memory_order_release);
  }

private:
  // A helper's state goes from idle to called (set by the caller), working, and idle again (set by the helper).
  enum : std::uint32_t { kIdle, kCalled, kWorking, kEnd };

  struct alignas(64) Helper {
    std::atomic<std::uint32_t> state{kIdle};
    std::thread thread;
  };

  struct Job {
    void (*call)(const void *) = nullptr;
    const void *work = nullptr;
  };

  // Calls often follow each other closely. A sleeping thread needs some 50 us to wake, a spinning one a fraction of 1 us.
  static constexpr auto kSpinTime = std::chrono::microseconds(30);

  void start(unsigned wanted) {
    try {
      if (helpers_ == nullptr) {
        helpers_ = std::make_unique<Helper[]>(threads_ - 1);
      }
      while (started_ < wanted) {
        Helper &helper = helpers_[started_];
        helper.thread = std::thread([this, &helper] { serve(helper); });
        ++started_;
      }
    } catch (const std::exception &) {
      // Without another thread or memory for it, fewer threads work, and the next call tries again.
    }
  }

  void serve(Helper &helper) {
    for (;;) {
      std::uint32_t state = wait_for_call(helper);
      if (state == kEnd) {
        return;
      }
      if (helper.state.compare_exchange_strong(state, kWorking, std::memory_order_acq_rel)) {
        job_.call(job_.work);
        helper.state.store(kIdle, std::memory_order_release);
        helper.state.notify_one();
      }
    }
  }

  static std::uint32_t wait_for_call(Helper &helper) {
    const auto end = std::chrono::steady_clock::now() + kSpinTime;
    std::uint32_t state = helper.state.load(std::memory_order_acquire);
    while (state == kIdle && std::chrono::steady_clock::now() < end) {
      _mm_pause();
      state = helper.state.load(std::memory_order_acquire);
    }
    while (state == kIdle) {
      helper.state.wait(kIdle, std::memory_order_acquire);
      state = helper.state.load(std::memory_order_acquire);
    }
    return state;
  }

  static void wait_for_end(Helper &helper) {
    for (int i = 0; i < 1000 && helper.state.load(std::memory_order_acquire) == kWorking; ++i) {
      _mm_pause();
    }
    while (helper.state.load(std::memory_order_acquire) == kWorking) {
      helper.state.wait(kWorking, std::memory_order_acquire);
    }
  }

  const unsigned threads_;
  std::atomic<bool> is_busy_{false};
  std::unique_ptr<Helper[]> helpers_;
  unsigned started_ = 0;
  Job job_;
};

// The pool of the process, with a thread for each processor that it may use.
inline thread_pool &default_pool() {
  static thread_pool pool;
  return pool;
}

namespace detail {

template <class T>
inline constexpr bool is_executor = executor<std::remove_reference_t<T>>;
template <class T>
inline constexpr bool is_functor = !is_executor<T> && !is_option<std::remove_cvref_t<T>>;

inline thread_pool &first_executor() { return default_pool(); }
template <class First, class... Rest>
auto &first_executor(First &first, Rest &...rest) {
  if constexpr (is_executor<First>) {
    return first;
  } else {
    return first_executor(rest...);
  }
}

// The executor among the last arguments of a call, or the process's pool. Up to kFunctors arguments may be neither an executor
// nor an option.
template <unsigned kFunctors = 0, class... More>
auto &executor_of(More &...more) {
  static_assert((0U + ... + unsigned(is_functor<More>)) <= kFunctors, "an argument is neither an executor nor an option");
  static_assert((0U + ... + unsigned(is_executor<More>)) <= 1, "the call has more than one executor");
  return first_executor(more...);
}

// The functor among the arguments, or `otherwise`.
template <class Default>
Default functor_of(const Default &otherwise) {
  return otherwise;
}
template <class Default, class First, class... Rest>
auto functor_of(const Default &otherwise, const First &first, const Rest &...rest) {
  if constexpr (is_functor<First>) {
    return first;
  } else {
    return functor_of(otherwise, rest...);
  }
}

}  // namespace detail

}  // namespace upsweep::cpu
#endif
