// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The driver's own state in a child of fork(), where only the thread that forked lives on: the state is whole, its mutexes are
// free, and parts with threads start anew (docs/decisions/fork.md).
#ifndef UPSWEEP_BASE_ACROSS_FORK_H
#define UPSWEEP_BASE_ACROSS_FORK_H

#include <functional>
#include <mutex>

namespace upsweep {

/// State that outlives the application's objects: a member of it, or a static object beside it. It is never destroyed.
class AcrossFork {
public:
  /// The order in which a thread takes two such mutexes.
  enum class Order { kOuter, kInner };

  /// `mutex`, which may be null, guards the state: it is held while the process forks, so that no other thread is changing the
  /// state then. Nothing that runs the application's functions, or takes long, holds it. `in_child` is called in the child,
  /// with the mutex held: it drops what belongs to threads that are not there.
  explicit AcrossFork(std::mutex *mutex, std::function<void()> in_child = {}, Order order = Order::kInner);
  AcrossFork(const AcrossFork &) = delete;
  AcrossFork &operator=(const AcrossFork &) = delete;

private:
  static void before_fork();
  static void after_fork_in_parent();
  static void after_fork_in_child();
  void lock();
  void unlock();

  std::mutex *const mutex_;
  const std::function<void()> in_child_;
  const Order order_;
  bool is_locked_ = false;  ///< by the thread that forks
  AcrossFork *next_ = nullptr;
};

/// A static object of a function. If another thread were making it during a fork, the child would hang in that function. So all
/// such objects are made with the platform, which every use of the driver begins with.
class MadeWithPlatform {
public:
  explicit MadeWithPlatform(void (*make)());
  /// Makes all objects that were not used before.
  static void make_all();

private:
  void (*const make_)();
  const MadeWithPlatform *const next_;
};

}  // namespace upsweep
#endif
