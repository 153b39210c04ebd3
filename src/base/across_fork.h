// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Keeps the driver's own state valid in a child of fork(), where only the forking thread survives: the state is consistent, its
// mutexes are free, and parts with threads restart (docs/decisions/fork.md).
#ifndef UPSWEEP_BASE_ACROSS_FORK_H
#define UPSWEEP_BASE_ACROSS_FORK_H

#include <functional>
#include <mutex>

namespace upsweep {

/// State that outlives the application's objects. An AcrossFork is a member of it or a static object beside it, and is never
/// destroyed.
class AcrossFork {
public:
  /// A thread that takes mutexes of both orders takes the outer mutex first.
  enum class Order { kOuter, kInner };

  /// `mutex`, which may be null, guards the state. It is held during the fork, so no other thread can be changing the state
  /// then. Code that holds it must be short and must not call functions of the application. `in_child` runs in the child with
  /// the mutex held and drops everything that belongs to threads that no longer exist.
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
  bool is_locked_ = false;  ///< by the forking thread
  AcrossFork *next_ = nullptr;
};

/// A static object of a function. If another thread were constructing it during a fork, the child would hang in that function.
/// So all such objects are constructed together with the platform, which every use of the driver starts with.
class MadeWithPlatform {
public:
  explicit MadeWithPlatform(void (*make)());
  /// Constructs all objects that were not used before.
  static void make_all();

private:
  void (*const make_)();
  const MadeWithPlatform *const next_;
};

}  // namespace upsweep
#endif
